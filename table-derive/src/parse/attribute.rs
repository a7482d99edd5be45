//! Reading `#[table(...)]`, one word at a time. A mistake in one word does not hide the next.

use proc_macro2::TokenTree;
use syn::{
    Attribute, Ident, Lit, LitStr, Token,
    ext::IdentExt,
    meta::ParseNestedMeta,
    parenthesized,
    parse::{Parse, ParseBuffer},
    punctuated::Punctuated,
};

use crate::{
    errors::{Errors, mistake},
    words::Level,
};

/// A value, and the word that it was given by.
#[derive(Clone, Debug)]
pub(crate) struct Given<T> {
    pub(crate) word: Ident,
    pub(crate) value: T,
}

/// Room for a word that may stand once.
#[derive(Clone, Debug)]
pub(crate) struct Slot<T>(Option<Given<T>>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Slot<T> {
    pub(crate) fn get(&self) -> Option<&Given<T>> {
        self.0.as_ref()
    }

    pub(crate) fn word(&self) -> Option<&Ident> {
        self.0.as_ref().map(|given| &given.word)
    }

    pub(crate) fn value(&self) -> Option<&T> {
        self.0.as_ref().map(|given| &given.value)
    }

    /// Takes the value; a second one is a mistake, and the first stays.
    pub(crate) fn set(&mut self, meta: &ParseNestedMeta<'_>, value: T) -> syn::Result<()> {
        let word = word(meta)?;
        if self.0.is_some() {
            return Err(mistake(&word, format!("`{}` is given twice", word.unraw()), "take one of them out"));
        }
        self.0 = Some(Given { word, value });
        Ok(())
    }
}

impl Slot<()> {
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }
}

/// Calls `take` with each word in the `table` attributes. `take` answers whether it knows the word. Returns whether the
/// attributes could be read to their ends; where not, words may stand in what was passed over.
pub(crate) fn each_word(
    attributes: &[Attribute],
    level: Level,
    owner: &Ident,
    errors: &mut Errors,
    take: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<bool>,
) -> bool {
    each_word_of("table", attributes, level, owner, errors, take)
}

/// The same for the attributes of another name.
pub(crate) fn each_word_of(
    attribute: &str,
    attributes: &[Attribute],
    level: Level,
    owner: &Ident,
    errors: &mut Errors,
    mut take: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<bool>,
) -> bool {
    let mut is_whole = true;
    for attribute in attributes.iter().filter(|other| other.path().is_ident(attribute)) {
        let result = attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(|ident| ident.unraw().to_string()).unwrap_or_default();
            match take(&name, &meta) {
                Ok(true) => is_whole &= errors.keep(ends(&name, &meta)).is_some(),
                Ok(false) => errors.push(level.refuse(&meta.path, owner)),
                Err(error) => errors.push(error),
            }
            skip_to_comma(&meta)
        });
        is_whole &= errors.keep(result).is_some();
    }
    is_whole
}

/// Calls `take` with each word in the parentheses of `meta`, as in `deny(table_scan)`.
pub(crate) fn each_inner_word(
    meta: &ParseNestedMeta<'_>,
    known: &'static [&'static str],
    example: &str,
    mut take: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<bool>,
) -> syn::Result<()> {
    let outer = word(meta)?;
    if !meta.input.peek(syn::token::Paren) {
        return Err(mistake(&outer, format!("`{outer}` needs a list"), format!("write {example}")));
    }
    let mut mistakes: Option<syn::Error> = None;
    meta.parse_nested_meta(|meta| {
        let name = meta.path.get_ident().map(|ident| ident.unraw().to_string()).unwrap_or_default();
        let read = match take(&name, &meta) {
            Ok(true) => ends(&name, &meta),
            Ok(false) => Err(Level::new("this list", known).refuse(&meta.path, &outer)),
            Err(error) => Err(error),
        };
        match (read, &mut mistakes) {
            (Ok(()), _) => {}
            (Err(error), Some(mistakes)) => mistakes.combine(error),
            (Err(error), none) => *none = Some(error),
        }
        skip_to_comma(&meta)
    })?;
    mistakes.map_or(Ok(()), Err)
}

/// Nothing may stand between a word and the next comma: it would be passed over without a trace.
fn ends(name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.is_empty() || meta.input.peek(Token![,]) {
        return Ok(());
    }
    let next: TokenTree = meta.input.parse()?;
    Err(mistake(
        next,
        format!("`{name}` is complete here: the end or a comma is expected"),
        "put a comma between two words, or take this out",
    ))
}

/// What is left of a word that was not understood.
fn skip_to_comma(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
        meta.input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// The word itself.
pub(crate) fn word(meta: &ParseNestedMeta<'_>) -> syn::Result<Ident> {
    meta.path.require_ident().cloned()
}

/// The value after `=`; `example` is shown when there is none, or another.
pub(crate) fn value<T: Parse>(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<T> {
    let word = word(meta)?;
    let what = if meta.input.peek(Token![=]) { "another value" } else { "a value" };
    let read = meta.value().and_then(ParseBuffer::parse);
    read.map_err(|_| mistake(&word, format!("`{}` needs {what}", word.unraw()), format!("write {example}")))
}

/// The whole number after `=`, from 1 up.
pub(crate) fn number(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<u32> {
    let literal: Lit = value(meta, example)?;
    let read = match &literal {
        Lit::Int(digits) => digits.base10_parse().ok().filter(|number| *number > 0),
        _ => None,
    };
    let word = word(meta)?;
    let wrong = || format!("`{}` is a whole number from 1 up", word.unraw());
    read.ok_or_else(|| mistake(&literal, wrong(), format!("write {example}")))
}

/// What stands in parentheses, with commas between.
pub(crate) fn list<T: Parse>(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<Vec<T>> {
    if !meta.input.peek(syn::token::Paren) {
        let word = word(meta)?;
        return Err(mistake(&word, format!("`{word}` needs a list"), format!("write {example}")));
    }
    let content;
    parenthesized!(content in meta.input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated_with(&content, T::parse)?.into_iter().collect())
}

/// The text after `=`.
pub(crate) fn text(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<LitStr> {
    value(meta, example)
}

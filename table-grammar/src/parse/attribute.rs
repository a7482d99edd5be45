//! Parsing of `#[table(...)]`, argument by argument. An error in one argument does not hide the next error.

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

/// A value with the name of its argument.
#[derive(Clone, Debug)]
pub(crate) struct Given<T> {
    pub(crate) word: Ident,
    pub(crate) value: T,
}

/// An argument that may occur at most once.
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

    /// Sets the value. A duplicate is an error, and the first value remains.
    pub(crate) fn set(&mut self, meta: &ParseNestedMeta<'_>, value: T) -> syn::Result<()> {
        let word = word(meta)?;
        if self.0.is_some() {
            return Err(mistake(&word, format!("`{}` is duplicated", word.unraw()), "remove one of them"));
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

/// Calls `take` for each argument in the `table` attributes. `take` returns whether it supports the argument. Returns
/// `true` if all attributes were parsed completely; otherwise the skipped input may contain further arguments.
pub(crate) fn each_word(
    attributes: &[Attribute],
    level: Level,
    owner: &Ident,
    errors: &mut Errors,
    take: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<bool>,
) -> bool {
    each_word_of("table", attributes, level, owner, errors, take)
}

/// Like [`each_word`], for attributes with another name.
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

/// Calls `take` for each argument in the parentheses of `meta`, as in `deny(table_scan)`.
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

/// Rejects tokens between an argument and the next comma, which would be silently skipped.
fn ends(name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.is_empty() || meta.input.peek(Token![,]) {
        return Ok(());
    }
    let next: TokenTree = meta.input.parse()?;
    Err(mistake(
        next,
        format!("`{name}` is complete here; expected a comma or the end"),
        "add a comma between two arguments, or remove this",
    ))
}

/// Skips the rest of an invalid argument.
fn skip_to_comma(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
        meta.input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Returns the name of the argument.
pub(crate) fn word(meta: &ParseNestedMeta<'_>) -> syn::Result<Ident> {
    meta.path.require_ident().cloned()
}

/// Parses the value after `=`. The error for a missing or invalid value shows `example`.
pub(crate) fn value<T: Parse>(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<T> {
    let word = word(meta)?;
    let what = if meta.input.peek(Token![=]) { "another value" } else { "a value" };
    let read = meta.value().and_then(ParseBuffer::parse);
    read.map_err(|_| mistake(&word, format!("`{}` needs {what}", word.unraw()), format!("write {example}")))
}

/// Parses the positive integer after `=`.
pub(crate) fn number(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<u32> {
    number_from(1, meta, example)
}

/// Parses an integer of at least `least`.
pub(crate) fn number_from(least: u32, meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<u32> {
    let literal: Lit = value(meta, example)?;
    let read = match &literal {
        Lit::Int(digits) => digits.base10_parse().ok().filter(|number| *number >= least),
        _ => None,
    };
    let word = word(meta)?;
    let wrong = || format!("`{}` must be an integer of at least {least}", word.unraw());
    read.ok_or_else(|| mistake(&literal, wrong(), format!("write {example}")))
}

/// Parses a comma-separated list in parentheses.
pub(crate) fn list<T: Parse>(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<Vec<T>> {
    if !meta.input.peek(syn::token::Paren) {
        let word = word(meta)?;
        return Err(mistake(&word, format!("`{word}` needs a list"), format!("write {example}")));
    }
    let content;
    parenthesized!(content in meta.input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated_with(&content, T::parse)?.into_iter().collect())
}

/// Parses the string after `=`.
pub(crate) fn text(meta: &ParseNestedMeta<'_>, example: &str) -> syn::Result<LitStr> {
    value(meta, example)
}

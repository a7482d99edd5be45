//! What serde's attributes say. Its names are followed; what it hides is asked about.

use proc_macro2::TokenTree;
use syn::{Attribute, Ident, LitStr, Token, ext::IdentExt, meta::ParseNestedMeta};

use crate::{
    errors::{Errors, mistake},
    parse::case::Case,
};

/// What serde says of a struct, an enum, a field or a variant.
#[derive(Debug, Default)]
pub(crate) struct SerdeWords {
    /// The name given by `rename`.
    pub(crate) rename: Option<LitStr>,
    /// `rename_all`.
    pub(crate) rename_all: Option<Case>,
    /// Words that change what serde writes of a field, which storage does not follow.
    pub(crate) hides: Vec<Ident>,
}

impl SerdeWords {
    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut words = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            // What serde itself refuses is serde's to report.
            let _ = attribute.parse_nested_meta(|meta| {
                if let Err(error) = words.take(&meta) {
                    errors.push(error);
                }
                while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
                    meta.input.parse::<TokenTree>()?;
                }
                Ok(())
            });
        }
        words
    }

    fn take(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let Some(word) = meta.path.get_ident() else { return Ok(()) };
        match word.unraw().to_string().as_str() {
            "rename" => self.rename = name(meta)?,
            "rename_all" => {
                self.rename_all = name(meta)?.map(|case| Case::parse(&case)).transpose()?;
            }
            "skip"
            | "skip_serializing"
            | "skip_deserializing"
            | "skip_serializing_if"
            | "with"
            | "serialize_with"
            | "deserialize_with"
            | "flatten"
            | "default" => self.hides.push(word.clone()),
            _ => {}
        }
        Ok(())
    }
}

/// The one name of `rename = ".."` or `rename(serialize = "..", deserialize = "..")`.
fn name(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<LitStr>> {
    if meta.input.peek(Token![=]) {
        return meta.value()?.parse().map(Some);
    }
    let (mut write, mut read) = (None::<LitStr>, None::<LitStr>);
    meta.parse_nested_meta(|meta| {
        let slot = if meta.path.is_ident("serialize") { &mut write } else { &mut read };
        *slot = Some(meta.value()?.parse()?);
        Ok(())
    })?;
    match (write, read) {
        (Some(write), Some(read)) if write.value() == read.value() => Ok(Some(write)),
        _ => {
            let word = &meta.path;
            let shown = word.get_ident().map(ToString::to_string).unwrap_or_default();
            Err(mistake(
                word,
                "serde writes one name and reads another; storage needs one",
                format!("add #[table({shown} = \"...\")]"),
            ))
        }
    }
}

//! Serde attributes. Names are applied to storage; attributes that hide fields require a decision of the user.

use proc_macro2::TokenTree;
use syn::{Attribute, Ident, LitStr, Token, ext::IdentExt, meta::ParseNestedMeta};
use table_schema::catalogue::Code;

use crate::{errors::Errors, parse::case::Case};

/// The serde attributes of a struct, an enum, a field or a variant.
#[derive(Debug, Default)]
pub(crate) struct SerdeWords {
    /// The name in `rename`.
    pub(crate) rename: Option<LitStr>,
    /// The case in `rename_all`.
    pub(crate) rename_all: Option<Case>,
    /// Attributes that change the serialized form of a field. Storage ignores them.
    pub(crate) hides: Vec<Ident>,
    /// `rename` or `rename_all` with different names for serialization and deserialization: storage requires one name.
    two_names: Vec<Ident>,
}

impl SerdeWords {
    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut words = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            // Errors in serde attributes are reported by serde.
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
            "rename" => self.rename = self.name(meta, word)?,
            "rename_all" => {
                self.rename_all = self.name(meta, word)?.map(|case| Case::parse(&case)).transpose()?;
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

    /// Returns the name of `rename = ".."` or `rename(serialize = "..", deserialize = "..")`.
    fn name(&mut self, meta: &ParseNestedMeta<'_>, word: &Ident) -> syn::Result<Option<LitStr>> {
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
                self.two_names.push(word.clone());
                Ok(None)
            }
        }
    }

    /// Reports different names for serialization and deserialization, since a property has one name. `decided` is
    /// `true` if another argument specifies the name.
    pub(crate) fn ask_for_one_name(&self, decided: bool, errors: &mut Errors) {
        for word in self.two_names.iter().filter(|_| !decided) {
            errors.add_coded(
                Code::D035,
                word,
                "serde reads and writes different names; a property has one name",
                format!("add #[table({word} = \"...\")]"),
            );
        }
    }
}

//! The variants of an enum with `#[derive(TableFields)]`.

use quote::{ToTokens, format_ident};
use syn::{DataEnum, Fields, Ident, LitStr, Type, TypePath, ext::IdentExt, punctuated::Punctuated};

use crate::{
    errors::Errors,
    parse::{
        attribute::Slot,
        field::{FieldInput, FieldWords},
        newtype::VariantInput,
        serde_words::SerdeWords,
    },
    types::shown,
};

/// The name of the descriptor of the tag, and of its property without `tag = ".."`.
const TAG: &str = "kind";

/// The variants of an enum.
#[derive(Debug)]
pub(crate) struct Variants {
    /// The type of the tag: an enum with the same variants, without fields.
    pub(crate) kind: Ident,
    /// The variants, with the numbers of their fields.
    pub(crate) list: Vec<(VariantInput, Vec<usize>)>,
}

impl Variants {
    /// Returns the fields of all variants, starting with the tag, and the variants.
    pub(crate) fn read(
        data: DataEnum,
        owner: &Ident,
        tag: Slot<LitStr>,
        errors: &mut Errors,
    ) -> (Vec<FieldInput>, Self) {
        let kind = format_ident!("{}Kind", owner.unraw(), span = owner.span());
        let mut fields = vec![FieldInput {
            ident: Ident::new(TAG, owner.span()),
            ty: Type::Path(TypePath { attrs: Vec::new(), qself: None, path: kind.clone().into() }),
            words: FieldWords { rename: tag, ..FieldWords::default() },
            serde: SerdeWords::default(),
        }];
        // The attributes of each field, without documentation.
        let mut attributes = vec![String::new()];
        let mut list = Vec::new();
        for variant in data.variants {
            let named = match variant.fields {
                Fields::Named(named) => named.named,
                Fields::Unit => Punctuated::new(),
                Fields::Unnamed(unnamed) => {
                    let message =
                        format!("the fields of `{}` have no names for properties", variant.ident.unraw());
                    errors.add(unnamed, message, "write `Variant { name: Type }`");
                    continue;
                }
            };
            let mut numbers = Vec::new();
            for field in named {
                let words = field.attrs.iter().filter(|attribute| !attribute.path().is_ident("doc"));
                let words: String = words.map(|attribute| attribute.to_token_stream().to_string()).collect();
                let name = field.ident.clone();
                match fields.iter().position(|known| Some(&known.ident) == name.as_ref()) {
                    Some(0) => errors.add(
                        name,
                        format!("`{TAG}` is the tag, which contains the name of the variant"),
                        "rename the field",
                    ),
                    Some(at) if is_same(fields.get(at), &field.ty) && attributes.get(at) == Some(&words) => {
                        numbers.push(at);
                    }
                    Some(at) => {
                        let known = fields.get(at).map(|known| shown(&known.ty)).unwrap_or_default();
                        errors.add(
                            name,
                            format!(
                                "two variants have this field, once as `{known}`; they share one property"
                            ),
                            "declare it with the same type and attributes, or with another name",
                        );
                    }
                    None => {
                        numbers.push(fields.len());
                        fields.push(FieldInput::read(field, owner, errors));
                        attributes.push(words);
                    }
                }
            }
            list.push((VariantInput::named(variant.ident, &variant.attrs, owner, errors), numbers));
        }
        (fields, Self { kind, list })
    }
}

fn is_same(known: Option<&FieldInput>, ty: &Type) -> bool {
    known.is_some_and(|known| shown(&known.ty) == shown(ty))
}

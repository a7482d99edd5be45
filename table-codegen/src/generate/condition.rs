//! Generation of functions that decide about rows.

use proc_macro2::TokenStream;
use quote::quote;
use table_schema::{
    design::{EntityDesign, FieldDesign, FieldKind},
    language::{Literal, When},
};

use super::{Context, doc::doc, enums, names::ident};

pub(crate) fn expand(
    context: &Context<'_>,
    entity: &EntityDesign,
    name: &str,
    about: &str,
    when: &When,
) -> TokenStream {
    let tests = when.equalities.iter().filter_map(|one| {
        let field = entity.field(&one.field)?;
        let name = ident(&field.name);
        if field.kind == FieldKind::Bool && !field.optional {
            return Some(if one.value.text() == "true" { quote!(self.#name) } else { quote!(!self.#name) });
        }
        let value = value(context, entity, field, &one.value)?;
        Some(match (&field.kind, field.optional) {
            (FieldKind::Text { .. }, true) => quote!(self.#name.as_deref() == Some(#value)),
            (_, true) => quote!(self.#name == Some(#value)),
            (_, false) => quote!(self.#name == #value),
        })
    });
    let tests: Vec<TokenStream> = tests.collect();
    let (name, about) = (ident(name), doc(about));
    quote! {
        #about
        pub fn #name(&self) -> bool { #(#tests)&&* }
    }
}

/// Generates a value of a field.
pub(super) fn value(
    context: &Context<'_>,
    entity: &EntityDesign,
    field: &FieldDesign,
    literal: &Literal,
) -> Option<TokenStream> {
    let text = literal.text();
    Some(match &field.kind {
        FieldKind::Enum { variants } => {
            let (ty, variant) =
                (context.names.enum_of(entity, field), ident(&enums::variant(variants, text)?));
            quote!(#ty::#variant)
        }
        FieldKind::Text { .. } => quote!(#text),
        _ => text.parse().ok()?,
    })
}

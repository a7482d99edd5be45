//! Generation of functions that decide about rows.

use proc_macro2::TokenStream;
use quote::quote;
use table_schema::{
    design::{EntityDesign, FieldKind},
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
        let (Literal::Word(text) | Literal::Number(text) | Literal::Text(text)) = &one.value;
        let value: TokenStream = match &field.kind {
            FieldKind::Enum { variants } => {
                let (ty, variant) =
                    (context.names.enum_of(entity, field), ident(&enums::variant(variants, text)?));
                quote!(#ty::#variant)
            }
            FieldKind::Text { .. } => quote!(#text),
            FieldKind::Bool if !field.optional => {
                return Some(if text == "true" { quote!(self.#name) } else { quote!(!self.#name) });
            }
            _ => text.parse().ok()?,
        };
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

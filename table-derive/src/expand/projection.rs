//! `impl Projection`, and `impl FromRow` beside it.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::{
    expand::{self, at},
    parse::projection::ProjectionInput,
};

pub(crate) fn expand(projection: &ProjectionInput) -> TokenStream {
    let ProjectionInput { ident, of, krate, fields } = projection;
    let import = expand::import(krate.as_ref());
    let names = fields.iter().map(|(field, _)| {
        let known = quote_spanned!(at(field.span())=> <#of as _table::TableEntity>::FIELDS.#field);
        quote!(#known.name())
    });
    let reads = fields.iter().map(|(field, _)| {
        let known = quote_spanned!(at(field.span())=> <#of as _table::TableEntity>::FIELDS.#field);
        quote!(#field: #known.project(key, from)?)
    });
    quote! {
        const _: () = {
            #import

            #[automatically_derived]
            impl _table::Projection for #ident {
                type Of = #of;
                const SELECT: &'static [&'static str] = &[#(#names),*];
            }

            #[automatically_derived]
            impl _table::FromRow for #ident {
                type Out = Self;

                fn select() -> _table::Option<_table::Vec<_table::Name>> {
                    _table::projection::select::<Self>()
                }

                fn from_row(
                    table: &_table::TableName,
                    row: _table::Row,
                ) -> _table::Result<Self, _table::DecodeError> {
                    _table::projection::from_row::<Self>(table, row, |key, from| _table::Ok(Self { #(#reads,)* }))
                }
            }
        };
    }
}

//! `impl Projection`, and `impl FromRow` beside it.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::{expand, parse::projection::ProjectionInput};

pub(crate) fn expand(projection: &ProjectionInput) -> TokenStream {
    let ProjectionInput { ident, of, krate, fields } = projection;
    let import = expand::import(krate.as_ref());
    let names = fields.iter().map(|(field, _)| quote!(<#of as _table::TableEntity>::FIELDS.#field.names()));
    let reads = fields.iter().map(|(field, ty)| {
        // The span is the type's: that is what can be wrong here.
        let read =
            quote_spanned!(ty.span()=> <#of as _table::TableEntity>::FIELDS.#field.project(key, from)?);
        quote!(#field: #read)
    });
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            #import

            #[automatically_derived]
            impl _table::Projection for #ident {
                type Of = #of;
                const SELECT: &'static [&'static [&'static str]] = &[#(#names),*];
            }

            #[automatically_derived]
            impl _table::FromRow for #ident {
                type Out = Self;

                fn select() -> _table::Option<_table::Vec<_table::Name>> {
                    _table::projection::select::<Self>()
                }

                fn from_row(
                    source: _table::Source<'_>,
                    row: _table::RowRef<'_>,
                ) -> _table::Result<Self, _table::DecodeError> {
                    _table::projection::from_row::<Self>(source, row, |key, from| _table::Ok(Self { #(#reads,)* }))
                }
            }
        };
    }
}

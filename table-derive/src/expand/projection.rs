//! `impl Projection`, `impl FromRow`, and `impl CopiedFields` if all fields are properties.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{ext::IdentExt, spanned::Spanned};
use table_grammar::resolve::ProjectionInput;

use crate::expand;

pub(crate) fn expand(projection: &ProjectionInput) -> TokenStream {
    let ProjectionInput { ident, of, krate, fields } = projection;
    let import = expand::import(krate.as_ref());
    let names = fields.iter().map(|(field, _)| quote!(<#of as _table::TableEntity>::FIELDS.#field.names()));
    // The variables have the span of this macro, since that of the type can belong to a `macro_rules!`.
    let (key, from) = (quote!(key), quote!(from));
    let reads = fields.iter().map(|(field, ty)| {
        // Use the span of the type, since the type is the possible cause of an error.
        let read =
            quote_spanned!(ty.span()=> <#of as _table::TableEntity>::FIELDS.#field.project(#key, #from)?);
        quote!(#field: #read)
    });
    let copied = copied(projection);
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

                fn select_keys() -> _table::Option<_table::Vec<_table::Name>> {
                    _table::projection::select_keys::<Self>()
                }

                fn check_row(
                    source: _table::Source<'_>,
                    row: _table::RowRef<'_>,
                ) -> _table::Result<(), _table::DecodeError> {
                    _table::projection::check_row::<Self>(source, row)
                }

                fn from_row(
                    source: _table::Source<'_>,
                    row: _table::RowRef<'_>,
                ) -> _table::Result<Self, _table::DecodeError> {
                    _table::projection::from_row::<Self>(source, row, |key, from| _table::Ok(Self { #(#reads,)* }))
                }
            }

            #copied
        };
    }
}

/// Returns `impl CopiedFields`, bounded on every field type being a property type. An unsatisfied bound on a concrete
/// type is an immediate error, unless the bound includes a lifetime: then the error is reported at the use as a copy.
fn copied(projection: &ProjectionInput) -> TokenStream {
    let ProjectionInput { ident, of, fields, .. } = projection;
    let known = quote!(<#of as _table::TableEntity>::FIELDS);
    let types = fields.iter().map(|(_, ty)| ty);
    let names = fields.iter().map(|(field, _)| {
        let name = field.unraw().to_string();
        quote!(#known.#field.copied_as(#name))
    });
    let values = fields.iter().map(|(field, _)| quote!(#known.#field.copied(key, row)?));
    let takes = fields
        .iter()
        .enumerate()
        .map(|(number, (field, ty))| quote!(#field: _table::take_one::<#ty>(names, #number, from)?));
    quote! {
        #[automatically_derived]
        impl _table::CopiedFields for #ident
        where
            #(for<'any> #types: _table::TableValue,)*
        {
            const NAMES: &'static [_table::Option<&'static str>] = &[#(#names),*];

            fn values(
                key: &<#of as _table::TableEntity>::Key,
                row: &_table::Properties,
            ) -> _table::Result<_table::Vec<_table::Option<_table::Value>>, _table::PropertyError> {
                _table::Ok(_table::Vec::from([#(#values),*]))
            }

            fn take(
                names: &'static [&'static str],
                from: &mut _table::Reader<'_>,
            ) -> _table::Result<Self, _table::PropertyError> {
                _table::Ok(Self { #(#takes,)* })
            }
        }
    }
}

//! `impl Projection`, `impl FromRow` beside it, and `impl CopiedFields` where its fields are properties.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{ext::IdentExt, spanned::Spanned};

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

/// `impl CopiedFields`, where every field's type is a property type. A bound on a type that is known is an error at once
/// where it does not hold, unless a lifetime is bound with it: then whoever copies is told.
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

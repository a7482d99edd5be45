//! `impl TableUnion`, `impl FromRow` and `rows`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use table_grammar::resolve::{
    newtype::KeyTrait,
    union::{Parameter, Union, Unknown},
};

use crate::expand::{self, Doc, at};

pub(crate) fn expand(union: &Union) -> TokenStream {
    let import = expand::import(union.facade.as_ref());
    let (ident, name) = (&union.ident, union.ident.unraw().to_string());
    let unknown = match union.unknown {
        Unknown::Error => quote!(Error),
        Unknown::Skip => quote!(Skip),
        Unknown::Keep => quote!(Keep),
    };
    let members = union.members.iter().map(|member| {
        let (variant, entity) = (&member.ident, &member.entity);
        quote! {
            if _table::union::is_kind::<#entity>(row) {
                return _table::Ok(Self::#variant(<#entity as _table::FromRow>::from_row(source, row)?));
            }
        }
    });
    let checks = union.members.iter().map(|member| {
        let entity = &member.entity;
        quote! {
            if _table::union::is_kind::<#entity>(row) {
                return <#entity as _table::FromRow>::check_row(source, row);
            }
        }
    });
    let entities: Vec<_> = union.members.iter().map(|member| &member.entity).collect();
    let none = quote!(_table::Err(_table::union::none_of::<Self>(row)));
    let (other, check_other) = if let Some((variant, bag)) = &union.other {
        let bag = quote!(<#bag as _table::FromRow>);
        (
            quote!(_table::Ok(Self::#variant(#bag::from_row(source, row)?))),
            quote!(#bag::check_row(source, row)),
        )
    } else {
        (none.clone(), none)
    };
    let rows = rows(union);
    let one_table = one_table(union);
    quote! {
        const _: () = {
            #import
            #one_table
            #rows

            #[automatically_derived]
            impl _table::TableUnion for #ident {
                const NAME: &'static str = #name;
                const UNKNOWN: _table::Unknown = _table::Unknown::#unknown;
                const DESIGNS: &'static [&'static _table::Design] =
                    &[#(<#entities as _table::TableEntity>::DESIGN),*];
            }

            #[automatically_derived]
            impl _table::FromRow for #ident {
                type Out = Self;

                fn select_keys() -> _table::Option<_table::Vec<_table::Name>> {
                    _table::union::keys_of([#(<#entities as _table::FromRow>::select_keys()),*])
                }

                fn check_row(
                    source: _table::Source<'_>,
                    row: _table::RowRef<'_>,
                ) -> _table::Result<(), _table::DecodeError> {
                    #(#checks)*
                    #check_other
                }

                fn from_row(
                    source: _table::Source<'_>,
                    row: _table::RowRef<'_>,
                ) -> _table::Result<Self, _table::DecodeError> {
                    #(#members)*
                    #other
                }
            }
        };
    }
}

/// Checks that all members use the table of the first one; the error is reported at the variant.
fn one_table(union: &Union) -> TokenStream {
    let mut members = union.members.iter();
    let Some(first) = members.next() else { return TokenStream::new() };
    let first = &first.entity;
    let checks = members.map(|member| {
        let entity = &member.entity;
        quote_spanned! {at(member.ident.span())=>
            const _: () = _table::assert!(
                _table::same_table(
                    <#first as _table::TableEntity>::DESIGN,
                    <#entity as _table::TableEntity>::DESIGN,
                ),
                "entities of a union must be in one table"
            );
        }
    });
    quote!(#(#checks)*)
}

fn rows(union: &Union) -> Option<TokenStream> {
    let (template, parameters) = union.partition.as_ref()?;
    let (ident, visibility) = (&union.ident, &union.visibility);
    let first = &union.members.first()?.entity;
    let doc = Doc(format!(
        "Returns a query for all rows of the partition `{template}`, of any type, in RowKey order: a range query."
    ));
    let (declared, values): (Vec<_>, Vec<_>) = parameters.iter().map(parameter).unzip();
    Some(quote! {
        #[automatically_derived]
        impl #ident {
            #doc
            #visibility fn rows(#(#declared),*) -> _table::RangeQuery<#ident> {
                _table::union::rows::<#ident, #first>(&[#(#values),*])
            }
        }
    })
}

/// A union does not see the fields of its members, so it accepts any type that fits the format.
fn parameter(parameter: &Parameter) -> (TokenStream, TokenStream) {
    let Parameter { ident, name, part } = parameter;
    let (takes, written) = match part {
        KeyTrait::Text => {
            let value = quote!(_table::hole::str(_table::AsRef::<str>::as_ref(&#ident)));
            return (quote!(#ident: impl _table::AsRef<str>), quote!((#name, #value)));
        }
        KeyTrait::Num => (quote!(Num), quote!(num)),
        KeyTrait::Time => (quote!(Time), quote!(time)),
        KeyTrait::Id => (quote!(Id), quote!(id)),
        KeyTrait::Flag => (quote!(Flag), quote!(flag)),
    };
    (quote!(#ident: impl _table::key::#takes), quote!((#name, _table::hole::#written(&#ident))))
}

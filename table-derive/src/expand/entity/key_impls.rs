//! Implementations for the key type.

use proc_macro2::TokenStream;
use quote::quote;
use table_grammar::resolve::entity::Entity;

use crate::expand::{
    entity::{docs, functions::point_type, holes},
    facade,
};

pub(super) fn expand(entity: &Entity) -> TokenStream {
    let (ident, key, visibility) = (&entity.ident, &entity.companions.key, &entity.visibility);
    let (partition, row) = (holes::of_self(entity, &entity.partition), holes::of_self(entity, &entity.row));
    let facade = facade(entity.facade.as_ref());
    let read = read(entity);
    let point_type = point_type(entity);
    let (parse_doc, point_doc) = (docs::parse(entity), docs::point_of_key(entity));
    quote! {
        #[automatically_derived]
        impl #key {
            #parse_doc
            #visibility fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
                _table::row::parse_key(partition_key, row_key)
            }

            #point_doc
            #visibility fn point(&self) -> _table::#point_type<#ident> {
                _table::#point_type::of_key(self)
            }
        }

        #[automatically_derived]
        impl _table::EntityKey for #key {
            type Entity = #ident;

            fn address(&self) -> _table::Result<_table::Address, _table::Error> {
                _table::row::address::<#ident>(#partition, #row)
            }

            fn read(keys: &mut _table::KeyReader<'_>) -> _table::Option<Self> {
                #read
            }
        }

        #facade::__key_traits!(#key);
    }
}

/// Reads the template fields in order. A template field whose struct field is read from another one is skipped
/// immediately before the next.
fn read(entity: &Entity) -> TokenStream {
    let mut skips = 0;
    let mut fields = Vec::new();
    for hole in entity.partition.holes.iter().chain(&entity.row.holes) {
        let field = hole.field.and_then(|field| entity.fields.get(field)).filter(|_| hole.reads);
        let Some(field) = field else {
            skips += 1;
            continue;
        };
        let skipped = (0..std::mem::take(&mut skips)).map(|_| quote!(keys.skip()?;));
        let (ident, name) = (&field.ident, holes::name(field));
        let read = quote!(#name.read(keys)?);
        let skipped: Vec<_> = skipped.collect();
        fields.push(if skipped.is_empty() {
            quote!(#ident: #read)
        } else {
            quote!(#ident: { #(#skipped)* #read })
        });
    }
    let value = quote!(Self { #(#fields),* });
    if skips == 0 {
        return quote!(_table::Some(#value));
    }
    // The last template fields repeat struct fields that were read before.
    let skipped = (0..skips).map(|_| quote!(keys.skip()?;));
    quote! {
        let read = #value;
        #(#skipped)*
        _table::Some(read)
    }
}

//! The complete output of `#[derive(TableEntity)]`. The public types are next to the struct, all other items are in an
//! anonymous constant.

mod borrowed;
mod companions;
mod declared;
mod decode;
pub(in crate::expand) mod descriptors;
pub(in crate::expand) mod design;
pub(in crate::expand) mod docs;
mod expiry;
mod feeds;
mod flatten;
mod functions;
mod holes;
mod indexes;
mod key_impls;
pub(in crate::expand) mod patch_impls;
mod series;
mod stamps;
mod table_entity;

use proc_macro2::TokenStream;
use quote::quote;
use table_grammar::resolve::entity::Entity;

use crate::expand;

pub(crate) fn expand(entity: &Entity) -> TokenStream {
    let import = expand::import(entity.facade.as_ref());
    let one_value = feeds::import(entity);
    let key_type = companions::key_type(entity);
    let patch_type = companions::patch_type(entity);
    let fields_type = companions::fields_type(entity);
    let (borrowed_type, borrowed) = (borrowed::borrowed_type(entity), borrowed::expand(entity));
    let (holes, stored) = (holes::consts(entity), indexes::stored_consts(entity));
    let (series, nested) = (series::consts(entity), flatten::types(entity));
    let functions = functions::expand(entity);
    let (copy_types, copy_impls) = (indexes::copy_types(entity), indexes::copy_impls(entity));
    let table_entity = table_entity::expand(entity);
    let key_impls = key_impls::expand(entity);
    let patch_impls = patch_impls::expand(entity);
    let ident = &entity.ident;
    let may_scan = (!entity.design.deny_table_scan && entity.design.wide.is_none()).then(|| {
        quote! {
            #[automatically_derived]
            impl _table::AllowTableScan for #ident {}
        }
    });
    quote! {
        #key_type
        #patch_type
        #fields_type
        #borrowed_type
        #copy_types

        #[allow(unused_qualifications)]
        const _: () = {
            #import
            #one_value
            #holes
            #stored
            #series
            #nested
            #functions
            #table_entity
            #may_scan
            #key_impls
            #patch_impls
            #copy_impls
            #borrowed
        };
    }
}

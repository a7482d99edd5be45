//! The entity's functions: its designed access paths.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    expand::entity::{docs, holes},
    resolve::{
        entity::{Entity, Field},
        newtype::KeyTrait,
    },
};

pub(super) fn expand(entity: &Entity) -> TokenStream {
    let (ident, visibility) = (&entity.ident, &entity.visibility);
    let patch_type = &entity.companions.patch;
    let (point, rows) = (&entity.methods.point, &entity.methods.rows);
    let (patch, scan_partition) = (&entity.methods.patch, &entity.methods.scan_partition);
    let docs::Functions { point: point_doc, rows: rows_doc, patch: patch_doc, scan_partition: scan_doc } =
        docs::functions(entity);
    let all: Vec<_> = entity.point_fields().into_iter().map(parameter).collect();
    let leading: Vec<_> = entity.fields_of(&entity.partition).map(parameter).collect();
    let parts = parts(entity);
    let (partition, row) =
        (holes::of_arguments(entity, &entity.partition), holes::of_arguments(entity, &entity.row));
    quote! {
        #[automatically_derived]
        impl #ident {
            #point_doc
            #visibility fn #point(#(#all),*) -> _table::PointQuery<#ident> {
                _table::PointQuery::at_address(_table::row::address::<#ident>(#partition, #row))
            }

            #rows_doc
            #visibility fn #rows(#(#leading),*) -> _table::Rows<#ident, #parts> {
                _table::Rows::of(#partition)
            }

            #scan_doc
            #visibility fn #scan_partition(#(#leading),*) -> _table::PartitionScan<#ident> {
                _table::PartitionScan::of(#partition)
            }

            #patch_doc
            #visibility fn #patch(#(#all),*) -> #patch_type {
                #patch_type(_table::Patch::by_key(_table::row::address::<#ident>(#partition, #row)))
            }
        }
    }
}

fn parameter(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    if field.is_string { quote!(#ident: impl _table::AsRef<str>) } else { quote!(#ident: #ty) }
}

/// What is open of the RowKey, part by part.
fn parts(entity: &Entity) -> TokenStream {
    let parts = entity.row.holes.iter().filter_map(|hole| entity.fields.get(hole.field)).map(part);
    quote!((#(#parts,)*))
}

fn part(field: &Field) -> TokenStream {
    let ty = &field.ty;
    match field.key {
        Some(KeyTrait::Text) | None if field.is_string => quote!(_table::part::Text),
        Some(KeyTrait::Text) | None => quote!(_table::part::TextOf<#ty>),
        Some(KeyTrait::Num) => quote!(_table::part::Num<#ty>),
        Some(KeyTrait::Time) => quote!(_table::part::Time<#ty>),
        Some(KeyTrait::Id) => quote!(_table::part::Id<#ty>),
        Some(KeyTrait::Flag) => quote!(_table::part::Flag<#ty>),
    }
}

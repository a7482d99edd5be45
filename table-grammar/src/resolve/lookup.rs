//! Resolved lookups: indexes whose rows are the members of lists.

use quote::format_ident;
use syn::spanned::Spanned;
use table_schema::design::{EntityDesign, LookupPlace};

use crate::{
    parse::{entity::EntityInput, lookup::LookupInput},
    resolve::{
        build::keys,
        entity::{Index, Lookup},
        index::spanned_at,
    },
};

/// Returns the lookups that can be generated: those with a name.
pub(super) fn all(input: &EntityInput, design: &EntityDesign) -> Vec<Index> {
    let inputs = input.words.lookups.iter().enumerate();
    inputs.filter_map(|(number, lookup)| one(design, number, lookup)).collect()
}

fn one(design: &EntityDesign, number: usize, lookup: &LookupInput) -> Option<Index> {
    let kind = design.lists(number)?;
    let place = lookup.place.value().copied().unwrap_or_default();
    let (partition, row) = keys(design, kind.partition.clone(), design.member_row(number)?)?;
    let (_, list) = keys(design, kind.partition.clone(), design.list_prefix(number)?)?;
    let name = lookup.name.clone()?;
    let span = lookup.row.value().map_or_else(|| name.span(), Spanned::span);
    Some(Index {
        rows: format_ident!("{}_rows", lookup.name(), span = span),
        is_point: false,
        name: spanned_at(name, span),
        table: kind.table.text().to_owned(),
        near: place == LookupPlace::Partition,
        unique: false,
        copy: None,
        copied: Vec::new(),
        own: Vec::new(),
        when: None,
        lookup: Some(Lookup {
            list,
            ids: lookup.ids.value().map(syn::LitStr::value),
            in_blobs: place == LookupPlace::Blob,
        }),
        partition,
        row,
    })
}

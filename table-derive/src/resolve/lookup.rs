//! A lookup with everything decided: an index whose rows are the members of lists.

use quote::format_ident;
use syn::spanned::Spanned;
use table_schema::design::{EntityDesign, Origin, RowKind};

use crate::{
    parse::{entity::EntityInput, lookup::LookupInput},
    resolve::{
        build::keys,
        entity::{Index, Lookup},
        index::spanned_at,
    },
};

/// The lookups that can be written down: those with a name, whose lists are in the entity's partition.
pub(super) fn all(input: &EntityInput, design: &EntityDesign) -> Vec<Index> {
    let kinds = design.row_kinds();
    let inputs = input.words.lookups.iter().enumerate();
    inputs.filter_map(|(number, lookup)| one(design, &kinds, number, lookup)).collect()
}

fn one(design: &EntityDesign, kinds: &[RowKind], number: usize, lookup: &LookupInput) -> Option<Index> {
    let kind = kinds.iter().find(|kind| kind.origin == Origin::Lookup(number))?;
    let (partition, row) = keys(design, kind.partition.clone(), design.member_row(number)?)?;
    let (_, list) = keys(design, kind.partition.clone(), design.list_prefix(number)?)?;
    let name = lookup.name.clone()?;
    let span = lookup.row.value().map_or_else(|| name.span(), Spanned::span);
    Some(Index {
        rows: format_ident!("{}_rows", lookup.name(), span = span),
        is_point: false,
        name: spanned_at(name, span),
        table: kind.table.text().to_owned(),
        near: true,
        unique: false,
        copy: None,
        copied: Vec::new(),
        own: Vec::new(),
        when: None,
        lookup: Some(Lookup { list, ids: lookup.ids.value().map(syn::LitStr::value) }),
        partition,
        row,
    })
}

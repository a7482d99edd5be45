//! Resolved indexes.

use quote::format_ident;
use syn::{Ident, Path, spanned::Spanned};
use table_schema::design::{CopiedFields, EntityDesign, Origin, RowKind};

use crate::{
    parse::{entity::EntityInput, index::IndexInput},
    resolve::{
        build::keys,
        entity::{Index, Key, When},
    },
};

/// Returns the indexes that can be generated: those with a name and valid templates.
pub(super) fn all(input: &EntityInput, design: &EntityDesign) -> Vec<Index> {
    let kinds = design.row_kinds();
    let Some(primary) = kinds.iter().find(|kind| kind.origin == Origin::Primary) else { return Vec::new() };
    let inputs = input.words.indexes.iter().enumerate();
    inputs.filter_map(|(number, index)| one(input, design, primary, &kinds, number, index)).collect()
}

fn one(
    input: &EntityInput,
    design: &EntityDesign,
    primary: &RowKind,
    kinds: &[RowKind],
    number: usize,
    index: &IndexInput,
) -> Option<Index> {
    let kind = kinds.iter().find(|kind| kind.origin == Origin::Index(number))?;
    let designed = design.indexes.get(number)?;
    let (partition, row) = keys(design, kind.partition.clone(), kind.row.clone())?;
    let place = |name: &str| design.fields.iter().position(|field| field.name == name);
    let copied = design.copied_fields(designed, kind);
    let name = index.name.clone()?;
    let span = index.row.value().map_or_else(|| name.span(), Spanned::span);
    let is_key = |field: &&usize| holds(&[&partition, &row], **field);
    let keys_of_entity: Vec<usize> =
        primary.partition.holes().chain(primary.row.holes()).filter_map(|hole| place(&hole.field)).collect();
    let own = copied.iter().filter(|field| design.stored_fields().all(|stored| stored.name != field.name));
    Some(Index {
        rows: format_ident!("{}_rows", index.name(), span = span),
        is_point: designed.unique || keys_of_entity.iter().filter(is_key).count() == keys_of_entity.len(),
        name: spanned_at(name, span),
        table: kind.table.text().to_owned(),
        near: kind.is_near(primary),
        unique: designed.unique,
        copy: match &designed.copy {
            CopiedFields::All => None,
            CopiedFields::Only(_) => Some(companion(input, &index.name())),
        },
        copied: copied.iter().filter_map(|field| place(&field.name)).collect(),
        own: own.filter_map(|field| place(&field.name)).collect(),
        when: index.when.value().map(|path| when(design, path)),
        lookup: None,
        partition,
        row,
    })
}

/// Returns the identifier, including `r#`, with another span.
pub(super) fn spanned_at(mut name: Ident, span: proc_macro2::Span) -> Ident {
    name.set_span(span);
    name
}

/// Returns `true` if one of the keys contains a field.
fn holds(keys: &[&Key], field: usize) -> bool {
    keys.iter().flat_map(|key| &key.holes).any(|hole| hole.field == Some(field))
}

/// Returns the type name, such as `EmployeeByBadge`.
fn companion(input: &EntityInput, index: &str) -> Ident {
    use heck::ToUpperCamelCase;
    format_ident!("{}{}", input.ident, index.to_upper_camel_case(), span = input.ident.span())
}

/// Resolves a condition: a single segment is a field or a method of the entity, a longer path is a function.
pub(super) fn when(design: &EntityDesign, path: &Path) -> When {
    let Some(word) = path.get_ident() else { return When::Function(path.clone()) };
    match design.fields.iter().position(|field| *word == field.name) {
        Some(field) => When::Field(field),
        None => When::Method(word.clone()),
    }
}

//! What a row is, by the design.

use std::ops::Range;

use table_designs::schema::{RecognizedRow, TableKinds};
use table_model::Properties;
use table_patterns::LibraryRow;
use table_schema::{
    design::{EntityDesign, LookupDesign, Origin},
    key::KeyKind,
    template::Template,
};

use super::{Design, entity_type};

/// Number of colors of fields.
const COLORS: usize = 6;

/// The kind of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KindOfRow {
    pub(crate) sort: Sort,
    /// The name that distinguishes it from other kinds: `Employee`, `Employee.by_name`, `commit record`.
    pub(crate) label: String,
    /// The fields in both keys: a color, and the bytes.
    pub(crate) fields: [Vec<(usize, Range<usize>)>; 2],
}

/// What a row is for, with the number of its entity in the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Entity(usize),
    Index(usize),
    List(usize),
    Member(usize),
    Library(LibraryRow),
    /// A row that no template of the design parses.
    Foreign,
}

impl Sort {
    /// Returns the number of the entity.
    pub(crate) const fn entity(self) -> Option<usize> {
        match self {
            Self::Entity(entity) | Self::Index(entity) | Self::List(entity) | Self::Member(entity) => {
                Some(entity)
            }
            Self::Library(_) | Self::Foreign => None,
        }
    }

    /// Returns the style of its mark.
    pub(crate) const fn style(self) -> &'static str {
        match self {
            Self::Entity(_) => "kind",
            Self::Library(LibraryRow::CommitRecord | LibraryRow::Reservation | LibraryRow::Placeholder) => {
                "kind pending"
            }
            _ => "kind index",
        }
    }
}

impl Design {
    /// Returns the kind of a row.
    pub(crate) fn kind(&self, table: &str, keys: (&str, &str), properties: &Properties) -> KindOfRow {
        self.kind_in(self.in_table(table).as_ref(), keys, properties)
    }

    /// Returns the kind of a row of a table.
    pub(crate) fn kind_in(
        &self,
        kinds: Option<&TableKinds<'_>>,
        (partition, key): (&str, &str),
        properties: &Properties,
    ) -> KindOfRow {
        let library = LibraryRow::of(key, properties);
        let found = kinds.and_then(|kinds| kinds.recognize(partition, key, entity_type(properties)));
        let entity = found.as_ref().and_then(|found| self.schema.entities.get(found.entity));
        if let Some(library) = library {
            return KindOfRow::without_fields(Sort::Library(library), library.to_string());
        }
        let Some((found, entity)) = found.zip(entity) else {
            return KindOfRow::without_fields(Sort::Foreign, "not of this design".to_owned());
        };
        let (sort, label) = named(entity, &found);
        let colors = |template: &Template, kind: KeyKind, key: &str| {
            let spans = template.form(kind).spans(key).fields.into_iter();
            spans.map(|(field, span)| (color(entity, field), span)).collect()
        };
        let fields =
            [colors(found.partition, KeyKind::Partition, partition), colors(found.row, KeyKind::Row, key)];
        KindOfRow { sort, label, fields }
    }
}

impl KindOfRow {
    const fn without_fields(sort: Sort, label: String) -> Self {
        Self { sort, label, fields: [Vec::new(), Vec::new()] }
    }
}

/// Returns the sort of a recognized row, and its name.
fn named(entity: &EntityDesign, found: &RecognizedRow<'_>) -> (Sort, String) {
    let number = found.entity;
    match found.origin {
        Origin::Primary => (Sort::Entity(number), entity.name.clone()),
        Origin::Index(index) => {
            let name = entity.indexes.get(index).map_or("", |index| &index.name);
            (Sort::Index(number), format!("{}.{name}", entity.name))
        }
        Origin::Lookup(lookup) => {
            let is_member = entity.member_row(lookup).is_some_and(|member| member.text() == found.row.text());
            let name = entity.lookups.get(lookup).map_or("", |lookup: &LookupDesign| &lookup.name);
            let label = format!("{}.{name}", entity.name);
            if is_member { (Sort::Member(number), label + " member") } else { (Sort::List(number), label) }
        }
    }
}

/// Returns the color of a field: that of its position among the fields of all keys of the entity.
pub(crate) fn color(entity: &EntityDesign, field: &str) -> usize {
    let kinds = entity.row_kinds();
    let mut names: Vec<&str> = Vec::new();
    for hole in kinds.iter().flat_map(|kind| kind.partition.holes().chain(kind.row.holes())) {
        if !names.contains(&hole.field.as_str()) {
            names.push(&hole.field);
        }
    }
    names.iter().position(|name| *name == field).unwrap_or(0) % COLORS
}

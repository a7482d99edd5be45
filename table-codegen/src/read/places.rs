//! Mapping of locations in a design to locations in the file.

use table_schema::design::{EntityDesign, Place, Which};

use super::tree::{Entry, Kind, Table};
use crate::source::Spot;

/// An entity and the table that declares it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told<'t> {
    pub(super) design: &'t EntityDesign,
    pub(super) entry: &'t Entry,
    pub(super) table: &'t Table,
}

impl<'t> Told<'t> {
    /// Returns the file location of a design location. Defaults to the name of the entity if the file contains no
    /// corresponding text.
    pub(super) fn spot(&self, place: &Place) -> Spot {
        self.found(place).unwrap_or_else(|| self.entry.key.clone())
    }

    fn found(&self, place: &Place) -> Option<Spot> {
        Some(match place {
            // A file declares contributions on the target.
            Place::Entity | Place::Contribution(_) | Place::ContributionWord(..) => return None,
            Place::Word("archive") => {
                let archive = self.table.get("archive")?;
                archive.table().and_then(|table| table.get("to")).unwrap_or(archive).value.inner()
            }
            Place::Word(word) => self.table.get(word)?.value.inner(),
            Place::Template { which, range } => self.template(*which)?.value.part(range),
            Place::Index(number) => self.index(*number)?.key.clone(),
            Place::IndexWord(number, word) => word_of(self.index(*number)?, word)?,
            Place::IndexCopy(number, item) => item_of(self.index(*number)?, "copy", *item)?,
            Place::Lookup(number) => self.lookup(*number)?.key.clone(),
            Place::LookupWord(number, word) => word_of(self.lookup(*number)?, word)?,
            Place::LookupOn(number, item) => item_of(self.lookup(*number)?, "on", *item)?,
            Place::Total(number) => self.kept("total", &self.design.totals.get(*number)?.name)?,
            Place::Embed(number) => self.kept("embed", &self.design.embeds.get(*number)?.name)?,
            Place::Field(number) => self.field(*number)?.key.clone(),
            Place::FieldType(number) => {
                let field = self.field(*number)?;
                field.table().and_then(|table| table.get("type")).unwrap_or(field).value.inner()
            }
            Place::FieldWord(number, word) => {
                let word = if *word == "inline" { "blob" } else { word };
                match self.field_word(*number, word) {
                    Some(entry) => entry.value.inner(),
                    None => self.field(*number)?.key.clone(),
                }
            }
        })
    }

    /// Returns the entry whose value is a template.
    fn template(&self, which: Which) -> Option<&'t Entry> {
        match which {
            Which::Table => self.table.get("table"),
            Which::Partition => self.table.get("partition"),
            Which::Row => self.table.get("row"),
            Which::IndexTable(number) => self.index(number)?.table()?.get("table"),
            Which::IndexPartition(number) => self.index(number)?.table()?.get("partition"),
            Which::IndexRow(number) => self.index(number)?.table()?.get("row"),
            Which::LookupTable(number) => self.lookup(number)?.table()?.get("table"),
            Which::LookupPartition(number) => self.lookup(number)?.table()?.get("partition"),
            Which::LookupRow(number) => self.lookup(number)?.table()?.get("row"),
        }
    }

    /// Returns the name of a template: `row`, `index.by_email.row`.
    pub(super) fn name_of(&self, which: Which) -> String {
        let of_index = |number: usize, word: &str| {
            format!("index.{}.{word}", self.design.indexes.get(number).map_or("", |index| &index.name))
        };
        let of_lookup = |number: usize, word: &str| {
            format!("lookup.{}.{word}", self.design.lookups.get(number).map_or("", |lookup| &lookup.name))
        };
        match which {
            Which::Table => "table".to_owned(),
            Which::Partition => "partition".to_owned(),
            Which::Row => "row".to_owned(),
            Which::IndexTable(number) => of_index(number, "table"),
            Which::IndexPartition(number) => of_index(number, "partition"),
            Which::IndexRow(number) => of_index(number, "row"),
            Which::LookupTable(number) => of_lookup(number, "table"),
            Which::LookupPartition(number) => of_lookup(number, "partition"),
            Which::LookupRow(number) => of_lookup(number, "row"),
        }
    }

    /// Returns the field at a location in a template or a list.
    pub(super) fn field_at(&self, place: &Place) -> Option<usize> {
        let name = match place {
            Place::Template { which, range } => {
                let template = self.design.template_text(*which)?.template()?;
                let at = template.segments().iter().find(|segment| segment.span == *range)?;
                &at.hole()?.field
            }
            Place::LookupOn(number, item) => self.design.lookups.get(*number)?.on.get(*item)?,
            _ => return None,
        };
        self.design.fields.iter().position(|field| field.name == *name)
    }

    /// Returns an attribute of a field that is declared by a table.
    pub(super) fn field_word(&self, number: usize, word: &str) -> Option<&'t Entry> {
        self.field(number)?.table()?.get(word)
    }

    /// Returns the type name of a field: `string`, `u32`.
    pub(super) fn type_word(&self, number: usize) -> Option<&'t str> {
        let field = self.field(number)?;
        let value = &field.table().and_then(|table| table.get("type")).unwrap_or(field).value;
        let Kind::Text { text, .. } = &value.kind else { return None };
        text.split(['(', '?']).next().map(str::trim)
    }

    fn index(&self, number: usize) -> Option<&'t Entry> {
        self.table.find(&["index", &self.design.indexes.get(number)?.name])
    }

    fn lookup(&self, number: usize) -> Option<&'t Entry> {
        self.table.find(&["lookup", &self.design.lookups.get(number)?.name])
    }

    /// Returns the location of an aggregate or of copied fields.
    fn kept(&self, kind: &str, name: &str) -> Option<Spot> {
        Some(self.table.find(&[kind, name])?.key.clone())
    }

    fn field(&self, number: usize) -> Option<&'t Entry> {
        self.table.find(&["fields", &self.design.fields.get(number)?.name])
    }
}

/// Returns the location of an attribute of an index or a lookup.
fn word_of(entry: &Entry, word: &str) -> Option<Spot> {
    Some(entry.table()?.get(word)?.value.inner())
}

/// Returns the location of a list item, or of the string that replaces a list.
pub(super) fn item_of(entry: &Entry, name: &str, item: usize) -> Option<Spot> {
    let value = &entry.table()?.get(name)?.value;
    match &value.kind {
        Kind::List(values) => values.get(item).map(super::tree::Value::inner),
        _ => Some(value.inner()),
    }
}

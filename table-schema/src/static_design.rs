//! The design of an entity as plain data in a constant: what generated code keeps, for the runtime and for tools.
//!
//! Nothing is parsed at run time: templates stand as their parts.
//!
//! ```
//! use table_schema::{
//!     key::KeyKind,
//!     static_design::{Design, TypedField, Property, Template},
//!     template::{KeyForm, Part, Shape},
//! };
//!
//! static EMPLOYEE: Design = Design {
//!     name: "Employee",
//!     table: "Employees",
//!     tables: None,
//!     shard: None,
//!     partition: Template {
//!         text: "{department}",
//!         form: KeyForm::new(
//!             KeyKind::Partition,
//!             &[Part::Hole { field: "department", shape: Shape::Text, exact: true }],
//!         ),
//!     },
//!     row: Template {
//!         text: "empid_{id:06}",
//!         form: KeyForm::new(
//!             KeyKind::Row,
//!             &[Part::Literal("empid_"), Part::Hole { field: "id", shape: Shape::Padded(6), exact: true }],
//!         ),
//!     },
//!     entity_type: Some("Employee"),
//!     aliases: &[],
//!     older: None,
//!     properties: &[Property { field: "age", name: "Age", slots: &[], rust_type: "i32" }],
//!     encrypted: &[],
//!     blobs: &[],
//!     wide: None,
//!     indexes: &[],
//!     key: &[
//!         TypedField { field: "department", rust_type: "String" },
//!         TypedField { field: "id", rust_type: "u32" },
//!     ],
//!     fed: &[],
//!     feeds: &[],
//! };
//!
//! assert!(EMPLOYEE.row.form.decode("empid_000223").is_ok());
//! assert!(EMPLOYEE.reads("Employee"));
//! assert!(EMPLOYEE.to_string().contains("RowKey        empid_{id:06}"));
//! ```

mod collision;
mod feed;

pub use collision::Collision;
pub use feed::{Aggregate, Feed, Total, TypedField};

use std::fmt;

use crate::template::KeyForm;

/// How an entity is kept: its table, its key templates, its properties. Its `Display` is a small table.
#[derive(Debug)]
pub struct Design {
    /// The type's name.
    pub name: &'static str,
    /// The table's name; of a table for each period, the template of their names.
    pub table: &'static str,
    /// That template, where it has holes.
    pub tables: Option<Template>,
    /// What `{shard}` is made of, where a key has it.
    pub shard: Option<Shard>,
    /// The PartitionKey.
    pub partition: Template,
    /// The RowKey.
    pub row: Template,
    /// What is written as `EntityType`; none under `#[table(entity_type = none)]`.
    pub entity_type: Option<&'static str>,
    /// Other `EntityType`s that are read as this entity.
    pub aliases: &'static [&'static str],
    /// The version before, whose rows are read through its own struct.
    pub older: Option<&'static Design>,
    /// The stored properties, in the order of the fields.
    pub properties: &'static [Property],
    /// The names of those that are sealed before they are stored.
    pub encrypted: &'static [&'static str],
    /// Those whose values can be in blobs beside the row.
    pub blobs: &'static [BlobProperty],
    /// The most properties of these in one row, where the entity is split over several.
    pub wide: Option<usize>,
    /// Rows that are kept beside the entity's own, under other keys.
    pub indexes: &'static [Index],
    /// The fields of its key, in the order of the templates.
    pub key: &'static [TypedField],
    /// The properties that other entities keep: no write of its own sets them. Of a copy of several, which is one field
    /// here, the name that theirs begin with.
    pub fed: &'static [&'static str],
    /// What it keeps in rows of other types.
    pub feeds: &'static [Feed],
}

/// A property whose value can be in a blob beside the row.
#[derive(Debug)]
pub struct BlobProperty {
    /// Its stored name.
    pub name: &'static str,
    /// The most bytes that are kept in the property itself.
    pub inline: usize,
}

/// Rows derived from an entity: one for each entity that the index takes in, under another key.
#[derive(Debug)]
pub struct Index {
    /// Its name, which is that of its function.
    pub name: &'static str,
    /// The table's name.
    pub table: &'static str,
    /// The PartitionKey.
    pub partition: Template,
    /// The RowKey.
    pub row: Template,
    /// Whether its rows are in the entity's partition, and so written in the entity's own transaction.
    pub near: bool,
    /// Whether no two entities may have the same key here.
    pub unique: bool,
    /// Whether its rows hold all that the entity holds.
    pub whole: bool,
    /// The stored names of what its rows hold: of each field one, of a series one for each slot. What their key gives
    /// back is not stored again.
    pub properties: &'static [&'static [&'static str]],
    /// What makes it a lookup.
    pub lookup: Option<Lookup>,
}

/// An index whose rows are lists: of the entities that have the same values. [`Index::row`] is the row of one member.
#[derive(Debug)]
pub struct Lookup {
    /// What the RowKeys of one list begin with: the list's RowKey, and the `!` that a member's RowKey follows.
    pub list: Template,
    /// The property of the list's own row that holds its members; none where each member has a row. In the entity's
    /// partition it holds their RowKeys, elsewhere both keys.
    pub ids: Option<&'static str>,
    /// Whether the lists are blobs: [`Index::table`] in lower case is their container, [`Index::partition`] is what their
    /// names are made of.
    pub in_blobs: bool,
}

impl Index {
    /// The property that holds the members of a list, where a list is one row.
    pub fn ids(&self) -> Option<&'static str> {
        self.lookup.as_ref()?.ids
    }

    /// Whether its rows are lists, or members of lists, outside of the entity's partition.
    pub const fn is_far_lookup(&self) -> bool {
        !self.near && self.lookup.is_some()
    }

    /// Whether its lists are blobs.
    pub const fn in_blobs(&self) -> bool {
        matches!(self.lookup, Some(Lookup { in_blobs: true, .. }))
    }

    /// The stored names of what its rows hold.
    pub fn property_names(&self) -> impl Iterator<Item = &'static str> {
        self.properties.iter().copied().flatten().copied()
    }

    /// Whether its rows are reserved before an entity's transaction: where no two entities may have the same key, and no
    /// transaction reaches.
    pub const fn is_reserved(&self) -> bool {
        self.unique && !self.near
    }

    /// Whether its rows hold a property.
    pub fn holds(&self, property: &str) -> bool {
        self.property_names().any(|name| name == property)
    }
}

/// A key template.
#[derive(Debug)]
pub struct Template {
    /// As it was written.
    pub text: &'static str,
    /// Its parts.
    pub form: KeyForm<'static>,
}

/// A hash that spreads keys over partitions: CRC32C of the field's text as it stands in the key, modulo the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The field.
    pub of: &'static str,
    /// How many shards. It belongs to the design: with another count, rows are looked for where they are not.
    pub count: u32,
}

/// A stored property.
#[derive(Debug)]
pub struct Property {
    /// The field.
    pub field: &'static str,
    /// The property's name; of a series what its slots' names begin with, of a copy of several properties what theirs do.
    pub name: &'static str,
    /// The names of a series' slots, each a property, or of what is copied from another entity: first the property that
    /// says from which. None of another field.
    pub slots: &'static [&'static str],
    /// The field's type, as it was written.
    pub rust_type: &'static str,
}

impl Design {
    /// Whether a row of this `EntityType` is read as this entity.
    pub fn reads(&self, entity_type: &str) -> bool {
        self.entity_types().any(|known| known == entity_type)
    }

    /// All `EntityType`s that are read as this entity: its own, its aliases, and those of the versions before.
    pub fn entity_types(&self) -> impl Iterator<Item = &'static str> {
        std::iter::successors(Some(self), |design| design.older)
            .flat_map(|design| design.entity_type.iter().chain(design.aliases).copied())
    }

    /// The version that wrote a row of this `EntityType`: this one, if none before did.
    pub fn written_by(&'static self, entity_type: Option<&str>) -> &'static Self {
        let wrote = |design: &&Self| {
            let mut names = design.entity_type.iter().chain(design.aliases);
            names.any(|name| Some(*name) == entity_type)
        };
        std::iter::successors(Some(self), |design| design.older).find(wrote).unwrap_or(self)
    }

    /// The index of this name, with its place in [`indexes`](Self::indexes).
    pub fn index(&self, name: &str) -> Option<(usize, &'static Index)> {
        self.indexes.iter().enumerate().find(|(_, index)| index.name == name)
    }

    /// The feed of this name.
    pub fn feed(&self, name: &str) -> Option<&'static Feed> {
        self.feeds.iter().find(|feed| feed.name == name)
    }

    /// Whether a write of an entity is more than its own row: rows are made of it, or others keep values in it.
    pub const fn has_rules(&self) -> bool {
        !self.indexes.is_empty() || !self.feeds.is_empty() || !self.fed.is_empty()
    }

    /// Returns whether a row can name blobs: this version of the type has blob fields, or an older version had.
    pub const fn has_blobs(&self) -> bool {
        let mut design = self;
        loop {
            match design.older {
                _ if !design.blobs.is_empty() => return true,
                Some(older) => design = older,
                None => return false,
            }
        }
    }

    /// How many properties a row has, `EntityType` not counted: of a series one for each slot.
    pub const fn property_count(&self) -> usize {
        let (mut count, mut rest) = (0, self.properties);
        while let [property, after @ ..] = rest {
            count += if property.slots.is_empty() { 1 } else { property.slots.len() };
            rest = after;
        }
        count
    }

    /// The names of all properties that its rows can have, `EntityType` not among them, in the order of declaration.
    pub fn stored_names(&self) -> impl Iterator<Item = &'static str> {
        self.properties.iter().flat_map(Property::names).copied()
    }

    /// The names of all properties that other entities keep.
    pub fn fed_names(&self) -> impl Iterator<Item = &'static str> {
        let fed = self.properties.iter().filter(|property| self.is_fed(property.name));
        fed.flat_map(Property::names).copied()
    }

    /// Whether the entity's own rows have a property of this name.
    pub fn stores(&self, property: &str) -> bool {
        self.stored_names().any(|name| name == property)
    }

    /// Whether all rows of given partition fields are in one partition of one table.
    pub const fn is_in_one_place(&self) -> bool {
        self.tables.is_none() && self.shard.is_none()
    }

    /// The property in which a field is stored.
    pub fn property_of(&self, field: &str) -> Option<&'static Property> {
        self.properties.iter().find(|property| property.field == field)
    }
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [("Table", self.table), ("PartitionKey", self.partition.text), ("RowKey", self.row.text)];
        let properties: Vec<String> = self.properties.iter().map(Property::shown).collect();
        let width = properties.iter().map(String::len).chain([12]).max().unwrap_or(12);
        writeln!(f, "{}", self.name)?;
        for (name, text) in rows {
            writeln!(f, "  {name:width$}  {text}")?;
        }
        if let Some(entity_type) = self.entity_type {
            writeln!(f, "  {:width$}  {entity_type}", "EntityType")?;
        }
        if let Some(Shard { of, count }) = self.shard {
            writeln!(f, "  {:width$}  {of}, modulo {count}", "Shard")?;
        }
        if let Some(most) = self.wide {
            writeln!(f, "  {:width$}  {most} properties in a row", "Wide")?;
        }
        for (name, property) in properties.iter().zip(self.properties) {
            let sealed = if self.encrypted.contains(&property.name) { ", encrypted" } else { "" };
            let fed = if self.fed.contains(&property.name) { ", from its sources" } else { "" };
            writeln!(f, "  {name:width$}  {}{sealed}{fed}", property.rust_type)?;
        }
        for index in self.indexes {
            let Index { name, table, partition, row, .. } = index;
            let (partition, row) = (partition.text, row.text);
            if let Some(lookup) = &index.lookup {
                let list = lookup.list.text;
                let kept =
                    lookup.ids.map_or_else(|| row.to_owned(), |ids| format!("{list}, members in {ids}"));
                match (index.near, lookup.in_blobs) {
                    (_, true) => writeln!(f, "  {name:width$}  blobs {name}/{partition}.jsonl")?,
                    (true, _) => writeln!(f, "  {name:width$}  {kept}")?,
                    (false, _) => writeln!(f, "  {name:width$}  table {table}, {partition} / {kept}")?,
                }
            } else if index.near {
                writeln!(f, "  {name:width$}  {row}")?;
            } else {
                writeln!(f, "  {name:width$}  table {table}, {partition} / {row}")?;
            }
        }
        for Feed { name, totals, .. } in self.feeds {
            for Total { field, by, of } in *totals {
                let kept = format!("{}{}{}", by.word(), of.map_or("", |_| " of "), of.unwrap_or_default());
                writeln!(f, "  {kept:width$}  in {name}, {field}")?;
            }
        }
        Ok(())
    }
}

impl Property {
    /// The names that it is stored under.
    pub const fn names(&self) -> &[&'static str] {
        if self.slots.is_empty() { std::slice::from_ref(&self.name) } else { self.slots }
    }

    /// Its name, or its first and last; of a copy without the one that says where it is from.
    fn shown(&self) -> String {
        let slots = match self.slots {
            [first, copied @ ..] if first.starts_with('_') => copied,
            slots => slots,
        };
        match slots {
            [] => self.name.to_owned(),
            [only] => (*only).to_owned(),
            [first, .., last] => format!("{first}..{last}"),
        }
    }
}

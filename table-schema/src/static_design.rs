//! The layout of an entity as plain const data, which generated code stores for the runtime and for tools, with the
//! declaration that it was computed from.
//!
//! Nothing is parsed at run time: templates are stored as parts.
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
//!     partition: Template {
//!         text: "{department}",
//!         form: KeyForm::new(
//!             KeyKind::Partition,
//!             &[Part::Field { field: "department", shape: Shape::Text, exact: true }],
//!         ),
//!     },
//!     row: Template {
//!         text: "empid_{id:06}",
//!         form: KeyForm::new(
//!             KeyKind::Row,
//!             &[Part::Literal("empid_"), Part::Field { field: "id", shape: Shape::Padded(6), exact: true }],
//!         ),
//!     },
//!     entity_type: Some("Employee"),
//!     properties: &[Property { field: "age", name: "Age", slots: &[], rust_type: "i32" }],
//!     key: &[
//!         TypedField { field: "department", rust_type: "String" },
//!         TypedField { field: "id", rust_type: "u32" },
//!     ],
//!     ..Design::EMPTY
//! };
//!
//! assert!(EMPLOYEE.row.form.decode("empid_000223").is_ok());
//! assert!(EMPLOYEE.reads("Employee"));
//! assert!(EMPLOYEE.to_string().contains("RowKey        empid_{id:06}"));
//! ```

mod collision;
mod declaration;
mod feed;
mod layout;
mod nested;
mod property;
mod stamps;
mod unchanged;
mod value_kind;
mod version;

pub use collision::Collision;
pub use declaration::Declaration;
pub use feed::{Aggregate, Contribution, Total, TypedField};
pub use nested::NestedProperty;
pub use property::Property;
pub use unchanged::is_plain;
pub use value_kind::{StoredType, ValueKind};
pub use version::version_in;

use std::fmt;

use crate::{role::Role, template::KeyForm};

/// The storage layout of an entity: its table, its key templates, its properties. The `Display` output is a small
/// table.
#[derive(Debug)]
pub struct Design {
    /// The type name.
    pub name: &'static str,
    /// The declaration that the layout was computed from; see [`declared`](Self::declared).
    pub declaration: Declaration,
    /// The name in commit records and other stored rows, if it is not the type name. See
    /// [`stored_name`](Self::stored_name).
    pub stored_as: Option<&'static str>,
    /// The table name, or the template of per-period table names.
    pub table: &'static str,
    /// The parsed template of the table name, if it has template fields.
    pub tables: Option<Template>,
    /// The source of the template field `{shard}`, if a key contains it.
    pub shard: Option<Shard>,
    /// The template of the `PartitionKey`.
    pub partition: Template,
    /// The template of the `RowKey`.
    pub row: Template,
    /// The `EntityType` value. `None` for `#[table(entity_type = none)]`.
    pub entity_type: Option<&'static str>,
    /// Other `EntityType` values that are read as this entity.
    pub aliases: &'static [&'static str],
    /// The previous version, whose rows are read through a separate struct.
    pub older: Option<&'static Design>,
    /// `true` if the type declares a version. Its writes by key then never change a row of another version.
    pub versioned: bool,
    /// Properties with another name than in the previous version: the stored name and the previous one.
    pub renamed: &'static [(&'static str, &'static str)],
    /// Properties whose stored value is not the value of the field: they have a default, or are stored as JSON.
    pub indirect: &'static [&'static str],
    /// The stored properties, in field order.
    pub properties: &'static [Property],
    /// The names of the properties that are encrypted before they are stored.
    pub encrypted: &'static [&'static str],
    /// The names of the properties whose absence means a default value.
    pub defaults: &'static [&'static str],
    /// The properties whose values can be stored in blobs alongside the row.
    pub blobs: &'static [BlobProperty],
    /// The maximum number of these properties per row, if the entity is split over several rows.
    pub wide: Option<usize>,
    /// The indexes: rows derived from the entity under other keys.
    pub indexes: &'static [Index],
    /// The key fields, in template order.
    pub key: &'static [TypedField],
    /// The properties that other entities maintain. Writes of this entity do not set them. For fields copied from
    /// another entity, which are a single field here, this is the common name prefix.
    pub fed: &'static [&'static str],
    /// The contributions to rows of other types.
    pub feeds: &'static [Contribution],
    /// The change feed, if the entity has one.
    pub changes: Option<Changes>,
    /// The table to which entities are moved under their keys, if the entity has an archive.
    pub archive: Option<&'static str>,
    /// The property with the time of the insert, which the library sets.
    pub created: Option<&'static str>,
    /// The property with the time of the last write, which the library sets.
    pub updated: Option<&'static str>,
    /// The properties of fields with a role.
    pub roles: &'static [(Role, &'static str)],
}

/// A change feed: a record of each change of an entity, in the partition of the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The retention period of the records in seconds.
    pub keep: u64,
    /// `true` if the records contain the previous state as well.
    pub old: bool,
}

/// A property whose value can be stored in a blob alongside the row.
#[derive(Debug)]
pub struct BlobProperty {
    /// The stored name.
    pub name: &'static str,
    /// The maximum number of bytes stored in the property itself.
    pub inline: usize,
}

/// An index: rows derived from an entity under another key, one for each entity that the index contains.
#[derive(Debug)]
pub struct Index {
    /// The name, which is also the name of its function.
    pub name: &'static str,
    /// The table name.
    pub table: &'static str,
    /// The template of the `PartitionKey`.
    pub partition: Template,
    /// The template of the `RowKey`.
    pub row: Template,
    /// `true` if its rows are in the partition of the entity and are written in the same transaction.
    pub near: bool,
    /// `true` if two entities must not have the same key in this index.
    pub unique: bool,
    /// `true` if its rows contain all fields of the entity.
    pub whole: bool,
    /// The stored property names of its rows: one per field, and one per slot of a series. Fields that can be decoded
    /// from the key are not stored.
    pub properties: &'static [&'static [&'static str]],
    /// The lookup data, if the index is a lookup.
    pub lookup: Option<Lookup>,
}

/// An index whose rows are lists of the entities with the same values. [`Index::row`] is the row of one member.
#[derive(Debug)]
pub struct Lookup {
    /// The prefix of the row keys of one list: the `RowKey` of the list and the `!` that precedes the `RowKey` of a
    /// member.
    pub list: Template,
    /// The property of the list row that contains the members. `None` if each member has a row. In the partition of the
    /// entity it contains their row keys, elsewhere both keys.
    pub ids: Option<&'static str>,
    /// `true` if the lists are blobs: [`Index::table`] in lower case is the container, and [`Index::partition`] is the
    /// template of the blob names.
    pub in_blobs: bool,
}

impl Index {
    /// Returns the property that contains the members of a list, if a list is a single row.
    pub fn ids(&self) -> Option<&'static str> {
        self.lookup.as_ref()?.ids
    }

    /// Returns whether its rows are lists, or members of lists, outside the partition of the entity.
    pub const fn is_far_lookup(&self) -> bool {
        !self.near && self.lookup.is_some()
    }

    /// Returns whether its lists are blobs.
    pub const fn in_blobs(&self) -> bool {
        matches!(self.lookup, Some(Lookup { in_blobs: true, .. }))
    }

    /// Returns the stored property names of its rows.
    pub fn property_names(&self) -> impl Iterator<Item = &'static str> {
        self.properties.iter().copied().flatten().copied()
    }

    /// Returns whether its rows are reserved before the transaction of an entity: the index is unique and in other
    /// partitions, which the transaction does not include.
    pub const fn is_reserved(&self) -> bool {
        self.unique && !self.near
    }

    /// Returns whether its rows contain a property.
    pub fn holds(&self, property: &str) -> bool {
        self.property_names().any(|name| name == property)
    }
}

/// A key template.
#[derive(Debug)]
pub struct Template {
    /// The text as written.
    pub text: &'static str,
    /// The parsed template.
    pub form: KeyForm<'static>,
}

/// A hash that distributes keys over partitions: CRC32C of the key text of the field, modulo the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The name of the field.
    pub of: &'static str,
    /// The number of shards. It is part of the design: after a change of the count, existing rows are not found.
    pub count: u32,
}

impl Design {
    /// A design without name, keys, properties and patterns: the base of a literal, which specifies only what differs.
    pub const EMPTY: Self = Self {
        name: "",
        declaration: Declaration::InCode(|_| ()),
        stored_as: None,
        table: "",
        tables: None,
        shard: None,
        partition: Template { text: "", form: KeyForm::EMPTY },
        row: Template { text: "", form: KeyForm::EMPTY },
        entity_type: None,
        aliases: &[],
        older: None,
        versioned: false,
        renamed: &[],
        indirect: &[],
        properties: &[],
        encrypted: &[],
        defaults: &[],
        blobs: &[],
        wide: None,
        indexes: &[],
        key: &[],
        fed: &[],
        feeds: &[],
        changes: None,
        archive: None,
        created: None,
        updated: None,
        roles: &[],
    };

    /// Returns the name in commit records, contributions and the registry: the `EntityType` without its version, or
    /// the type name if the design stores no `EntityType`. A type can be renamed in Rust while its `entity_type` remains.
    pub const fn stored_name(&self) -> &'static str {
        match self.stored_as {
            Some(name) => name,
            None => self.name,
        }
    }

    /// Returns whether a row with this `EntityType` is read as this entity.
    pub fn reads(&self, entity_type: &str) -> bool {
        self.entity_types().any(|known| known == entity_type)
    }

    /// Returns all `EntityType` values that are read as this entity: the current value, the aliases, and the values of
    /// previous versions.
    pub fn entity_types(&self) -> impl Iterator<Item = &'static str> {
        std::iter::successors(Some(self), |design| design.older)
            .flat_map(|design| design.entity_type.iter().chain(design.aliases).copied())
    }

    /// Returns the property with a role.
    pub fn role(&self, role: Role) -> Option<&'static str> {
        self.roles.iter().find(|(one, _)| *one == role).map(|(_, property)| *property)
    }

    /// Returns the properties with a role: of this version and of previous versions.
    pub fn role_in_versions(&self, role: Role) -> impl Iterator<Item = &'static str> + use<> {
        let versions = std::iter::successors(self.older, |design| design.older);
        let mut names: Vec<&'static str> = self.role(role).into_iter().collect();
        for name in versions.filter_map(|design| design.role(role)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter()
    }

    /// Returns the version that wrote a row with this `EntityType`. Defaults to the current version.
    pub fn written_by(&'static self, entity_type: Option<&str>) -> &'static Self {
        let wrote = |design: &&Self| {
            let mut names = design.entity_type.iter().chain(design.aliases);
            names.any(|name| Some(*name) == entity_type)
        };
        std::iter::successors(Some(self), |design| design.older).find(wrote).unwrap_or(self)
    }

    /// Returns the index with this name and its position in [`indexes`](Self::indexes).
    pub fn index(&self, name: &str) -> Option<(usize, &'static Index)> {
        self.indexes.iter().enumerate().find(|(_, index)| index.name == name)
    }

    /// Returns the contribution with this name.
    pub fn feed(&self, name: &str) -> Option<&'static Contribution> {
        self.feeds.iter().find(|feed| feed.name == name)
    }

    /// Returns whether a write of an entity involves more than its own row: rows or values of other entities are derived
    /// from it, other entities maintain values in it, or its changes are recorded. Such a write reads the entity first,
    /// and commits all its rows together. Blobs are separate: [`has_blobs`](Self::has_blobs).
    pub const fn has_rules(&self) -> bool {
        !self.indexes.is_empty() || !self.feeds.is_empty() || !self.fed.is_empty() || self.changes.is_some()
    }

    /// Returns whether a row can reference blobs: this version of the type or an older version has blob fields.
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

    /// Returns the number of properties of a row without `EntityType`. A series has one property per slot.
    pub const fn property_count(&self) -> usize {
        let (mut count, mut rest) = (0, self.properties);
        while let [property, after @ ..] = rest {
            count += if property.slots.is_empty() { 1 } else { property.slots.len() };
            rest = after;
        }
        count
    }

    /// Returns the names of all properties that its rows can have, except `EntityType`, in declaration order.
    pub fn stored_names(&self) -> impl Iterator<Item = &'static str> {
        self.properties.iter().flat_map(Property::names).copied()
    }

    /// Returns the names of all properties that other entities maintain.
    pub fn fed_names(&self) -> impl Iterator<Item = &'static str> {
        let fed = self.properties.iter().filter(|property| self.is_fed(property.name));
        fed.flat_map(Property::names).copied()
    }

    /// Returns whether the rows of the entity have a property with this name.
    pub fn stores(&self, property: &str) -> bool {
        self.stored_names().any(|name| name == property)
    }

    /// Returns whether all rows with the same partition fields are in one partition of one table.
    pub const fn is_in_one_place(&self) -> bool {
        self.tables.is_none() && self.shard.is_none()
    }

    /// Returns the type of a field of the key, or of a stored field, as written.
    pub fn rust_type_of(&self, field: &str) -> Option<&'static str> {
        let key = self.key.iter().find(|key| key.field == field).map(|key| key.rust_type);
        key.or_else(|| self.property_of(field).map(|property| property.rust_type))
    }

    /// Returns the property that stores a field.
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
        for Contribution { name, totals, .. } in self.feeds {
            for Total { field, by, of } in *totals {
                let kept = format!("{}{}{}", by.word(), of.map_or("", |_| " of "), of.unwrap_or_default());
                writeln!(f, "  {kept:width$}  in {name}, {field}")?;
            }
        }
        Ok(())
    }
}

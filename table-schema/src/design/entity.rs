//! The design of an entity.

use super::{
    ArchiveDesign, ChangesDesign, ContributionDesign, EmbedDesign, FieldDesign, IndexDesign, LookupDesign,
    TemplateText, TotalDesign, Which,
};
use crate::{language::Span, role::Roles};

/// An entity as declared by a front end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityDesign {
    /// The name of the entity and of its Rust struct.
    pub name: String,
    /// The table name, or the template of per-period table names.
    pub table: Option<TemplateText>,
    /// The template of the `PartitionKey`.
    pub partition: Option<TemplateText>,
    /// The template of the `RowKey`.
    pub row: Option<TemplateText>,
    /// The fields, in declaration order.
    pub fields: Vec<FieldDesign>,
    /// The indexes: copies of the entity under other keys.
    pub indexes: Vec<IndexDesign>,
    /// The lookups: lists of entities by field value.
    pub lookups: Vec<LookupDesign>,
    /// The rule that decides whether rows have an `EntityType` property.
    pub entity_type: EntityTypeRule,
    /// The version of the stored format.
    pub version: u32,
    /// `true` if version 1 is declared: newer versions will exist, so writes by key read the row first.
    pub is_versioned: bool,
    /// The oldest version that is still stored. Rows of older versions have been rewritten.
    pub oldest: u32,
    /// The types that older rows are read as.
    pub from: Vec<String>,
    /// Older `EntityType` values that are read as this entity.
    pub aliases: Vec<String>,
    /// The source of the template field `{shard:02}`.
    pub shard: Option<Shard>,
    /// The maximum number of user properties per row, if the entity is split over several rows.
    pub wide: Option<usize>,
    /// `true` if table scans fail to compile.
    pub deny_table_scan: bool,
    /// `true` if append-only inserts at one end of the key space are intended.
    pub allow_append_only: bool,
    /// The description.
    pub about: Option<String>,
    /// The retention period of its rows. For per-period tables, complete tables are deleted.
    pub keep: Option<Span>,
    /// The aggregates over other entities. The derive declares them on the source instead.
    pub totals: Vec<TotalDesign>,
    /// The fields copied from other entities. The derive declares them on the source instead.
    pub embeds: Vec<EmbedDesign>,
    /// The archive that receives completed entities.
    pub archive: Option<ArchiveDesign>,
    /// The change feed.
    pub changes: Option<ChangesDesign>,
    /// The fields with a role, by name.
    pub roles: Roles,
    /// The path of the function that checks an entity before it is written. It has no effect on stored rows.
    pub validate: Option<String>,
    /// The contributions to fields of other entities. Design files declare them on the target, as
    /// [`totals`](Self::totals); see `Schema::declared` of `table-designs`.
    pub contributions: Vec<ContributionDesign>,
}

/// The rule that decides whether rows contain their type name in `EntityType`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum EntityTypeRule {
    /// Only if another entity shares the table, or the entity has a version or a change feed. The derive cannot see other
    /// entities and always writes it.
    #[default]
    Auto,
    /// Always: `Employee`, and `Employee.v2` from version 2.
    Always,
    /// Never.
    None,
    /// Always, with this value.
    Named(String),
}

/// A hash that distributes keys: CRC32C of the key text of a field, modulo a count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// The name of the field.
    pub of: String,
    /// The number of shards.
    pub count: u32,
}

impl EntityDesign {
    /// Creates an entity without declarations.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            table: None,
            partition: None,
            row: None,
            fields: Vec::new(),
            indexes: Vec::new(),
            lookups: Vec::new(),
            entity_type: EntityTypeRule::default(),
            version: 1,
            is_versioned: false,
            oldest: 1,
            from: Vec::new(),
            aliases: Vec::new(),
            shard: None,
            wide: None,
            deny_table_scan: false,
            allow_append_only: false,
            about: None,
            keep: None,
            totals: Vec::new(),
            embeds: Vec::new(),
            archive: None,
            changes: None,
            roles: Roles::default(),
            validate: None,
            contributions: Vec::new(),
        }
    }

    /// Returns the field with this name.
    pub fn field(&self, name: &str) -> Option<&FieldDesign> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns whether the entity has a table per period.
    pub fn has_table_per_period(&self) -> bool {
        self.table.as_ref().is_some_and(|table| match table.template() {
            Some(template) => template.holes().next().is_some(),
            None => table.text().contains('{'),
        })
    }

    /// Returns whether rows with the same partition fields are in several tables or shards.
    pub fn is_spread(&self) -> bool {
        self.shard.is_some() || self.has_table_per_period()
    }

    /// Returns whether the version is declared, so other versions exist or will exist.
    pub const fn declares_version(&self) -> bool {
        self.is_versioned || self.version > 1
    }

    /// Returns the `EntityType` value of its rows, or `None` if it is not written. [`EntityTypeRule::Auto`] writes it.
    pub fn entity_type_value(&self) -> Option<String> {
        match &self.entity_type {
            EntityTypeRule::None => None,
            EntityTypeRule::Named(text) => Some(text.clone()),
            EntityTypeRule::Auto | EntityTypeRule::Always if self.version > 1 => {
                Some(format!("{}.v{}", self.name, self.version))
            }
            EntityTypeRule::Auto | EntityTypeRule::Always => Some(self.name.clone()),
        }
    }

    /// Returns the name in stored rows, if it is not the name of the type: a declared `EntityType` without its version.
    pub fn stored_as(&self) -> Option<&str> {
        let EntityTypeRule::Named(text) = &self.entity_type else { return None };
        let stem = text.strip_suffix(&format!(".v{}", self.version)).unwrap_or(text);
        (stem != self.name).then_some(stem)
    }

    /// Returns a declared template, without defaults.
    pub fn template_text(&self, which: Which) -> Option<&TemplateText> {
        match which {
            Which::Table => self.table.as_ref(),
            Which::Partition => self.partition.as_ref(),
            Which::Row => self.row.as_ref(),
            Which::IndexTable(index) => self.indexes.get(index)?.table.as_ref(),
            Which::IndexPartition(index) => self.indexes.get(index)?.partition.as_ref(),
            Which::IndexRow(index) => self.indexes.get(index)?.row.as_ref(),
            Which::LookupTable(lookup) => self.lookups.get(lookup)?.table.as_ref(),
            Which::LookupPartition(lookup) => self.lookups.get(lookup)?.partition.as_ref(),
            Which::LookupRow(lookup) => self.lookups.get(lookup)?.row.as_ref(),
        }
    }

    /// Returns all declared templates, in source order.
    pub fn template_texts(&self) -> impl Iterator<Item = (Which, &TemplateText)> {
        let own = [Which::Table, Which::Partition, Which::Row];
        let indexes = (0..self.indexes.len()).flat_map(|index| {
            [Which::IndexTable(index), Which::IndexPartition(index), Which::IndexRow(index)]
        });
        let lookups = (0..self.lookups.len()).flat_map(|lookup| {
            [Which::LookupTable(lookup), Which::LookupPartition(lookup), Which::LookupRow(lookup)]
        });
        own.into_iter()
            .chain(indexes)
            .chain(lookups)
            .filter_map(|which| Some((which, self.template_text(which)?)))
    }
}

//! An entity.

use super::{
    ArchiveDesign, EmbedDesign, FieldDesign, IndexDesign, LookupDesign, TemplateText, TotalDesign, Which,
};
use crate::language::Span;

/// An entity, as a front end said it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityDesign {
    /// Its name: the Rust struct.
    pub name: String,
    /// The name of its table, or of its tables.
    pub table: Option<TemplateText>,
    /// Its PartitionKey.
    pub partition: Option<TemplateText>,
    /// Its RowKey.
    pub row: Option<TemplateText>,
    /// Its fields, in the order of declaration.
    pub fields: Vec<FieldDesign>,
    /// Copies under other keys.
    pub indexes: Vec<IndexDesign>,
    /// Lists by value.
    pub lookups: Vec<LookupDesign>,
    /// Whether its rows say what they are.
    pub entity_type: EntityTypeRule,
    /// The version of its stored form.
    pub version: u32,
    /// Types that older rows are read as.
    pub from: Vec<String>,
    /// Older values of `EntityType` that are read as this entity.
    pub aliases: Vec<String>,
    /// What `{shard:02}` is made of.
    pub shard: Option<Shard>,
    /// The most properties of the user's in one row, if the entity is split over several.
    pub wide: Option<usize>,
    /// Whether table scans do not compile.
    pub deny_table_scan: bool,
    /// Whether inserts at one end of the key space are meant.
    pub allow_append_only: bool,
    /// A sentence about it.
    pub about: Option<String>,
    /// How long its rows live. Of tables with a period whole tables go.
    pub keep: Option<Span>,
    /// Numbers that it keeps of other entities. A derive says them at the source.
    pub totals: Vec<TotalDesign>,
    /// Fields that it keeps of other entities. A derive says them at the source.
    pub embeds: Vec<EmbedDesign>,
    /// Where its entities go that are done with.
    pub archive: Option<ArchiveDesign>,
}

/// Whether rows carry their type's name in `EntityType`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum EntityTypeRule {
    /// Where another entity shares the table; a derive, which cannot see others, writes it always.
    #[default]
    Auto,
    /// Always: `Employee`, from version 2 on `Employee.v2`.
    Always,
    /// Never.
    None,
    /// Always, with this text.
    Named(String),
}

/// A hash that spreads keys: CRC32C of a field's key text, modulo a count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// The field.
    pub of: String,
    /// How many shards.
    pub count: u32,
}

impl EntityDesign {
    /// An entity of which nothing is said yet.
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
        }
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&FieldDesign> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The value of `EntityType` on its rows; `None` where none is written. [`EntityTypeRule::Auto`] writes it.
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

    /// The template, if it is written. Defaults are not applied here.
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

    /// All templates that are written, in reading order.
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

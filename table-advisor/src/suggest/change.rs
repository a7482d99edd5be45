use std::fmt;

use table_designs::schema::Schema;
use table_schema::design::{CopiedFields, EntityDesign, IndexDesign, Shard};

/// A change of a design file: the keys to write and the keys to remove.
///
/// The `Display` output is TOML: tables with their keys. A removed key is shown as a comment, `# without row`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    edits: Vec<Edit>,
    sections: Vec<Section>,
}

/// The changes of a table of a design file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The path of the table: `entity`, `Order`, `index`, `by_status`.
    pub table: Vec<String>,
    /// `true` if the complete table is removed.
    pub is_gone: bool,
    /// The keys and their values as TOML. `None` removes the key.
    pub keys: Vec<(&'static str, Option<String>)>,
}

/// A single change of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Sets a template of an entity.
    Template { entity: String, which: Which, text: String },
    /// Sets the shard of an entity.
    Shard { entity: String, shard: Shard },
    /// Adds an index, or replaces the index with the same name.
    Index { entity: String, index: Box<IndexDesign> },
    /// Removes an index or lookup.
    Without { entity: String, name: String },
    /// Sets the selected fields of a query.
    Select { query: String, fields: Vec<String> },
}

/// A template of the entity itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Table,
    Partition,
    Row,
}

impl Change {
    /// Creates a change of this design.
    pub(super) fn new(schema: &Schema, edits: Vec<Edit>) -> Self {
        let mut sections: Vec<Section> = Vec::new();
        for section in edits.iter().filter_map(|edit| edit.section(schema)) {
            match sections.iter_mut().find(|known| known.table == section.table && !known.is_gone) {
                Some(known) => known.keys.extend(section.keys),
                None => sections.push(section),
            }
        }
        Self { edits, sections }
    }

    /// Applies the change. Edits of items that the design does not contain are ignored.
    pub fn apply(&self, schema: &mut Schema) {
        for edit in &self.edits {
            edit.apply(schema);
        }
    }

    /// Returns the changed tables, in the order in which they are written.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }
}

impl Edit {
    pub(super) fn index(entity: &EntityDesign, index: IndexDesign) -> Self {
        Self::Index { entity: entity.name.clone(), index: Box::new(index) }
    }

    pub(super) fn template(entity: &EntityDesign, which: Which, text: String) -> Self {
        Self::Template { entity: entity.name.clone(), which, text }
    }

    fn apply(&self, schema: &mut Schema) {
        match self {
            Self::Template { entity, which, text } => {
                if let Some(entity) = entity_mut(schema, entity) {
                    *which.of(entity) = Some(text.as_str().into());
                }
            }
            Self::Shard { entity, shard } => {
                if let Some(entity) = entity_mut(schema, entity) {
                    entity.shard = Some(shard.clone());
                }
            }
            Self::Index { entity, index } => {
                let Some(entity) = entity_mut(schema, entity) else { return };
                match entity.indexes.iter_mut().find(|known| known.name == index.name) {
                    Some(known) => known.clone_from(index.as_ref()),
                    None => entity.indexes.push(index.as_ref().clone()),
                }
            }
            Self::Without { entity, name } => {
                if let Some(entity) = entity_mut(schema, entity) {
                    entity.indexes.retain(|index| index.name != *name);
                    entity.lookups.retain(|lookup| lookup.name != *name);
                }
            }
            Self::Select { query, fields } => {
                if let Some(query) = schema.queries.iter_mut().find(|known| known.name == *query) {
                    query.select = Some(fields.clone());
                }
            }
        }
    }

    /// Converts the edit to a section of the file. Returns `None` if the design does not contain the changed item.
    fn section(&self, schema: &Schema) -> Option<Section> {
        Some(match self {
            Self::Template { entity, which, text } => {
                section(&["entity", entity], vec![(which.word(), Some(quoted(text)))])
            }
            Self::Shard { entity, shard } => {
                let value = format!("{{ of = {}, count = {} }}", quoted(&shard.of), shard.count);
                section(&["entity", entity], vec![("shard", Some(value))])
            }
            Self::Index { entity, index } => {
                let known = schema.entity(entity)?.indexes.iter().find(|known| known.name == index.name);
                let old = known.map(keys).unwrap_or_default();
                let mut keys = keys(index);
                let gone = old.iter().filter(|(name, _)| !keys.iter().any(|(kept, _)| kept == name));
                let gone: Vec<_> = gone.map(|(name, _)| (*name, None)).collect();
                keys.retain(|key| !old.contains(key));
                keys.extend(gone);
                section(&["entity", entity, "index", &index.name], keys)
            }
            Self::Without { entity, name } => {
                let is_index = schema.entity(entity)?.indexes.iter().any(|index| index.name == *name);
                let kind = if is_index { "index" } else { "lookup" };
                Section { is_gone: true, ..section(&["entity", entity, kind, name], Vec::new()) }
            }
            Self::Select { query, fields } => {
                section(&["query", query], vec![("select", Some(list(fields)))])
            }
        })
    }
}

fn entity_mut<'s>(schema: &'s mut Schema, name: &str) -> Option<&'s mut EntityDesign> {
    schema.entities.iter_mut().find(|entity| entity.name == name)
}

impl Which {
    const fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Partition => "partition",
            Self::Row => "row",
        }
    }

    fn of(self, entity: &mut EntityDesign) -> &mut Option<table_schema::design::TemplateText> {
        match self {
            Self::Table => &mut entity.table,
            Self::Partition => &mut entity.partition,
            Self::Row => &mut entity.row,
        }
    }
}

fn section(table: &[&str], keys: Vec<(&'static str, Option<String>)>) -> Section {
    Section { table: table.iter().map(|&name| name.to_owned()).collect(), is_gone: false, keys }
}

/// Returns the keys of an index in a file, without defaults.
fn keys(index: &IndexDesign) -> Vec<(&'static str, Option<String>)> {
    let template =
        |text: &Option<table_schema::design::TemplateText>| text.as_ref().map(|text| quoted(text.text()));
    let flag = |is: bool| is.then(|| "true".to_owned());
    let copy = match &index.copy {
        CopiedFields::All => None,
        CopiedFields::Only(fields) => Some(list(fields)),
    };
    let all = [
        ("table", template(&index.table)),
        ("partition", template(&index.partition)),
        ("row", template(&index.row)),
        ("unique", flag(index.unique)),
        ("sparse", flag(index.sparse && index.when.is_none())),
        ("copy", copy),
    ];
    all.into_iter().filter(|(_, value)| value.is_some()).collect()
}

/// Formats a string as TOML. Templates and names do not contain control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    format!("[{}]", names.join(", "))
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, section) in self.sections.iter().enumerate() {
            let line = if place > 0 { "\n" } else { "" };
            let table = section.table.join(".");
            if section.is_gone {
                write!(f, "{line}# without [{table}]")?;
                continue;
            }
            write!(f, "{line}[{table}]")?;
            for (name, value) in &section.keys {
                match value {
                    Some(value) => write!(f, "\n{name} = {value}")?,
                    None => write!(f, "\n# without {name}")?,
                }
            }
        }
        Ok(())
    }
}

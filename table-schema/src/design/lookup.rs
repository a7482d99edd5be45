//! A lookup: for each value of some fields, the list of the entities that have it.

use super::TemplateText;

/// A lookup, as a front end said it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookupDesign {
    /// Its name.
    pub name: String,
    /// The fields whose values it is asked for; empty where `on` was left out.
    pub on: Vec<String>,
    /// Where the lists are.
    pub place: LookupPlace,
    /// The lists' table, with [`LookupPlace::Table`].
    pub table: Option<TemplateText>,
    /// The lists' RowKey; absent: a word made of the name, and the fields.
    pub row: Option<TemplateText>,
    /// The property of one row for each value in which its list stands; absent: a row for each member of a list.
    pub ids: Option<String>,
}

/// Where the lists of a lookup are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LookupPlace {
    /// In the entity's partition, written in its transaction.
    #[default]
    Partition,
    /// In a table of their own; they follow through the queue.
    Table,
    /// In blobs; they follow through the queue.
    Blob,
}

impl LookupDesign {
    /// The word that its rows begin with unless `row` says otherwise: `by_last_name` gives `lastname`.
    pub fn word(&self) -> String {
        self.name.strip_prefix("by_").unwrap_or(&self.name).replace('_', "")
    }
}

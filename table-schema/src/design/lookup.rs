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
    /// The lists' PartitionKey, outside of the entity's partition; absent: the fields. Of lists in blobs it is their name.
    pub partition: Option<TemplateText>,
    /// The lists' RowKey; absent: a word made of the name, and in the entity's partition the fields.
    pub row: Option<TemplateText>,
    /// The property of one row for each value in which its list stands; absent: a row for each member of a list.
    pub ids: Option<String>,
    /// A sentence about it.
    pub about: Option<String>,
}

/// Where the lists of a lookup are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LookupPlace {
    /// In the entity's partition, written in its transaction.
    #[default]
    Partition,
    /// In other partitions, of a table of their own unless one is named; they follow.
    Table,
    /// In blobs, in the container of the table's name; they follow.
    Blob,
}

impl LookupDesign {
    /// The word that its rows begin with unless `row` says otherwise: `by_last_name` gives `lastname`.
    pub fn word(&self) -> String {
        self.name.strip_prefix("by_").unwrap_or(&self.name).replace('_', "")
    }

    /// What the name of its table ends with unless one is named: `by_last_name` gives `ByLastName`.
    pub(super) fn table_suffix(&self) -> String {
        let mut suffix = String::with_capacity(self.name.len());
        for word in self.name.split('_') {
            let mut characters = word.chars();
            suffix.extend(characters.next().map(|first| first.to_ascii_uppercase()));
            suffix.extend(characters);
        }
        suffix
    }
}

//! A lookup: a list of entities for each value of some fields.

use super::TemplateText;

/// A lookup as declared by a front end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookupDesign {
    /// The name.
    pub name: String,
    /// The fields that the lookup is queried by. Empty if `on` was omitted.
    pub on: Vec<String>,
    /// The location of the lists.
    pub place: LookupPlace,
    /// The table of the lists, for [`LookupPlace::Table`].
    pub table: Option<TemplateText>,
    /// The `PartitionKey` of lists outside the partition of the entity. Defaults to the lookup fields. For lists in
    /// blobs it is the blob name.
    pub partition: Option<TemplateText>,
    /// The `RowKey` of the lists. Defaults to a word derived from the name, followed by the fields if the list is in
    /// the partition of the entity.
    pub row: Option<TemplateText>,
    /// The property that contains the list, if each value has a single row. If `None`, each member of a list has a
    /// separate row.
    pub ids: Option<String>,
    /// The description.
    pub about: Option<String>,
}

/// The location of the lists of a lookup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LookupPlace {
    /// In the partition of the entity, written in the same transaction.
    #[default]
    Partition,
    /// In other partitions, by default of a separate table. They are updated asynchronously.
    Table,
    /// In blobs, in the container named after the table. They are updated asynchronously.
    Blob,
}

impl LookupDesign {
    /// Maximum length of the members in the row of a list, in characters: half of the capacity of a property. Further
    /// members have separate rows.
    pub const ROW_CHARACTERS: usize = 16 * 1024;

    /// Returns the word that its row keys start with by default: `by_last_name` results in `lastname`.
    pub fn word(&self) -> String {
        self.name.strip_prefix("by_").unwrap_or(&self.name).replace('_', "")
    }

    /// Returns whether each member of a list has a separate row, so that no write reads or replaces a list.
    pub fn has_member_rows(&self) -> bool {
        self.ids.is_none() && self.place != LookupPlace::Blob
    }

    /// Returns the default suffix of its table name: `by_last_name` results in `ByLastName`.
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

impl LookupPlace {
    /// Returns the name in design files and in the derive.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Partition => "partition",
            Self::Table => "table",
            Self::Blob => "blob",
        }
    }
}

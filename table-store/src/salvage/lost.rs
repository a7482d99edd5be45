use std::{collections::BTreeMap, fmt};

use table_model::TableName;

use super::Lost;

/// Range of keys in which a salvage found no sound records.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostRange {
    /// Start of the range; `None` from the first record on. If it equals the end, this record is lost. Otherwise it is the
    /// last key before a damaged page, whose record is not lost.
    pub from: Option<KeyPosition>,
    /// End of the range, inclusive; `None` up to the last record.
    pub to: Option<KeyPosition>,
    /// Reason of the loss, with the position of the page in the file.
    pub what: String,
}

/// Position in the order of the keys of a store. It need not be the key of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyPosition {
    /// Id of the table in the file. Ids below 16 are internal records: metadata, the catalog, queues, blobs.
    pub id: u32,
    /// Table with this id, if it is known.
    pub table: Option<TableName>,
    /// PartitionKey, or a part of it.
    pub partition_key: String,
    /// RowKey, or a part of it.
    pub row_key: String,
}

impl LostRange {
    pub(super) fn new((from, to, what): &Lost, tables: &BTreeMap<u32, TableName>) -> Self {
        let position = |key: &Option<Vec<u8>>| key.as_ref().map(|key| KeyPosition::new(key, tables));
        Self { from: position(from), to: position(to), what: what.clone() }
    }
}

impl KeyPosition {
    fn new(key: &[u8], tables: &BTreeMap<u32, TableName>) -> Self {
        let mut id = [0; 4];
        id.iter_mut().zip(key).for_each(|(place, byte)| *place = *byte);
        let id = u32::from_be_bytes(id);
        let mut parts = key.get(4..).unwrap_or_default().splitn(2, |byte| *byte == 0);
        let mut text = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
        Self { id, table: tables.get(&id).cloned(), partition_key: text(), row_key: text() }
    }
}

impl fmt::Display for LostRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.from, &self.to) {
            (from, Some(to)) if from.as_ref() == Some(to) => write!(f, "{to}")?,
            (from, to) => {
                match from {
                    Some(from) => write!(f, "after {from}")?,
                    None => f.write_str("from the first record")?,
                }
                match to {
                    Some(to) => write!(f, " up to {to}")?,
                    None => f.write_str(" to the last record")?,
                }
            }
        }
        write!(f, ": {}", self.what)
    }
}

impl fmt::Display for KeyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.table {
            Some(table) => write!(f, "table {table}")?,
            None => write!(f, "table #{}", self.id)?,
        }
        write!(f, ", PartitionKey `{}`, RowKey `{}`", self.partition_key, self.row_key)
    }
}

//! All rows and blobs, as plain reads of the services return them.

use std::{collections::BTreeMap, fmt};

use pollster::block_on;
use table_store::{
    Query, TableName, TableService, Value,
    blob::{BlobAddress, BlobItem, BlobService, ListBlobs, ListContainers, ReadBlob},
    service::ListTables,
};

use crate::faults::connect::{Failure, Services};

/// The address of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub table: String,
    pub partition_key: String,
    pub row_key: String,
}

impl Key {
    pub(crate) fn new(table: &str, partition_key: impl Into<String>, row_key: impl Into<String>) -> Self {
        Self { table: table.to_owned(), partition_key: partition_key.into(), row_key: row_key.into() }
    }

    /// Returns the address in the format of derived rows.
    pub(crate) fn as_source(&self) -> String {
        let Self { table, partition_key, row_key } = self;
        serde_json::json!([table, partition_key, row_key]).to_string()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(PartitionKey='{}',RowKey='{}')", self.table, self.partition_key, self.row_key)
    }
}

/// The contents of a row.
#[derive(Clone, Debug)]
pub struct RawRow {
    pub etag: String,
    pub properties: BTreeMap<String, Value>,
}

impl RawRow {
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.properties.get(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        match self.properties.get(name) {
            Some(Value::Int32(number)) => Some(i64::from(*number)),
            Some(Value::Int64(number)) => Some(*number),
            _ => None,
        }
    }
}

/// The contents of a blob.
#[derive(Clone, Debug)]
pub struct RawBlob {
    pub metadata: BTreeMap<String, String>,
    pub content: Vec<u8>,
}

/// All stored data except messages.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    pub rows: BTreeMap<Key, RawRow>,
    pub blobs: BTreeMap<(String, String), RawBlob>,
}

impl Raw {
    /// Reads all tables and containers.
    ///
    /// # Errors
    ///
    /// Returns an error if a request fails.
    pub fn read(services: &Services) -> Result<Self, Failure> {
        let mut raw = Self::default();
        for table in tables(&*services.tables)? {
            rows(&*services.tables, &table, &mut raw)?;
        }
        blobs(&*services.blobs, &mut raw)?;
        Ok(raw)
    }

    /// Returns the rows of a table whose RowKeys start with a prefix.
    pub(crate) fn of<'r>(
        &'r self,
        table: &'r str,
        beginning: &'r str,
    ) -> impl Iterator<Item = (&'r Key, &'r RawRow)> {
        let first = Key::new(table, "", "");
        let of_table = self.rows.range(first..).take_while(move |(key, _)| key.table == table);
        of_table.filter(move |(key, _)| key.row_key.starts_with(beginning))
    }
}

/// Returns the names of all tables.
///
/// # Errors
///
/// Returns an error if a request fails.
pub fn tables(service: &dyn TableService) -> Result<Vec<TableName>, Failure> {
    let (mut names, mut request) = (Vec::new(), ListTables::new());
    loop {
        let segment = block_on(service.list_tables(request.clone()))?;
        names.extend(segment.tables);
        match segment.continuation {
            None => return Ok(names),
            Some(token) => request = request.continuation(token),
        }
    }
}

fn rows(service: &dyn TableService, table: &TableName, raw: &mut Raw) -> Result<(), Failure> {
    let mut query = Query::new();
    loop {
        let segment = block_on(service.query(table, query.clone()))?;
        for row in segment.rows {
            let (Some(partition_key), Some(row_key)) = (row.partition_key, row.row_key) else { continue };
            let properties =
                row.properties.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
            let key = Key::new(table.as_str(), partition_key, row_key);
            raw.rows.insert(key, RawRow { etag: row.etag.to_string(), properties });
        }
        match segment.continuation {
            None => return Ok(()),
            Some(token) => query = query.continuation(token),
        }
    }
}

fn blobs(service: &dyn BlobService, raw: &mut Raw) -> Result<(), Failure> {
    for container in block_on(service.list_containers(ListContainers::new()))?.containers {
        let mut list = ListBlobs::new();
        loop {
            let segment = block_on(service.list_blobs(&container.name, list.clone()))?;
            for item in segment.items {
                let BlobItem::Blob { name, .. } = item else { continue };
                let address = BlobAddress::from((container.name.clone(), name));
                let reader = block_on(service.read_blob(&address, ReadBlob::new()))?;
                let metadata = reader.properties().metadata.iter();
                let metadata =
                    metadata.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
                let content = block_on(reader.read_to_end())?.to_vec();
                let name = (container.name.to_string(), address.name.to_string());
                raw.blobs.insert(name, RawBlob { metadata, content });
            }
            match segment.next_marker {
                None => break,
                Some(marker) => list = list.marker(marker),
            }
        }
    }
    Ok(())
}

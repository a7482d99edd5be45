//! Commit records, which name the rows in other partitions that a commit affects.
//!
//! A commit record is a row of the entity's own partition, written in the entity's own transaction. Its key consists of
//! `!o_` and the token of the attempt. It contains addresses and no values: a worker that processes it reads the
//! current entity. Processing is therefore idempotent: records can be applied late, repeatedly and in any order.

mod bytes;
mod receipt;
mod rows;

pub use receipt::Receipt;
pub use rows::CommitRow;

use table_model::{
    Entity, Operation, Properties, RowRef, TableName, Timestamp, Value, ValueRef, limits,
    outbox::{COMMIT_RECORD, OutboxKind, RECORD_TYPE},
};

use crate::{Address, Error, core::derived_row::DerivedRow};

/// Key prefix of commit records, and the upper bound of their keys.
pub(crate) const FIRST: &str = OutboxKind::Commits.prefix();
pub(crate) const LAST: &str = OutboxKind::Commits.end();
/// Key prefix of dead-lettered records, and the upper bound of their keys.
pub(crate) const DEAD_LETTERS: &str = OutboxKind::DeadLetters.prefix();
pub(crate) const LAST_DEAD_LETTER: &str = OutboxKind::DeadLetters.end();
/// Maximum number of bytes of the rows in a record: the size of an entity, without the keys and the other properties.
pub(crate) const RECORD_BYTES: usize = limits::ENTITY_BYTES - (8 << 10);
/// Number of attempts after which a failing record is dead-lettered.
pub(crate) const TRIES: i32 = 5;

/// The rule that derives a row, such as an index, by entity and rule name. The name remains valid after the program
/// that wrote it exits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Maker {
    pub(crate) entity: String,
    pub(crate) index: String,
}

/// Placeholder for the index name of a blob. No index has this name.
const BLOB: &str = "#blob";

/// Role of a row: required by the new state of the entity, or left by the old state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    New,
    Old,
}

/// A row that may be stale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AffectedRow {
    pub(crate) maker: Maker,
    pub(crate) role: Role,
    pub(crate) address: Address,
    /// Row key of the entity that the row is derived from.
    pub(crate) row_key: String,
}

impl AffectedRow {
    /// Returns the number of bytes in a record.
    pub(crate) fn size(&self) -> usize {
        let Maker { entity, index } = &self.maker;
        let Address { table, partition_key, row_key } = &self.address;
        let texts = [entity, index, partition_key, row_key, &self.row_key];
        13 + table.as_str().len() + texts.iter().map(|text| text.len()).sum::<usize>()
    }

    /// Creates the entry of an entity's blob: the container is that of the table, and the blob name is stored as the
    /// row key.
    pub(crate) fn of_blob(entity: &str, role: Role, owner: &Address, blob: &str) -> Self {
        let maker = Maker { entity: entity.to_owned(), index: BLOB.to_owned() };
        let address =
            Address { table: owner.table.clone(), partition_key: String::new(), row_key: blob.to_owned() };
        Self { maker, role, address, row_key: owner.row_key.clone() }
    }

    /// Returns whether the entry is a blob.
    pub(crate) fn is_blob(&self) -> bool {
        self.maker.index == BLOB
    }

    pub(crate) fn new(entity: &str, by: &str, role: Role, row: &DerivedRow, row_key: &str) -> Self {
        let maker = Maker { entity: entity.to_owned(), index: by.to_owned() };
        Self { maker, role, address: row.address.clone(), row_key: row_key.to_owned() }
    }
}

/// A commit record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Commit {
    /// Partition, and token of the attempt.
    pub(crate) receipt: Receipt,
    pub(crate) touches: Vec<AffectedRow>,
    /// Time of the commit. `None` for a record that is not written yet.
    pub(crate) written: Option<Timestamp>,
    /// Number of attempts that failed for a reason that is not transient.
    pub(crate) tries: i32,
    /// `true` if the record is dead-lettered.
    pub(crate) is_dead_lettered: bool,
}

impl Commit {
    /// Returns the operation that writes the record. It is an insert, which fails if the attempt was aborted.
    pub(crate) fn insert(receipt: &Receipt, touches: &[AffectedRow]) -> Operation {
        let mut properties = Properties::with_capacity(3);
        properties.push_new(RECORD_TYPE, COMMIT_RECORD);
        for (number, bytes) in bytes::write(touches).into_iter().enumerate() {
            properties.push_new(format!("_tt{number}"), Value::Binary(bytes));
        }
        properties.push_new("_at", Timestamp::now());
        let (partition_key, row_key) = (receipt.partition_key.clone(), receipt.row_key());
        Operation::Insert(Entity { partition_key, row_key, properties })
    }

    /// Returns the address of the record.
    pub(crate) fn record(&self) -> Address {
        if self.is_dead_lettered { self.receipt.dead_letter_address() } else { self.receipt.address() }
    }

    /// Returns whether the record names a row that is derived from the entity with this row key.
    pub(crate) fn names(&self, row_key: &str) -> bool {
        self.touches.iter().any(|touch| touch.row_key == row_key)
    }

    /// Decodes a record, pending or dead-lettered. Returns `None` for any other row, such as an abort record.
    pub(crate) fn read(table: &TableName, row: RowRef<'_>) -> Result<Option<Self>, Error> {
        let (Some(partition_key), Some(row_key)) = (row.partition_key, row.row_key) else { return Ok(None) };
        let is_dead_lettered = row_key.starts_with(DEAD_LETTERS);
        let Some(token) = row_key.strip_prefix(if is_dead_lettered { DEAD_LETTERS } else { FIRST }) else {
            return Ok(None);
        };
        if row.properties.get(RECORD_TYPE) != Some(ValueRef::String(COMMIT_RECORD)) {
            return Ok(None);
        }
        let mut whole = Vec::new();
        for number in 0.. {
            match row.properties.get(&format!("_tt{number}")) {
                Some(ValueRef::Binary(bytes)) => whole.extend_from_slice(bytes),
                _ => break,
            }
        }
        let tries = match row.properties.get("_tries") {
            Some(ValueRef::Int32(tries)) => tries,
            _ => 0,
        };
        let receipt = Receipt {
            table: table.clone(),
            partition_key: partition_key.to_owned(),
            token: token.to_owned(),
        };
        let commit = Self { receipt, touches: Vec::new(), written: row.timestamp, tries, is_dead_lettered };
        match bytes::read(&whole) {
            Some(touches) => Ok(Some(Self { touches, ..commit })),
            None => Err(Error::OutboxDamaged { record: Box::new(commit.record()) }),
        }
    }
}

//! The record of a commit that other partitions must follow: which rows there may now be wrong.
//!
//! It is a row of the entity's own partition, written in the entity's own transaction, with the key `!o_` and the token of
//! the attempt. It names addresses and carries no values: whoever works it off looks at the entity as it is then, so that
//! it does not matter how often, how late or in which order that is done.

mod bytes;
pub(crate) mod marker;
mod receipt;

pub use receipt::Receipt;

use table_store::{Entity, Operation, Properties, RowRef, TableName, Timestamp, Value, ValueRef};

use crate::{Address, Error, derived::DerivedRow};

/// What the keys of commit records begin with, and what is above all of them.
pub(crate) const FIRST: &str = "!o_";
pub(crate) const LAST: &str = "!p";
/// What the keys of parked records begin with.
pub(crate) const PARKED: &str = "!x_";
pub(crate) const LAST_PARKED: &str = "!y";
/// A record that nothing more can be done about is parked after so many tries.
pub(crate) const TRIES: i32 = 5;

/// What makes a row: a rule of an entity's design, such as an index, by name. It outlives the program that wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Maker {
    pub(crate) entity: String,
    pub(crate) index: String,
}

/// What stands in place of an index's name where a blob is meant. No index has such a name.
const BLOB: &str = "#blob";

/// Whether a row is to be where the entity is now, or was where the entity was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    New,
    Old,
}

/// A row that may be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) maker: Maker,
    pub(crate) role: Role,
    pub(crate) address: Address,
    /// The RowKey of the entity that it is made from.
    pub(crate) row_key: String,
}

impl Touch {
    /// Its bytes in a record, roughly.
    pub(crate) fn size(&self) -> usize {
        let Maker { entity, index } = &self.maker;
        let Address { table, partition_key, row_key } = &self.address;
        let texts = [entity, index, partition_key, row_key, &self.row_key];
        13 + table.as_str().len() + texts.iter().map(|text| text.len()).sum::<usize>()
    }

    /// A blob of an entity: the container is the table's, and the name stands in place of a RowKey.
    pub(crate) fn of_blob(entity: &str, role: Role, owner: &Address, blob: &str) -> Self {
        let maker = Maker { entity: entity.to_owned(), index: BLOB.to_owned() };
        let address =
            Address { table: owner.table.clone(), partition_key: String::new(), row_key: blob.to_owned() };
        Self { maker, role, address, row_key: owner.row_key.clone() }
    }

    /// Whether it is about a blob.
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
    /// The partition, and the token of the attempt.
    pub(crate) receipt: Receipt,
    pub(crate) touches: Vec<Touch>,
    /// When it was written; none for one that is to be.
    pub(crate) written: Option<Timestamp>,
    /// How often it was tried in vain, for a reason that will not pass by itself.
    pub(crate) tries: i32,
    /// Whether the record is parked.
    pub(crate) is_parked: bool,
}

impl Commit {
    /// The operation that leaves the record. An insert: where the attempt was aborted, it fails.
    pub(crate) fn insert(receipt: &Receipt, touches: &[Touch]) -> Operation {
        let mut properties = Properties::with_capacity(3);
        properties.push_new("_k", "c");
        for (number, bytes) in bytes::write(touches).into_iter().enumerate() {
            properties.push_new(format!("_tt{number}"), Value::Binary(bytes));
        }
        properties.push_new("_at", Timestamp::now());
        let (partition_key, row_key) = (receipt.partition_key.clone(), receipt.row_key());
        Operation::Insert(Entity { partition_key, row_key, properties })
    }

    /// The address of the record.
    pub(crate) fn record(&self) -> Address {
        if self.is_parked { self.receipt.parked_address() } else { self.receipt.address() }
    }

    /// Whether it names a row that is made from the entity of this RowKey.
    pub(crate) fn names(&self, row_key: &str) -> bool {
        self.touches.iter().any(|touch| touch.row_key == row_key)
    }

    /// Reads a record, parked or not; `None` for another row, such as the marker of an attempt that was aborted.
    pub(crate) fn read(table: &TableName, row: RowRef<'_>) -> Result<Option<Self>, Error> {
        let (Some(partition_key), Some(row_key)) = (row.partition_key, row.row_key) else { return Ok(None) };
        let is_parked = row_key.starts_with(PARKED);
        let Some(token) = row_key.strip_prefix(if is_parked { PARKED } else { FIRST }) else {
            return Ok(None);
        };
        if row.properties.get("_k") != Some(ValueRef::String("c")) {
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
        let commit = Self { receipt, touches: Vec::new(), written: row.timestamp, tries, is_parked };
        match bytes::read(&whole) {
            Some(touches) => Ok(Some(Self { touches, ..commit })),
            None => Err(Error::OutboxDamaged { record: Box::new(commit.record()) }),
        }
    }
}

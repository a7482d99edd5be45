//! A change of an entity.

use std::fmt;

use table_model::{RowRef, TableName, Timestamp, ValueRef};

use super::rows;
use crate::{
    AccessPath, Address, Error, TableEntity, Tables,
    core::{
        error::ChangeFeedError,
        reserved::TRANSACTION,
        row::{foreign_key, parse_key},
    },
};

/// Kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The entity was inserted.
    Insert,
    /// The entity was replaced or patched.
    Update,
    /// The entity was deleted.
    Delete,
}

impl ChangeKind {
    /// Returns the stored value.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Insert => "i",
            Self::Update => "u",
            Self::Delete => "d",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Insert, Self::Update, Self::Delete].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A committed change of an entity.
pub struct ChangeEvent<E: TableEntity> {
    kind: ChangeKind,
    key: E::Key,
    address: Address,
    sequence: u64,
    time: Timestamp,
    new: Option<E>,
    old: Option<E>,
}

impl<E: TableEntity> ChangeEvent<E> {
    /// Returns the kind of the change.
    pub const fn kind(&self) -> ChangeKind {
        self.kind
    }

    /// Returns the key of the entity.
    pub const fn key(&self) -> &E::Key {
        &self.key
    }

    /// Returns the address of the entity.
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// Returns the number of the change among all changes of the entity type in the partition. The first is 1, and no
    /// number is missing. With the partition key, it identifies the change.
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Returns the time of the commit, by the clock of the service. The order of changes is that of
    /// [`sequence`](Self::sequence).
    pub const fn time(&self) -> Timestamp {
        self.time
    }

    /// Returns the entity after the change. `None` for a delete.
    #[expect(clippy::new_ret_no_self, reason = "the pair of `old`, as in a trigger")]
    pub const fn new(&self) -> Option<&E> {
        self.new.as_ref()
    }

    /// Returns the entity before the change. `None` for an insert, and if the type does not record the previous state
    /// (`changes(old)`).
    pub const fn old(&self) -> Option<&E> {
        self.old.as_ref()
    }

    /// Decodes a record, and the row with the previous state.
    pub(super) fn read(
        tables: &Tables,
        table: &TableName,
        sequence: u64,
        record: RowRef<'_>,
        old: Option<RowRef<'_>>,
    ) -> Result<Self, Error> {
        let text = |name: &str| match record.properties.get(name) {
            Some(ValueRef::String(text)) => Some(text),
            _ => None,
        };
        let partition_key = record.partition_key.unwrap_or_default().to_owned();
        let fields =
            text(rows::KIND).and_then(ChangeKind::parse).zip(text(rows::ROW_KEY)).zip(rows::time(record));
        let Some(((kind, row_key), time)) = fields else {
            return Err(ChangeFeedError::Damaged { partition_key, sequence }.into());
        };
        let address = Address { table: table.clone(), partition_key, row_key: row_key.to_owned() };
        let key = parse_key::<E::Key>(address.partition_key(), address.row_key());
        let key = key.ok_or_else(|| {
            foreign_key(E::DESIGN, AccessPath::Own, address.partition_key(), address.row_key())
        })?;
        let decode = |row: RowRef<'_>| decode::<E>(tables, (&address, sequence), row);
        let new = (kind != ChangeKind::Delete).then(|| decode(record)).transpose()?;
        let old = old.map(decode).transpose()?;
        Ok(Self { kind, key, address, sequence, time, new, old })
    }
}

impl<E: TableEntity> fmt::Debug for ChangeEvent<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, address, sequence, time, .. } = self;
        write!(f, "ChangeEvent({sequence} {kind:?} {address} {time})")
    }
}

/// Decodes the entity in a row of the feed, as if its own row were read.
fn decode<E: TableEntity>(
    tables: &Tables,
    (entity, sequence): (&Address, u64),
    row: RowRef<'_>,
) -> Result<E, Error> {
    let whole = rows::as_entity(entity, row);
    let row = whole.get(0);
    let row = row
        .ok_or_else(|| ChangeFeedError::Damaged { partition_key: entity.partition_key.clone(), sequence })?;
    Ok(E::decode(tables.source(entity.table()), row)?)
}

/// Returns the token of the transaction that wrote a record.
pub(super) fn token(row: RowRef<'_>) -> &str {
    match row.properties.get(TRANSACTION) {
        Some(ValueRef::String(token)) => token,
        _ => "",
    }
}

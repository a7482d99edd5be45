//! One write, encoded: what every verb turns its arguments into, alone, in a transaction or in bulk.

use table_store::{Condition, ETag, Entity, Operation, Properties, TableName, Timestamp};

use crate::{Address, Error, IntoMerge, PointQuery, Stored, entity::Writable};

/// What a write answers: the new version, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What was written.
    pub address: Address,
    /// Its new version.
    pub etag: ETag,
    /// When it was written.
    pub timestamp: Timestamp,
}

/// An operation and the table that it is for.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) table: TableName,
    pub(crate) operation: Operation,
}

impl Write {
    pub(crate) fn insert(entity: &impl Writable) -> Result<Self, Error> {
        whole(entity, Operation::Insert)
    }

    pub(crate) fn replace<E: Writable>(stored: &Stored<E>) -> Result<Self, Error> {
        let (from, to) = (stored.read_at()?, stored.whereabouts()?);
        if from != to {
            return Err(Error::KeyChanged { from: Box::new(from), to: Box::new(to) });
        }
        let condition = Condition::Matches(stored.etag().clone());
        whole(&**stored, |entity| Operation::Replace(entity, condition))
    }

    pub(crate) fn replace_any(entity: &impl Writable) -> Result<Self, Error> {
        whole(entity, |entity| Operation::Replace(entity, Condition::Exists))
    }

    pub(crate) fn upsert(entity: &impl Writable) -> Result<Self, Error> {
        whole(entity, Operation::InsertOrReplace)
    }

    pub(crate) fn merge(patch: impl IntoMerge) -> Result<Self, Error> {
        let merge = patch.into_merge()?;
        let condition = merge.condition;
        Ok(at(merge.address, merge.properties, |entity| Operation::Merge(entity, condition)))
    }

    pub(crate) fn upsert_merge(patch: impl IntoMerge) -> Result<Self, Error> {
        let (address, properties) = patch.into_merge()?.into_first_write();
        Ok(at(address, properties, Operation::InsertOrMerge))
    }

    pub(crate) fn delete(target: impl DeleteTarget) -> Result<Self, Error> {
        let (address, condition) = target.target()?;
        let Address { table, partition_key, row_key } = address;
        Ok(Self { table, operation: Operation::Delete { partition_key, row_key, condition } })
    }

    /// The two operations that move an entity within its partition; one where its key is still the same.
    pub(crate) fn rekey<E: Writable>(stored: &Stored<E>) -> Result<Vec<Self>, Error> {
        let (from, to) = (stored.read_at()?, stored.whereabouts()?);
        if from == to {
            return Self::replace(stored).map(|write| vec![write]);
        }
        if !from.same_partition(&to) {
            return Err(Error::MovesPartition { from: Box::new(from), to: Box::new(to) });
        }
        Ok(vec![Self::delete(stored)?, Self::insert(&**stored)?])
    }

    /// What it wrote to.
    pub(crate) fn into_address(self) -> Address {
        let (partition_key, row_key) = self.operation.into_keys();
        Address { table: self.table, partition_key, row_key }
    }

    /// What it writes to.
    pub(crate) fn address(&self) -> Address {
        Address {
            table: self.table.clone(),
            partition_key: self.operation.partition_key().to_owned(),
            row_key: self.operation.row_key().to_owned(),
        }
    }

    /// Whether it can be the first write of its table.
    pub(crate) fn creates(&self) -> bool {
        creates(&self.operation)
    }
}

/// Whether an operation can be the first of its table: all others ask for an entity that is there.
pub(crate) const fn creates(operation: &Operation) -> bool {
    matches!(operation, Operation::Insert(_) | Operation::InsertOrReplace(_) | Operation::InsertOrMerge(_))
}

fn whole(entity: &impl Writable, form: impl FnOnce(Entity) -> Operation) -> Result<Write, Error> {
    Ok(at(entity.whereabouts()?, entity.properties()?, form))
}

fn at(address: Address, properties: Properties, form: impl FnOnce(Entity) -> Operation) -> Write {
    let Address { table, partition_key, row_key } = address;
    Write { table, operation: form(Entity { partition_key, row_key, properties }) }
}

/// What can be deleted: an entity as it was read (its version must still be there), or a point (whatever its version).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what to delete",
    label = "neither a stored entity nor a point",
    note = "write `delete(&stored)` for what was read, or `delete_at(Employee::point(..))` whatever its version"
)]
pub trait DeleteTarget {
    /// Where it is, and which version.
    #[doc(hidden)]
    fn target(self) -> Result<(Address, Condition), Error>;
}

impl<E: Writable> DeleteTarget for &Stored<E> {
    fn target(self) -> Result<(Address, Condition), Error> {
        Ok((self.read_at()?, Condition::Matches(self.etag().clone())))
    }
}

impl<E, R> DeleteTarget for PointQuery<E, R> {
    fn target(self) -> Result<(Address, Condition), Error> {
        Ok((self.address()?, Condition::Exists))
    }
}

impl<E, R> DeleteTarget for &PointQuery<E, R> {
    fn target(self) -> Result<(Address, Condition), Error> {
        Ok((self.address()?, Condition::Exists))
    }
}

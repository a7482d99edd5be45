//! What a verb wants, before it is known what is stored.

use table_store::{Operation, TableName};

use super::{Blind, DeleteTarget, New, Old, Write, at, key_changed};
use crate::{Error, IntoMerge, Stored, entity::Writable, patch::Merge};

/// A write that can be sent, or one that must read first.
#[derive(Clone, Debug)]
pub(crate) enum Intent {
    /// It is known what to send.
    Ready(Write),
    /// Which rows its indexes have now is not known: that must be read.
    Blind(Blind),
}

impl Intent {
    pub(crate) fn insert<E: Writable>(entity: &E) -> Result<Self, Error> {
        Ok(Self::Ready(Write::insert(New::of(entity)?)))
    }

    pub(crate) fn replace<E: Writable>(stored: &Stored<E>) -> Result<Self, Error> {
        let (old, new) = (Old::of(stored)?, New::of(&**stored)?);
        key_changed(&old.address, &new.address)?;
        Ok(Self::Ready(Write::over(&old, new)))
    }

    pub(crate) fn replace_any<E: Writable>(entity: &E) -> Result<Self, Error> {
        let new = New::of(entity)?;
        if E::indexes().is_empty() {
            let (table, entity, _) = new.into_parts();
            return Ok(Self::Ready(Write::alone(table, Operation::Replace(entity, super::ANY))));
        }
        Ok(Self::Blind(Blind::replace::<E>(new)))
    }

    pub(crate) fn upsert<E: Writable>(entity: &E) -> Result<Self, Error> {
        let new = New::of(entity)?;
        if E::indexes().is_empty() {
            let (table, entity, _) = new.into_parts();
            return Ok(Self::Ready(Write::alone(table, Operation::InsertOrReplace(entity))));
        }
        Ok(Self::Blind(Blind::upsert::<E>(new)))
    }

    pub(crate) fn merge(patch: impl IntoMerge) -> Result<Self, Error> {
        let Merge { address, properties, condition, copies, far, .. } = patch.into_merge()?;
        let table = address.table.clone();
        let operation = at(address, properties, |entity| Operation::Merge(entity, condition));
        Ok(Self::Ready(Write { table, operation, copies, lists: Vec::new(), far }))
    }

    pub(crate) fn upsert_merge(patch: impl IntoMerge) -> Result<Self, Error> {
        let merge = patch.into_merge()?;
        if merge.has_indexes {
            return Err(Error::PartOfIndexed { address: Box::new(merge.address) });
        }
        let (address, properties) = merge.into_first_write();
        let table = address.table.clone();
        Ok(Self::Ready(Write::alone(table, at(address, properties, Operation::InsertOrMerge))))
    }

    pub(crate) fn delete(target: impl DeleteTarget) -> Result<Self, Error> {
        target.target().map(|deletion| deletion.0)
    }

    /// The writes that move an entity within its partition; one where its key is still the same.
    pub(crate) fn rekey<E: Writable>(stored: &Stored<E>) -> Result<Vec<Self>, Error> {
        let (old, new) = (Old::of(stored)?, New::of(&**stored)?);
        if old.address == new.address {
            return Ok(vec![Self::Ready(Write::over(&old, new))]);
        }
        if !old.address.same_partition(&new.address) {
            let (from, to) = (Box::new(old.address), Box::new(new.address));
            return Err(Error::MovesPartition { from, to });
        }
        Ok(Write::moved(&old, new).into_iter().map(Self::Ready).collect())
    }

    /// The table and the PartitionKey.
    pub(crate) fn partition(&self) -> (&TableName, &str) {
        match self {
            Self::Ready(write) => (&write.table, write.operation.partition_key()),
            Self::Blind(blind) => (&blind.address.table, &blind.address.partition_key),
        }
    }
}

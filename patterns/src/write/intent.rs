//! Requested operation, before the stored state is read.

use table_model::{Operation, TableName};

use super::{Blind, Claim, DeleteTarget, New, Old, OwnSink, Write, at, key_changed};
use crate::{
    Address, Error, IntoMerge, Stored, Tables,
    entity::Writable,
    patch::Merge,
    wide::{self, Layout, Verb},
};

/// A write that can be sent, or a write that must read first.
#[derive(Clone, Debug)]
pub(crate) enum Intent {
    /// The operations are determined.
    Ready(Write),
    /// The current index rows of the entity must be read first.
    Blind(Blind),
    /// The current parts of the wide entity must be read first.
    Wide(Verb),
}

impl Intent {
    pub(crate) fn insert<E: Writable>(entity: &E) -> Result<Self, Error> {
        let new = New::of(entity)?;
        Ok(Self::Ready(match Layout::of_entity::<E>() {
            Some(layout) => wide::insert(layout, &new.address, new.properties)?,
            None => Write::insert(new),
        }))
    }

    pub(crate) fn replace<E: Writable>(stored: &Stored<E>) -> Result<Self, Error> {
        let (old, new) = (Old::of(stored)?, New::of(&**stored)?);
        key_changed(&old.address, &new.address)?;
        Self::over::<E>(&old, new)
    }

    /// Replaces the state that was read with a new state.
    fn over<E: Writable>(old: &Old, new: New) -> Result<Self, Error> {
        Ok(Self::Ready(match Layout::of_entity::<E>() {
            Some(layout) => wide::over(layout, &old.address, new.properties, old.wide()?)?,
            None => Write::over(old, new),
        }))
    }

    pub(crate) fn replace_any<E: Writable>(entity: &E) -> Result<Self, Error> {
        let new = New::of(entity)?;
        if let Some(layout) = Layout::of_entity::<E>() {
            return Ok(Self::Wide(Verb::replace(layout, new.address, new.properties)));
        }
        if !E::has_rules() && !E::has_blobs() {
            let (table, entity, _) = new.into_parts();
            return Ok(Self::Ready(
                Write::alone(table, Operation::Replace(entity, super::ANY))
                    .sealing(E::secrets())
                    .of(E::design()),
            ));
        }
        Ok(Self::Blind(Blind::replace::<E>(new)))
    }

    pub(crate) fn upsert<E: Writable>(entity: &E) -> Result<Self, Error> {
        let new = New::of(entity)?;
        if let Some(layout) = Layout::of_entity::<E>() {
            return Ok(Self::Wide(Verb::upsert(layout, new.address, new.properties)));
        }
        if !E::has_rules() && !E::has_blobs() {
            let (table, entity, _) = new.into_parts();
            return Ok(Self::Ready(
                Write::alone(table, Operation::InsertOrReplace(entity)).sealing(E::secrets()).of(E::design()),
            ));
        }
        Ok(Self::Blind(Blind::upsert::<E>(new)))
    }

    pub(crate) fn merge(patch: impl IntoMerge) -> Result<Self, Error> {
        let Merge {
            address,
            properties,
            condition,
            copies,
            far,
            blobs,
            feeds,
            sink,
            layout,
            old,
            secrets,
            design,
            ..
        } = patch.into_merge()?;
        let by_key = condition == super::ANY;
        if let Some(read) = sink.filter(|_| by_key) {
            return Ok(Self::Blind(Blind::merge(address, properties, read, secrets, design)));
        }
        match (layout, &old) {
            (Some(layout), Some(old)) => {
                return Ok(Self::Ready(wide::merge(layout, &address, properties, old.wide()?)?));
            }
            (Some(layout), None) => return Ok(Self::Wide(Verb::merge(layout, address, properties))),
            (None, _) => {}
        }
        let table = address.table.clone();
        let operation = at(address, properties, |entity| Operation::Merge(entity, condition));
        let own = old.and_then(|old| OwnSink::of(&old));
        let write = Write::alone(table, operation);
        Ok(Self::Ready(Write { copies, feeds, own, far, blobs, secrets, design, ..write }))
    }

    pub(crate) fn upsert_merge(patch: impl IntoMerge) -> Result<Self, Error> {
        let merge = patch.into_merge()?;
        if let Some(layout) = merge.layout {
            return Ok(Self::Wide(Verb::upsert_merge(layout, merge.address, merge.properties)));
        }
        if merge.has_rules || !merge.blobs.is_empty() {
            return Err(Error::PartOfIndexed { address: Box::new(merge.address) });
        }
        let (secrets, design) = (merge.secrets, merge.design);
        let (address, properties) = merge.into_first_write();
        let table = address.table.clone();
        let operation = at(address, properties, Operation::InsertOrMerge);
        Ok(Self::Ready(Write::alone(table, operation).sealing(secrets).of(design)))
    }

    pub(crate) fn delete(target: impl DeleteTarget) -> Result<Self, Error> {
        target.target().map(|deletion| deletion.0)
    }

    /// Returns the writes that move an entity within its partition; a single write if the key is unchanged.
    pub(crate) fn rekey<E: Writable>(stored: &Stored<E>) -> Result<Vec<Self>, Error> {
        let (old, new) = (Old::of(stored)?, New::of(&**stored)?);
        if old.address == new.address {
            return Self::over::<E>(&old, new).map(|intent| vec![intent]);
        }
        if !old.address.same_partition(&new.address) {
            let (from, to) = (Box::new(old.address), Box::new(new.address));
            return Err(Error::MovesPartition { from, to });
        }
        if let Some(layout) = Layout::of_entity::<E>() {
            let gone = wide::delete(layout, &old.address, old.wide()?)?;
            let new = wide::insert(layout, &new.address, new.properties)?;
            return Ok(vec![Self::Ready(gone), Self::Ready(new)]);
        }
        if let Some(index) = Claim::kept(&old, &new) {
            return Err(Error::HoldsUnique { entity: Box::new(old.address), index: index.name });
        }
        Ok(Write::moved(&old, new).into_iter().map(Self::Ready).collect())
    }

    /// Returns the address of the entity, for a write that must read first.
    pub(crate) fn reads(&self) -> Option<&Address> {
        match self {
            Self::Ready(_) => None,
            Self::Blind(blind) => Some(&blind.address),
            Self::Wide(verb) => Some(verb.address()),
        }
    }

    /// Returns the write to send. For a write that reads first, also returns whether the read found a row.
    pub(crate) async fn resolve(&self, tables: &Tables) -> Result<(Write, Option<bool>), Error> {
        let (write, found) = match self {
            Self::Ready(write) => return Ok((write.clone(), None)),
            Self::Blind(blind) => (blind.resolve(tables).await?, true),
            Self::Wide(verb) => verb.resolve(tables).await?,
        };
        Ok((write, Some(found)))
    }

    /// Returns the table and the PartitionKey.
    pub(crate) fn partition(&self) -> (&TableName, &str) {
        match self {
            Self::Ready(write) => (&write.table, write.operation.partition_key()),
            Self::Blind(blind) => (&blind.address.table, &blind.address.partition_key),
            Self::Wide(verb) => (verb.address().table(), verb.address().partition_key()),
        }
    }
}

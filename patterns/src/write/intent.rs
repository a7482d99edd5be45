//! Requested operation, before the stored state is read.

use std::fmt;

use table_model::{Operation, OperationKind, TableName};

use super::{Blind, DeleteTarget, New, Patched, Write, key_changed, plan::newest};
use crate::{
    Address, Error, IntoMerge, Pending, Stored, Tables,
    core::{
        entity::Writable,
        entity_types::EntityInfo,
        layout::Layout,
        old::{Old, ReadOld},
        patch::Merge,
        reserved::ENTITY_TYPE,
        versions::Versions,
    },
    design::Design,
    handle::span,
};

/// A write that can be sent, or a write that must read first.
#[derive(Clone, Debug)]
pub(crate) enum Intent {
    /// The operations are determined.
    Ready(Write),
    /// The current index rows of the entity must be read first.
    Blind(Blind),
    /// A pattern must read first, for example the current parts of a wide entity.
    Late(Box<dyn Late>),
}

/// A write of a pattern that must read rows first.
pub(crate) trait Late: fmt::Debug + Send + Sync {
    fn boxed(&self) -> Box<dyn Late>;

    /// Returns the address of the entity.
    fn address(&self) -> &Address;

    /// Returns the operation of the service that corresponds to the write, and the name of the entity type.
    fn operation(&self) -> (OperationKind, &'static str);

    /// Returns a write that is tried without reading, if there is one.
    fn first(&self) -> Result<Option<Write>, Error>;

    /// Reads the rows. Returns the write, and whether the entity was found.
    fn resolve<'a>(&'a self, tables: &'a Tables) -> Pending<'a, (Write, bool)>;
}

impl Clone for Box<dyn Late> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

impl Intent {
    pub(crate) fn insert<E: Writable>(entity: &E) -> Result<Self, Error> {
        Write::insert(New::valid(entity)?).map(Self::Ready)
    }

    pub(crate) fn replace<E: Writable>(stored: &Stored<E>) -> Result<Self, Error> {
        let (old, new) = (Old::of(stored)?, New::valid(&**stored)?);
        key_changed(&old.address, &new.address)?;
        Self::over(old, new, ReadOld::of::<E>())
    }

    fn over(old: Old, new: New, read: ReadOld) -> Result<Self, Error> {
        if old.is_of_index() && old.entity().is_some() {
            return Ok(Self::Blind(Blind::over(old, new, read)));
        }
        Write::over(&old, new).map(Self::Ready)
    }

    pub(crate) fn replace_any<E: Writable>(entity: &E) -> Result<Self, Error> {
        let new = New::valid(entity)?;
        if let Some(layout) = Layout::of_entity::<E>() {
            let (address, properties) = new.into_row();
            return Ok(Self::wide_replace(layout, address, properties));
        }
        if E::entity().is_none() {
            return Write::put(new, |entity| Operation::Replace(entity, super::ANY)).map(Self::Ready);
        }
        Ok(Self::Blind(Blind::replace::<E>(new)))
    }

    pub(crate) fn upsert<E: Writable>(entity: &E) -> Result<Self, Error> {
        let new = New::valid(entity)?;
        if let Some(layout) = Layout::of_entity::<E>() {
            let (address, properties) = new.into_row();
            return Ok(Self::wide_upsert(layout, address, properties));
        }
        if E::entity().is_none() {
            return Write::put(new, Operation::InsertOrReplace).map(Self::Ready);
        }
        Ok(Self::Blind(Blind::upsert::<E>(new)))
    }

    pub(crate) fn overwrite<E: Writable>(entity: &E) -> Result<Self, Error> {
        let new = New::valid(entity)?;
        let mut versions = new.design().into_iter().flat_map(|design| Versions::new(design).all());
        if let Some(part) = versions.find_map(part_outside_row) {
            return Err(Error::OverwriteUnsupported { address: Box::new(new.address), part });
        }
        Write::put(new, Operation::InsertOrReplace).map(Self::Ready)
    }

    pub(crate) fn merge(patch: impl IntoMerge) -> Result<Self, Error> {
        let Merge { address, properties, puts, old, entity, read, is_blind, .. } = patch.into_merge()?;
        let design = entity.map(EntityInfo::newest);
        let condition = old.as_ref().map_or(super::ANY, Old::condition_of_entity);
        let newest = old.as_ref().map(|old| newest(old, &properties, &puts)).transpose()?.flatten();
        if let (Some(new), Some(old), Some(read)) = (newest, &old, read) {
            return Self::over(old.clone(), new, read);
        }
        if let Some(layout) = design.and_then(Layout::of) {
            return Ok(match &old {
                Some(old) => Self::Ready(Write::wide_merge(layout, &address, properties, old.wide()?)?),
                None => Self::wide_merge(layout, address, properties, is_blind),
            });
        }
        // Another entity keeps values in the row, or the row may have another version.
        let depends_on_row = |design: &Design| !design.fed.is_empty() || design.checks_version();
        let is_read = condition == super::ANY && !is_blind && design.is_some_and(depends_on_row);
        if let Some(read) = read.filter(|_| is_read) {
            return Ok(Self::Blind(Blind::merge((address, properties), read, design)));
        }
        let old = old.as_ref();
        let patch = Patched { loaded: old, found: old, puts };
        let merge = |entity| Operation::Merge(entity, condition);
        Write::patch((address, properties), merge, design, patch).map(Self::Ready)
    }

    pub(crate) fn upsert_merge(patch: impl IntoMerge) -> Result<Self, Error> {
        let Merge { address, mut properties, puts, old, entity, read, is_blind, .. } = patch.into_merge()?;
        let design = entity.map(EntityInfo::newest);
        if let Some(layout) = design.and_then(Layout::of) {
            return Ok(Self::wide_upsert_merge(layout, address, properties, is_blind));
        }
        if let Some(entity_type) = design.and_then(|design| design.entity_type) {
            properties.set(ENTITY_TYPE, entity_type);
        }
        let row = (address, properties);
        // Without the previous state, the derived rows and blobs of the entity are unknown.
        let unsupported = |address| Err(Error::PartialUpsertUnsupported { address: Box::new(address) });
        if design.is_some_and(Design::has_rules) {
            return unsupported(row.0);
        }
        if let Some(old) = &old {
            let patch = Patched { loaded: Some(old), found: None, puts };
            if !Write::patch(row.clone(), Operation::InsertOrMerge, design, patch)?.is_alone() {
                return unsupported(row.0);
            }
        }
        match read {
            Some(read) => {
                let reads = design.is_some_and(Design::checks_version) && !is_blind;
                Ok(Self::Blind(Blind::upsert_merge(row, read, design, reads)))
            }
            None => Write::patch(row, Operation::InsertOrMerge, design, Patched::default()).map(Self::Ready),
        }
    }

    pub(crate) fn delete(target: impl DeleteTarget) -> Result<Self, Error> {
        target.target().map(|deletion| deletion.0)
    }

    /// Returns the writes that move an entity within its partition; a single write if the key is unchanged.
    pub(crate) fn rekey(old: Old, new: New, read: ReadOld) -> Result<Vec<Self>, Error> {
        if old.address == new.address {
            return Ok(vec![Self::over(old, new, read)?]);
        }
        if !old.address.same_partition(&new.address) {
            let (from, to) = (Box::new(old.address), Box::new(new.address));
            return Err(Error::MovesPartition { from, to });
        }
        if let Some(property) = old.unread.bound() {
            let property = property.to_owned();
            return Err(Error::UndeclaredBound { address: Box::new(old.address), property });
        }
        Ok(Write::moved(&old, new)?.into_iter().map(Self::Ready).collect())
    }

    /// Returns the address of the entity, for a write that must read first.
    pub(crate) fn reads(&self) -> Option<&Address> {
        match self {
            Self::Ready(_) => None,
            Self::Blind(blind) => Some(&blind.address),
            Self::Late(late) => Some(late.address()),
        }
    }

    /// Returns a write that is tried before anything is read, if there is one.
    pub(crate) fn first(&self) -> Result<Option<Write>, Error> {
        match self {
            Self::Ready(_) => Ok(None),
            Self::Blind(blind) => blind.first(),
            Self::Late(late) => late.first(),
        }
    }

    /// Returns the RowKey of a write that reads first and affects only the entity's row.
    pub(crate) fn only_row(&self) -> Option<&str> {
        match self {
            Self::Blind(blind) if blind.is_alone() => Some(&blind.address.row_key),
            Self::Ready(_) | Self::Blind(_) | Self::Late(_) => None,
        }
    }

    /// Returns the number of bytes that the write sets, for a write that reads first. What the row contains is added to
    /// them.
    pub(crate) fn new_bytes(&self) -> usize {
        match self {
            Self::Blind(blind) => blind.new_bytes(),
            Self::Ready(_) | Self::Late(_) => 0,
        }
    }

    /// Returns the write to send. For a write that reads first, also returns whether the read found a row.
    pub(crate) async fn resolve(&self, tables: &Tables) -> Result<(Write, Option<bool>), Error> {
        let (write, found) = match self {
            Self::Ready(write) => return Ok((write.clone(), None)),
            Self::Blind(blind) if !blind.reads_again() => return Ok((blind.resolve(tables).await?, None)),
            Self::Blind(blind) => (blind.resolve(tables).await?, true),
            Self::Late(late) => late.resolve(tables).await?,
        };
        Ok((write, Some(found)))
    }

    /// Describes these writes for their span.
    pub(crate) fn describe(writes: &[Self]) -> span::Writes<'_> {
        let (operation, entity) = match writes {
            [Self::Ready(write)] => (Some(write.operation.kind()), write.design.map(|design| design.name)),
            [Self::Blind(blind)] => {
                let (operation, entity) = blind.operation();
                (Some(operation), entity)
            }
            [Self::Late(late)] => {
                let (operation, entity) = late.operation();
                (Some(operation), Some(entity))
            }
            _ => (None, None),
        };
        let operation = operation.map_or("EntityGroupTransaction", OperationKind::name);
        let table = writes.first().map_or("", |write| write.partition().0.as_str());
        span::Writes { operation, table, entity, size: writes.len() }
    }

    /// Returns the table and the PartitionKey.
    pub(crate) fn partition(&self) -> (&TableName, &str) {
        match self {
            Self::Ready(write) => (&write.table, write.operation.partition_key()),
            Self::Blind(blind) => (&blind.address.table, &blind.address.partition_key),
            Self::Late(late) => (late.address().table(), late.address().partition_key()),
        }
    }
}

/// Returns what an overwrite would lose, because it does not know the previous state.
fn part_outside_row(design: &Design) -> Option<&'static str> {
    let parts = [
        (!design.indexes.is_empty(), "indexes"),
        (!design.feeds.is_empty() || !design.fed.is_empty(), "aggregates or copied fields"),
        (design.changes.is_some(), "a change feed"),
        (design.has_blobs(), "blobs"),
        (design.wide.is_some(), "several rows"),
        (design.created.is_some(), "a time of creation"),
    ];
    parts.into_iter().find_map(|(has, part)| has.then_some(part))
}

/// Returns whether a write of the entity must know the previous state: rows are derived from it, or it references
/// blobs.
pub(crate) fn depends_on_old<E: Writable>() -> bool {
    E::entity().is_some_and(|kind| kind.newest().has_rules() || kind.newest().has_blobs())
}

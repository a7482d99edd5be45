//! Rows of an entity before and after a write.

use std::sync::Arc;

use table_model::{Condition, ETag, Entity, ErrorCode, Operation, Properties, TableError};

use super::Write;
use crate::{
    AccessPath, Address, Error, Stored,
    core::{derived::DerivedRow, entity::Writable, kinds::Kind, stored::Places},
    design::{Design, Index},
    pattern::{
        large::{Named, Put},
        wide::Versions,
    },
};

/// Required rows of an entity.
#[derive(Clone, Debug)]
pub(crate) struct New {
    pub(crate) address: Address,
    properties: Properties,
    derived: Vec<DerivedRow>,
    /// Values of the blob fields.
    pub(crate) blobs: Vec<Put>,
    /// Entity type. `None` for an untyped entity.
    entity: Option<Kind>,
}

impl New {
    pub(crate) fn of<E: Writable>(entity: &E) -> Result<Self, Error> {
        let (address, (properties, blobs)) = (entity.whereabouts()?, entity.contents()?);
        let derived = entity.derived(&properties)?;
        Ok(Self { address, properties, derived, blobs, entity: E::entity() })
    }

    /// Returns the entity type, if it has rows in other partitions or blobs.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.entity.filter(|kind| kind.is_followed())
    }

    pub(crate) fn design(&self) -> Option<&'static Design> {
        self.entity.map(|kind| kind.design)
    }

    /// Returns the derived rows.
    pub(crate) fn rows(&self) -> &[DerivedRow] {
        &self.derived
    }

    /// Moves the rows of some indexes out.
    pub(crate) fn take_rows(
        &mut self,
        is_such: impl Fn(&Index) -> bool,
    ) -> Vec<(&'static Index, DerivedRow)> {
        let indexes = indexes(self.entity);
        let (mut taken, mut others) = (Vec::with_capacity(self.derived.len()), Vec::new());
        for row in self.derived.drain(..) {
            match indexes.get(row.number).filter(|index| is_such(index)) {
                Some(index) => taken.push((index, row)),
                None => others.push(row),
            }
        }
        self.derived = others;
        taken
    }

    /// Moves the properties out, and returns the entity.
    pub(crate) fn take_entity(&mut self) -> Entity {
        let Address { partition_key, row_key, .. } = self.address.clone();
        Entity { partition_key, row_key, properties: std::mem::take(&mut self.properties) }
    }

    /// Moves the properties out, and returns the write of the entity's row.
    pub(super) fn row(&mut self, form: impl FnOnce(Entity) -> Operation) -> Write {
        let (table, design) = (self.address.table.clone(), self.design());
        Write::alone(table, form(self.take_entity())).of(design)
    }

    /// Returns the address and the properties.
    pub(crate) fn into_row(self) -> (Address, Properties) {
        (self.address, self.properties)
    }
}

fn indexes(entity: Option<Kind>) -> &'static [Index] {
    entity.map_or(&[], |kind| kind.design.indexes)
}

/// Rows of an entity when it was read, and the row it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Old {
    pub(crate) address: Address,
    path: AccessPath,
    etag: ETag,
    derived: Vec<DerivedRow>,
    /// Blobs that the entity referenced.
    pub(crate) blobs: Vec<Named>,
    entity: Option<Kind>,
    /// Properties that other entities keep in the row.
    pub(crate) kept: Properties,
    /// Versions of the rows of a wide entity.
    versions: Option<Arc<Versions>>,
}

impl Old {
    pub(crate) fn of<E: Writable>(stored: &Stored<E>) -> Result<Self, Error> {
        if stored.has_unknown_rows() {
            return Err(Error::IndexedEntity { address: Box::new(stored.whereabouts()?) });
        }
        let Places { address, derived, blobs } = stored.rows()?;
        let (path, etag) = (stored.path(), stored.etag().clone());
        let (kept, versions) = (stored.kept().clone(), stored.versions().cloned());
        Ok(Self { address, path, etag, derived, blobs, entity: E::entity(), kept, versions })
    }

    /// Returns the entity type, if it has rows in other partitions or blobs.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.entity.filter(|kind| kind.is_followed())
    }

    /// Returns the entity type. `None` for an untyped entity.
    pub(crate) const fn entity(&self) -> Option<Kind> {
        self.entity
    }

    pub(crate) fn design(&self) -> Option<&'static Design> {
        self.entity.map(|kind| kind.design)
    }

    /// Returns the versions of the rows of a wide entity. Fails if only a part was written since, because the versions
    /// are then unknown.
    pub(crate) fn wide(&self) -> Result<&Versions, Error> {
        self.versions.as_deref().ok_or_else(|| {
            let message = "The versions of some parts of the entity are unknown. Read the entity again.";
            TableError::with_message(ErrorCode::UpdateConditionNotSatisfied, message).into()
        })
    }

    /// Returns the condition on the entity row.
    pub(crate) fn condition_of_entity(&self) -> Condition {
        self.condition_of(AccessPath::Own)
    }

    /// Returns the condition on a row. The row that was read must be unchanged. The other rows change only together
    /// with it, so they only have to exist.
    pub(crate) fn condition_of(&self, path: AccessPath) -> Condition {
        if self.path == path { Condition::Matches(self.etag.clone()) } else { Condition::Exists }
    }

    /// Returns the derived rows.
    pub(crate) fn rows(&self) -> &[DerivedRow] {
        &self.derived
    }

    /// Returns the index rows.
    pub(crate) fn derived(&self) -> impl Iterator<Item = (&'static Index, &DerivedRow)> {
        let indexes = indexes(self.entity);
        self.derived.iter().filter_map(|row| Some((indexes.get(row.number)?, row)))
    }
}

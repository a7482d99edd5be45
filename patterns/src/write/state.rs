//! Rows of an entity before and after a write.

use table_model::{Entity, Operation, Properties};

use super::Write;
use crate::{
    Address, Error,
    core::{blob::put::Put, derived_row::DerivedRow, entity::Writable, kinds::Kind, old::indexes},
    design::{Design, Index},
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
        if entity.has_unknown_rows() {
            return Err(Error::IndexedEntity { address: Box::new(entity.whereabouts()?) });
        }
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

//! Rows that an entity requires.

use std::iter::once;

use table_model::{Entity, Name, Properties, Timestamp, Value, key::utf16_units};

use crate::{
    Address, Error,
    core::{
        blob::put::Put,
        derived_row::DerivedRow,
        entity::Writable,
        entity_types::EntityInfo,
        old::Old,
        unread::{Unread, is_copied, set_all},
    },
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
    entity: Option<EntityInfo>,
}

impl New {
    /// Checks an entity that the program writes, and creates its rows.
    pub(crate) fn valid<E: Writable>(entity: &E) -> Result<Self, Error> {
        entity.check_valid()?;
        Self::of(entity)
    }

    pub(crate) fn of<E: Writable>(entity: &E) -> Result<Self, Error> {
        Self::with_times(entity, true)
    }

    /// Creates an entity that is moved. Its times are those of its fields: a write of it sets none.
    pub(crate) fn moved<E: Writable>(entity: &E) -> Result<Self, Error> {
        Self::with_times(entity, false)
    }

    /// Creates an entity without blobs and times, with its derived rows.
    pub(crate) const fn of_design(
        entity: EntityInfo,
        address: Address,
        properties: Properties,
        derived: Vec<DerivedRow>,
    ) -> Self {
        Self { address, properties, derived, blobs: Vec::new(), entity: Some(entity) }
    }

    fn with_times<E: Writable>(entity: &E, sets_times: bool) -> Result<Self, Error> {
        if entity.has_unknown_rows() {
            return Err(Error::IndexedEntity { address: Box::new(entity.whereabouts()?) });
        }
        let (address, (mut properties, blobs)) = (entity.whereabouts()?, entity.contents()?);
        let design = E::entity().map(EntityInfo::newest);
        for name in design.into_iter().flat_map(Design::stamps) {
            // Placeholder for the time, so that index rows with the field have it.
            if sets_times && properties.get(name).is_none() {
                set_all(&mut properties, once((&name.into(), &Timestamp::now().into())));
            }
        }
        let derived = entity.derived(&properties)?;
        Ok(Self { address, properties, derived, blobs, entity: E::entity() })
    }

    /// Adds the properties of the stored row that the type does not declare, to the row and to the index rows that
    /// contain all fields.
    pub(crate) fn keep(mut self, unread: &Unread) -> Self {
        unread.add_to(&mut self.properties);
        for row in &mut self.derived {
            if let Some(index) = row.rule.index() {
                set_all(&mut row.properties, unread.iter().filter(|(name, _)| is_copied(index, name)));
            }
        }
        self
    }

    /// Keeps what the entity had before: undeclared properties, and the time of its creation.
    pub(crate) fn after(self, old: &Old) -> Self {
        let mut new = self.keep(&old.unread);
        let Some(name) = new.design().filter(|_| old.entity().is_some()).and_then(|design| design.created)
        else {
            return new;
        };
        let rows = new.derived.iter_mut().map(|row| &mut row.properties);
        for properties in once(&mut new.properties).chain(rows) {
            // An index row has the property if the index contains it. A row of an older program may lack it.
            match old.created {
                Some(created) if properties.get(name).is_some() => properties.set(name, created),
                _ => drop(properties.remove(name)),
            }
        }
        new
    }

    /// Applies a patch. It sets no property that determines an address.
    pub(crate) fn patch(mut self, properties: &Properties, puts: &[Put]) -> Self {
        let all = || properties.iter().map(|(name, value)| (name, value));
        set_all(&mut self.properties, all());
        for row in &mut self.derived {
            if let Some(index) = row.rule.index() {
                set_all(&mut row.properties, all().filter(|(name, _)| index.holds(name)));
            }
        }
        for put in puts {
            self.blobs.retain(|other| other.property != put.property);
            self.blobs.push(put.clone());
        }
        self
    }

    /// Returns the entity type, if it has rows in other partitions or blobs.
    pub(crate) fn kind(&self) -> Option<EntityInfo> {
        self.entity.filter(|kind| kind.is_followed())
    }

    pub(crate) fn design(&self) -> Option<&'static Design> {
        self.entity.map(EntityInfo::newest)
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
        let (mut taken, mut others) = (Vec::with_capacity(self.derived.len()), Vec::new());
        for row in self.derived.drain(..) {
            match row.rule.index().filter(|index| is_such(index)) {
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

    /// Returns the number of bytes of the entity's row.
    pub(crate) fn size(&self) -> usize {
        row_size(&self.address, &self.properties)
    }

    /// Returns the address and the properties.
    pub(crate) fn into_row(self) -> (Address, Properties) {
        (self.address, self.properties)
    }
}

/// Returns the number of bytes of a row.
pub(crate) fn row_size(address: &Address, properties: &Properties) -> usize {
    let keys = 4 + 2 * (utf16_units(&address.partition_key) + utf16_units(&address.row_key));
    let of = |(name, value): &(Name, Value)| 8 + 2 * utf16_units(name) + value.size();
    keys + properties.iter().map(of).sum::<usize>()
}

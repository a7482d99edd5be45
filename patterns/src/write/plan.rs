//! Writes planned from the state of an entity before and after. Only the patterns of its design are asked.

use table_model::{Entity, Operation, Properties, Timestamp};

use super::{Change, New, Patched, Patterns, States, Write, at, properties_mut};
use crate::{
    Address, Error,
    core::{
        blob::put::Put,
        old::Old,
        reserved::{NO_TOKEN, TRANSACTION},
    },
    design::Design,
};

/// Moves the properties out, and returns the write of the entity's row.
fn row(new: &mut New, form: impl FnOnce(Entity) -> Operation) -> Write {
    let (table, design) = (new.address.table.clone(), new.design());
    Write::alone(table, form(new.take_entity())).of(design)
}

/// Returns the rows for a patch of a row of an older version: it replaces the row with the newest version. Returns `None`
/// if the row has the newest version.
pub(super) fn newest(old: &Old, properties: &Properties, puts: &[Put]) -> Result<Option<New>, Error> {
    let Some(newest) = old.newest.clone() else { return Ok(None) };
    old.check_not_restored()?;
    // The values that contribute to other entities cannot be determined from properties alone.
    if old.design().is_some_and(|design| !design.feeds.is_empty()) {
        return Err(Error::OlderVersion { address: Box::new(old.address.clone()) });
    }
    Ok(Some(newest.patch(properties, puts)))
}

impl Write {
    /// Creates the write that inserts a new entity.
    pub(crate) fn insert(new: New) -> Result<Self, Error> {
        Self::put(new, Operation::Insert)
    }

    /// Creates a write of an entity whose previous state does not matter.
    pub(crate) fn put(mut new: New, form: impl FnOnce(Entity) -> Operation) -> Result<Self, Error> {
        let design = new.design();
        if Patterns::of(design).next().is_none() {
            // No pattern reads the keys: they are moved out, not copied.
            let (Address { table, partition_key, row_key }, properties) = new.into_row();
            let entity = Entity { partition_key, row_key, properties };
            return Ok(Self::alone(table, form(entity)).of(design));
        }
        let row = row(&mut new, form);
        row.planned(States::of(None, Some(&mut new)))
    }

    /// Creates the write that replaces the state that was read with a new one.
    pub(crate) fn over(old: &Old, new: New) -> Result<Self, Error> {
        old.check_not_restored()?;
        let mut new = new.after(old);
        let row = row(&mut new, |entity| Operation::Replace(entity, old.condition_of_entity()));
        row.planned(States::of(Some(old), Some(&mut new)))
    }

    /// Creates the write that deletes the entity that was read.
    pub(crate) fn delete(old: &Old) -> Result<Self, Error> {
        Self::gone(old).planned(States::of(Some(old), None))
    }

    /// Creates the writes that move an entity within its partition: the row with the old key is deleted, the row with
    /// the new key is inserted, and the index rows change once.
    pub(crate) fn moved(old: &Old, new: New) -> Result<Vec<Self>, Error> {
        old.check_not_restored()?;
        let mut new = new.after(old);
        let gone = Self::gone(old).planned(States::moved_from(old))?;
        let row = row(&mut new, Operation::Insert);
        Ok(vec![gone, row.planned(States::moved_to(old, &mut new))?])
    }

    /// Creates the write that sets some properties of an entity.
    pub(crate) fn patch(
        (address, mut properties): (Address, Properties),
        form: impl FnOnce(Entity) -> Operation,
        design: Option<&'static Design>,
        mut patch: Patched<'_>,
    ) -> Result<Self, Error> {
        let table = address.table.clone();
        if let Some(updated) = design.and_then(|design| design.updated) {
            // Placeholder for the time, by which index rows with the property are changed as well.
            properties.set(updated, Timestamp::now());
        }
        let mut write = Self::alone(table, at(address, properties, form)).of(design);
        for pattern in Patterns::of(design) {
            pattern.patch(&mut patch, &mut write)?;
        }
        let is_marked =
            |change: &dyn Change| change.operations().next().is_some() || !change.touches().is_empty();
        let is_marked = write.changes.iter().any(|change| is_marked(&**change));
        if let Some(properties) = properties_mut(&mut write.operation).filter(|_| is_marked) {
            properties.set(TRANSACTION, NO_TOKEN);
        }
        Ok(write)
    }

    fn gone(old: &Old) -> Self {
        let Address { table, partition_key, row_key } = old.address.clone();
        let condition = old.condition_of_entity();
        Self::alone(table, Operation::Delete { partition_key, row_key, condition }).of(old.design())
    }

    fn planned(mut self, mut states: States<'_>) -> Result<Self, Error> {
        for pattern in Patterns::of(self.design) {
            pattern.plan(&mut states, &mut self)?;
        }
        Ok(self)
    }
}

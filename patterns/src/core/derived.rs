//! Derived rows: the index rows of an entity, which are stored under other keys.

mod copy_reader;

pub use copy_reader::{CopyReader, IndexRowError};

use table_model::Properties;

use crate::{
    AccessPath, Address, Error, TableEntity,
    core::{
        cross_partition_row::{LIVE, SHOWN, SOURCE, STATE, source_text},
        derived_row::DerivedRow,
        error::{PropertyValueError, property::PropertyError},
        key::value::FieldValue,
        properties::Writer,
        reserved::{ENTITY_TYPE, NO_DERIVED_TOKEN, TRANSACTION},
        row,
        rule::Rule,
        unread::is_copied,
    },
    design::{Design, Index},
};

/// Collects the rows that are derived from one entity, in the order of its indexes.
#[derive(Debug)]
pub struct DerivedRows<'p> {
    pub(crate) design: &'static Design,
    /// Properties of the entity. `None` if only addresses are requested.
    pub(crate) source: Option<&'p Properties>,
    /// Address of the entity, if rows in other partitions contain it.
    pub(crate) entity: Option<Address>,
    pub(crate) rows: Vec<DerivedRow>,
}

impl<'p> DerivedRows<'p> {
    /// Returns the rows derived from an entity, with addresses only.
    pub(crate) fn addresses_of<E: TableEntity>(entity: &E) -> Result<Vec<DerivedRow>, Error> {
        Self::collect(entity, None)
    }

    /// Returns the rows derived from an entity whose own row has these properties.
    pub(crate) fn of<E: TableEntity>(entity: &E, source: &'p Properties) -> Result<Vec<DerivedRow>, Error> {
        Self::collect(entity, Some(source))
    }

    fn collect<E: TableEntity>(entity: &E, source: Option<&'p Properties>) -> Result<Vec<DerivedRow>, Error> {
        Self::by(E::DESIGN, source, || entity.address(), |rows| entity.derive(rows))
    }

    /// Returns the rows that `derive` adds for an entity at an address.
    pub(crate) fn by(
        design: &'static Design,
        source: Option<&'p Properties>,
        address: impl FnOnce() -> Result<Address, Error>,
        derive: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<Vec<DerivedRow>, Error> {
        let most = design.indexes.len() + design.feeds.len();
        if most == 0 {
            return Ok(Vec::new());
        }
        let is_far = source.is_some() && design.indexes.iter().any(|index| !index.near);
        let entity = if is_far || !design.feeds.is_empty() { Some(address()?) } else { None };
        let mut rows = Self { design, source, entity, rows: Vec::with_capacity(most) };
        derive(&mut rows)?;
        Ok(rows.rows)
    }

    /// Adds an index row, with the values of its keys. `own` writes the parts of the entity's key that are properties
    /// of the row.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a value cannot be part of the key, and the error of `own`.
    pub fn row<E: TableEntity>(
        &mut self,
        number: usize,
        partition: &[(&'static str, FieldValue<'_>)],
        row: &[(&'static str, FieldValue<'_>)],
        own: impl FnOnce(&mut Writer) -> Result<(), PropertyError>,
    ) -> Result<(), Error> {
        let address = row::address_by::<E>(AccessPath::Index(number), partition, row)?;
        self.row_at(number, address, own)
    }

    /// Adds an index row at an address.
    pub(crate) fn row_at(
        &mut self,
        number: usize,
        address: Address,
        own: impl FnOnce(&mut Writer) -> Result<(), PropertyError>,
    ) -> Result<(), Error> {
        let Some(index) = self.design.indexes.get(number) else { return Ok(()) };
        let properties = match self.source {
            Some(source) => self.properties(index, source, own)?,
            None => Properties::new(),
        };
        self.rows.push(DerivedRow::new(Rule::Index(self.design, index), address, properties));
        Ok(())
    }

    /// Returns the properties of an index row: first the parts of the entity's key, then the entity's properties that
    /// the index contains, in their order.
    fn properties(
        &self,
        index: &Index,
        source: &Properties,
        own: impl FnOnce(&mut Writer) -> Result<(), PropertyError>,
    ) -> Result<Properties, Error> {
        let mut writer = Writer::with_capacity(index.property_names().count() + 2);
        own(&mut writer).map_err(|error| PropertyValueError::new(self.design.name, error))?;
        let mut properties = writer.into_properties();
        // A row with all fields also contains the properties that the type does not declare.
        let is_held =
            |name: &str| if self.design.stores(name) { index.holds(name) } else { is_copied(index, name) };
        let held = source.iter().filter(|(name, _)| is_held(name));
        for (name, value) in held {
            properties.push_new(name.clone(), value.clone());
        }
        if index.near {
            properties.push_new(TRANSACTION, NO_DERIVED_TOKEN);
        } else {
            self.say_whose(&mut properties);
        }
        if let Some(entity_type) = self.design.entity_type {
            properties.push_new(ENTITY_TYPE, entity_type);
        }
        Ok(properties)
    }

    /// Adds the properties that all rows in other partitions have.
    pub(crate) fn say_whose(&self, properties: &mut Properties) {
        properties.push_new(STATE, LIVE);
        properties.push_new(SOURCE, self.entity.as_ref().map(source_text).unwrap_or_default());
        // Placeholder for the version, which is determined when the entity is read.
        properties.push_new(SHOWN, "");
    }
}

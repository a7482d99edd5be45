//! The traits that the derive implements.

use table_model::{Properties, RowRef, Timestamp};

use crate::{
    Address, Error, FromRow, Patch, PatchState, Source, Stored, TableScan,
    core::{
        blob::put::Put,
        derived::{CopyReader, DerivedRows, IndexRowError},
        derived_row::DerivedRow,
        entity_stamps::Stamps,
        entity_types::EntityInfo,
        error::{DecodeError, PropertyValueError, property::PropertyError},
        key::KeyReader,
        properties::{Reader, Writer},
        reserved::{ENTITY_TYPE, NO_TOKEN, TRANSACTION},
        row,
    },
    design::Design,
};

/// An entity type: a struct that is stored as rows of a table. Implemented by `#[derive(TableEntity)]`.
///
/// It has no lifetimes and no type parameters, and is used by value: `Send + Sync + 'static`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table entity",
    label = "not an entity",
    note = "add #[derive(TableEntity)] to the struct, and specify its keys"
)]
pub trait TableEntity: Sized + Send + Sync + 'static {
    /// The key type, with one field for each key field.
    type Key: EntityKey<Entity = Self>;

    /// The setters of the entity's patches.
    type Patch<S: PatchState>: From<Patch<Self, S>>;

    /// Type of the property descriptors for filters.
    type Fields: 'static;

    /// The design: tables, templates and properties, as plain data.
    const DESIGN: &'static Design;

    /// Property descriptors for filters.
    const FIELDS: &'static Self::Fields;

    /// Returns the key, from the entity's fields.
    fn key(&self) -> Self::Key;

    /// Returns the address, from the entity's fields.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a value cannot be part of a key.
    fn address(&self) -> Result<Address, Error>;

    /// Writes the properties, in field order.
    #[doc(hidden)]
    fn write(&self, into: &mut Writer) -> Result<(), PropertyError>;

    /// Reads the properties, in field order, and sets the other fields from the key.
    #[doc(hidden)]
    fn read(key: Self::Key, from: &mut Reader<'_>) -> Result<Self, PropertyError>;

    /// Adds the entity's index rows to `rows`.
    #[doc(hidden)]
    fn derive(&self, _rows: &mut DerivedRows<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the key of the entity that an index row belongs to.
    #[doc(hidden)]
    fn read_copy(_number: usize, _from: &mut CopyReader<'_, '_, '_>) -> Result<Self::Key, IndexRowError> {
        Err(IndexRowError::Foreign)
    }

    /// Decodes the entity from its own row or an index row.
    #[doc(hidden)]
    fn decode(source: Source<'_>, row: RowRef<'_>) -> Result<Self, DecodeError> {
        row::decode::<Self>(source, row)
    }

    /// Returns the time of the creation, if a field contains it.
    #[doc(hidden)]
    fn stored_creation(&self) -> Option<Timestamp> {
        None
    }

    /// Sets the fields whose values the library has written.
    #[doc(hidden)]
    fn set_stored_stamps(&mut self, _stamps: Stamps) {}

    /// Returns the previous version of the type.
    #[doc(hidden)]
    fn older_version() -> Option<EntityInfo> {
        None
    }

    /// Calls the function of `#[table(validate = function)]`.
    #[doc(hidden)]
    fn validation(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Creates a query that reads the complete table and returns the rows of this entity type. Its cost grows with the
    /// table, so it must be requested explicitly. `#[table(deny(table_scan))]` disables it.
    fn scan_table() -> TableScan<Self>
    where
        Self: AllowTableScan,
    {
        TableScan::of_entity()
    }
}

/// Permission to scan the complete table. Not implemented with `#[table(deny(table_scan))]`.
#[diagnostic::on_unimplemented(
    message = "table scans of `{Self}` are denied",
    label = "#[table(deny(table_scan))]",
    note = "use a query on a key or an index, or `scan_partition`"
)]
pub trait AllowTableScan: TableEntity {}

/// An entity type without encrypted fields, whose [`Stored`] serializes as the entity. Implemented by the derive.
#[diagnostic::on_unimplemented(
    message = "`Stored<{Self}>` is not serialized: `{Self}` has encrypted fields",
    label = "has encrypted fields",
    note = "serialize a struct without the secrets; or, if the receiver may see them, the entity itself: `&*stored`"
)]
pub trait NotEncrypted: TableEntity {}

/// The key of an entity, field by field.
pub trait EntityKey: Clone + Send + Sync + 'static {
    /// The entity type.
    type Entity: TableEntity<Key = Self>;

    /// Returns the address of the entity.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a value cannot be part of a key.
    fn address(&self) -> Result<Address, Error>;

    /// Reads the template fields in the order of the templates.
    #[doc(hidden)]
    fn read(keys: &mut KeyReader<'_>) -> Option<Self>;
}

/// Types that can be written: every entity type, and the untyped [`DynamicEntity`](crate::DynamicEntity).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table entity",
    label = "not an entity",
    note = "add #[derive(TableEntity)] to the struct, and specify its keys"
)]
pub trait Writable: Send + Sync + 'static {
    /// Returns the address of the entity.
    #[doc(hidden)]
    fn whereabouts(&self) -> Result<Address, Error>;

    /// Checks the entity before a write.
    #[doc(hidden)]
    fn check_valid(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Returns all properties, with `EntityType` last, and the values of the blob fields.
    #[doc(hidden)]
    fn contents(&self) -> Result<(Properties, Vec<Put>), Error>;

    /// Returns the untyped description of the entity, or `None` for an untyped entity.
    #[doc(hidden)]
    fn entity() -> Option<EntityInfo> {
        None
    }

    /// Returns whether the entity has derived rows that this type cannot maintain.
    #[doc(hidden)]
    fn has_unknown_rows(&self) -> bool {
        false
    }

    /// Returns the index rows of the entity; `properties` are its own.
    #[doc(hidden)]
    fn derived(&self, _properties: &Properties) -> Result<Vec<DerivedRow>, Error> {
        Ok(Vec::new())
    }

    /// Returns the addresses of the entity's index rows.
    #[doc(hidden)]
    fn derived_at(&self) -> Result<Vec<DerivedRow>, Error> {
        Ok(Vec::new())
    }

    /// Returns the time of the creation, if a field contains it.
    #[doc(hidden)]
    fn read_creation(&self) -> Option<Timestamp> {
        None
    }

    /// Sets the fields whose values the library has written.
    #[doc(hidden)]
    fn accept_stamps(&mut self, _stamps: Stamps) {}

    /// Decodes the entity's own row or an index row into a stored entity.
    #[doc(hidden)]
    fn stored(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<Self>, Error>
    where
        Self: Sized;
}

impl<E: TableEntity> Writable for E {
    fn whereabouts(&self) -> Result<Address, Error> {
        self.address()
    }

    fn check_valid(&self) -> Result<(), Error> {
        self.validation()
    }

    fn contents(&self) -> Result<(Properties, Vec<Put>), Error> {
        let design = E::DESIGN;
        let mut writer = Writer::with_capacity(design.property_count() + 1);
        self.write(&mut writer).map_err(|error| PropertyValueError::new(design.name, error))?;
        let (mut properties, blobs) = writer.into_parts();
        if design.has_rules() {
            // Placeholder for the token, which is determined when the write is sent.
            properties.push_new(TRANSACTION, NO_TOKEN);
        }
        if let Some(entity_type) = design.entity_type.filter(|_| design.wide.is_none()) {
            properties.push_new(ENTITY_TYPE, entity_type);
        }
        Ok((properties, blobs))
    }

    fn entity() -> Option<EntityInfo> {
        Some(EntityInfo::of::<E>())
    }

    fn derived(&self, properties: &Properties) -> Result<Vec<DerivedRow>, Error> {
        DerivedRows::of(self, properties)
    }

    fn derived_at(&self) -> Result<Vec<DerivedRow>, Error> {
        DerivedRows::addresses_of(self)
    }

    fn read_creation(&self) -> Option<Timestamp> {
        self.stored_creation()
    }

    fn accept_stamps(&mut self, stamps: Stamps) {
        self.set_stored_stamps(stamps);
    }

    fn stored(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<Self>, Error> {
        Ok(E::from_row(source, row)?)
    }
}

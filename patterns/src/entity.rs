//! What the derive implements.

use table_store::{Properties, RowRef};

use crate::{
    Address, Error, Patch, PatchState, TableScan,
    design::Design,
    error::{DecodeError, PropertyOf},
    key::KeyReader,
    properties::{PropertyError, Reader, Writer},
    row,
};

/// An entity: a struct that is kept as rows of a table. Implemented by `#[derive(TableEntity)]`.
///
/// It has no lifetimes and no type parameters, and is used by value: `Send + Sync + 'static`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table entity",
    label = "not an entity",
    note = "add #[derive(TableEntity)] to the struct, and say how it is keyed"
)]
pub trait TableEntity: Sized + Send + Sync + 'static {
    /// Its key, field by field.
    type Key: EntityKey<Entity = Self>;

    /// The setters of its patches.
    type Patch<S: PatchState>: From<Patch<Self, S>>;

    /// Its properties, for filters.
    type Fields: 'static;

    /// Its design: tables, templates and properties, as plain data.
    const DESIGN: &'static Design;

    /// Its properties, for filters.
    const FIELDS: &'static Self::Fields;

    /// The key that its fields say.
    fn key(&self) -> Self::Key;

    /// Where its fields say it is.
    fn address(&self) -> Result<Address, Error>;

    /// Writes the properties, in the order of the fields.
    #[doc(hidden)]
    fn write(&self, into: &mut Writer) -> Result<(), PropertyError>;

    /// Reads the properties, in the order of the fields, and takes the rest from the key.
    #[doc(hidden)]
    fn read(key: Self::Key, from: &mut Reader<'_>) -> Result<Self, PropertyError>;

    /// The entity in a row.
    #[doc(hidden)]
    fn decode(row: RowRef<'_>) -> Result<Self, DecodeError> {
        row::decode::<Self>(row)
    }

    /// Reads the whole table, and keeps the rows of this kind. It costs what the table holds, so it must be asked for
    /// by this name, and `#[table(deny(table_scan))]` takes it away.
    fn scan_table() -> TableScan<Self>
    where
        Self: AllowTableScan,
    {
        TableScan::of_entity()
    }
}

/// Permission to scan the whole table; absent under `#[table(deny(table_scan))]`.
#[diagnostic::on_unimplemented(
    message = "table scans of `{Self}` are denied",
    label = "#[table(deny(table_scan))]",
    note = "use a designed path, or `scan_partition`"
)]
pub trait AllowTableScan: TableEntity {}

/// The key of an entity, field by field.
pub trait EntityKey: Clone + Send + Sync + 'static {
    /// What it is the key of.
    type Entity: TableEntity<Key = Self>;

    /// Where the entity is.
    fn address(&self) -> Result<Address, Error>;

    /// Reads the holes in the order of the templates.
    #[doc(hidden)]
    fn read(keys: &mut KeyReader<'_>) -> Option<Self>;
}

/// What can be written: every entity, and the property bag [`Entity`](crate::Entity).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table entity",
    label = "not an entity",
    note = "add #[derive(TableEntity)] to the struct, and say how it is keyed"
)]
pub trait Writable: Send + Sync + 'static {
    /// Where it is.
    #[doc(hidden)]
    fn whereabouts(&self) -> Result<Address, Error>;

    /// All its properties, `EntityType` last.
    #[doc(hidden)]
    fn properties(&self) -> Result<Properties, Error>;
}

impl<E: TableEntity> Writable for E {
    fn whereabouts(&self) -> Result<Address, Error> {
        self.address()
    }

    fn properties(&self) -> Result<Properties, Error> {
        let design = E::DESIGN;
        let mut writer = Writer::with_capacity(design.properties.len() + 1);
        self.write(&mut writer).map_err(|error| PropertyOf::new(design.name, error))?;
        let mut properties = writer.into_properties();
        if let Some(entity_type) = design.entity_type {
            properties.push_new(ENTITY_TYPE, entity_type);
        }
        Ok(properties)
    }
}

/// The property that says of which type a row is.
pub(crate) const ENTITY_TYPE: &str = "EntityType";

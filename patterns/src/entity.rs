//! What the derive implements.

use table_store::{Properties, RowRef};

use crate::{
    Address, Error, FromRow, Patch, PatchState, Source, Stored, TableScan,
    derived::{CopyReader, DerivedRow, DerivedRows, NO_TOKEN, NotACopy, TRANSACTION},
    design::{Design, Index},
    error::{DecodeError, PropertyOf},
    key::KeyReader,
    kinds::Kind,
    large::{Named, Put},
    properties::{PropertyError, Reader, Writer},
    row,
    sealing::Secrets,
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

    /// The rows that its indexes keep of it.
    #[doc(hidden)]
    fn derive(&self, _rows: &mut DerivedRows<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// The key of the entity that a row of an index is of.
    #[doc(hidden)]
    fn read_copy(_number: usize, _from: &mut CopyReader<'_, '_, '_>) -> Result<Self::Key, NotACopy> {
        Err(NotACopy::Foreign)
    }

    /// The entity in a row of one of its keys.
    #[doc(hidden)]
    fn decode(source: Source<'_>, row: RowRef<'_>) -> Result<Self, DecodeError> {
        row::decode::<Self>(source, row)
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

    /// The same, with the values of its blob fields.
    #[doc(hidden)]
    fn contents(&self) -> Result<(Properties, Vec<Put>), Error> {
        Ok((self.properties()?, Vec::new()))
    }

    /// Returns whether its row can name blobs: by its fields, or by those of an older version.
    #[doc(hidden)]
    fn has_blobs() -> bool {
        false
    }

    /// The blobs that it names.
    #[doc(hidden)]
    fn blobs(&self) -> Result<Vec<Named>, Error> {
        Ok(Vec::new())
    }

    /// Whether rows follow it that this type does not know.
    #[doc(hidden)]
    fn has_unknown_rows(&self) -> bool {
        false
    }

    /// Its design; none of a bag.
    #[doc(hidden)]
    fn design() -> Option<&'static Design> {
        None
    }

    /// Its indexes.
    #[doc(hidden)]
    fn indexes() -> &'static [Index] {
        &[]
    }

    /// Whether a write is more than the entity's own row.
    #[doc(hidden)]
    fn has_rules() -> bool {
        false
    }

    /// Its design, if others keep values in it.
    #[doc(hidden)]
    fn sink() -> Option<&'static Design> {
        None
    }

    /// The entity without its type, if rows in other partitions or blobs follow it, or it adds to what others keep.
    #[doc(hidden)]
    fn kind() -> Option<Kind> {
        None
    }

    /// Its design, where it is split over several rows.
    #[doc(hidden)]
    fn wide() -> Option<&'static Design> {
        None
    }

    /// Which of its properties are sealed.
    #[doc(hidden)]
    fn secrets() -> Secrets {
        Secrets::None
    }

    /// The rows that its indexes keep of it; `properties` are its own.
    #[doc(hidden)]
    fn derived(&self, _properties: &Properties) -> Result<Vec<DerivedRow>, Error> {
        Ok(Vec::new())
    }

    /// Where the rows are that its indexes keep of it.
    #[doc(hidden)]
    fn derived_at(&self) -> Result<Vec<DerivedRow>, Error> {
        Ok(Vec::new())
    }

    /// What a row of one of its keys holds, as it was read.
    #[doc(hidden)]
    fn stored(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<Self>, Error>
    where
        Self: Sized;
}

impl<E: TableEntity> Writable for E {
    fn whereabouts(&self) -> Result<Address, Error> {
        self.address()
    }

    fn properties(&self) -> Result<Properties, Error> {
        self.contents().map(|(properties, _)| properties)
    }

    fn contents(&self) -> Result<(Properties, Vec<Put>), Error> {
        let design = E::DESIGN;
        let mut writer = Writer::with_capacity(design.property_count() + 1);
        self.write(&mut writer).map_err(|error| PropertyOf::new(design.name, error))?;
        let (mut properties, blobs) = writer.into_parts();
        if design.has_rules() {
            // A place for the token, which is known when it is sent.
            properties.push_new(TRANSACTION, NO_TOKEN);
        }
        if let Some(entity_type) = design.entity_type.filter(|_| design.wide.is_none()) {
            properties.push_new(ENTITY_TYPE, entity_type);
        }
        Ok((properties, blobs))
    }

    fn has_blobs() -> bool {
        E::DESIGN.has_blobs()
    }

    fn blobs(&self) -> Result<Vec<Named>, Error> {
        if E::DESIGN.blobs.is_empty() {
            return Ok(Vec::new());
        }
        let named = |put: Put| Some((put.property, put.value?.reference()?.clone()));
        Ok(self.contents()?.1.into_iter().filter_map(named).collect())
    }

    fn design() -> Option<&'static Design> {
        Some(E::DESIGN)
    }

    fn indexes() -> &'static [Index] {
        E::DESIGN.indexes
    }

    fn kind() -> Option<Kind> {
        let far = E::DESIGN.indexes.iter().any(|index| !index.near);
        (far || !E::DESIGN.feeds.is_empty() || Self::has_blobs()).then(Kind::of::<E>)
    }

    fn has_rules() -> bool {
        E::DESIGN.has_rules()
    }

    fn sink() -> Option<&'static Design> {
        (!E::DESIGN.fed.is_empty()).then_some(E::DESIGN)
    }

    fn wide() -> Option<&'static Design> {
        E::DESIGN.wide.map(|_| E::DESIGN)
    }

    fn secrets() -> Secrets {
        Secrets::of(E::DESIGN)
    }

    fn derived(&self, properties: &Properties) -> Result<Vec<DerivedRow>, Error> {
        DerivedRows::of(self, properties)
    }

    fn derived_at(&self) -> Result<Vec<DerivedRow>, Error> {
        DerivedRows::addresses_of(self)
    }

    fn stored(source: Source<'_>, row: RowRef<'_>) -> Result<Stored<Self>, Error> {
        Ok(E::from_row(source, row)?)
    }
}

/// The property that says of which type a row is.
pub(crate) const ENTITY_TYPE: &str = "EntityType";

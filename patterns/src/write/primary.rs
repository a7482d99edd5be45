//! An entity as it is, and the rows that it requires.

use table_model::{ETag, Name, RowRef};

use crate::{
    Address, Error, Tables,
    core::{
        blob::reference::Reference, cross_partition_row::is_left_by_move, derived_row::DerivedRow,
        entity_types::EntityInfo,
    },
    design::Design,
};

/// An entity as read by a worker: its ETag, and the rows that its indexes require.
#[derive(Clone, Debug)]
pub(crate) struct Primary {
    pub(crate) address: Address,
    /// `None` if the entity does not exist.
    pub(crate) etag: Option<ETag>,
    pub(crate) derived: Vec<DerivedRow>,
    /// Properties of index rows that the entity's own row lacks, because their values are defaults: the number of the
    /// index, and the name. Only [`read_to_compare`](Self::read_to_compare) reads them.
    pub(super) defaults: Vec<(usize, Name)>,
    /// Names of the blobs that the entity references.
    pub(crate) blobs: Vec<String>,
    /// `true` if the row was written by an older version of the entity type.
    pub(crate) is_older: bool,
    /// `true` if the row contains an entity of a type that is not registered, whose derived rows must not be changed.
    /// Rows of registered types do not collide, so an entity of another registered type requires no row of this type.
    pub(crate) is_foreign: bool,
    /// `true` if the row is what a move to another key left.
    pub(crate) is_left: bool,
    /// The other address of the entity, if it is known to move between two keys.
    pub(crate) other: Option<Address>,
}

impl Primary {
    pub(crate) async fn read(tables: &Tables, kind: EntityInfo, address: Address) -> Result<Self, Error> {
        let rows = tables.read(&address, None).await?;
        match rows.get(0) {
            Some(row) => Self::of(tables, kind, address, row),
            None => Ok(Self::nothing(address)),
        }
    }

    /// Reads an entity with its defaults, to compare its index rows.
    pub(crate) async fn read_to_compare(
        tables: &Tables,
        kind: EntityInfo,
        address: Address,
    ) -> Result<Self, Error> {
        let rows = tables.read(&address, None).await?;
        let Some(row) = rows.get(0) else { return Ok(Self::nothing(address)) };
        let found = Self::of(tables, kind, address, row)?;
        Ok(Self { defaults: defaults(kind.design, &found.derived, row), ..found })
    }

    /// Returns the state of an entity that does not exist.
    pub(crate) const fn nothing(address: Address) -> Self {
        Self {
            address,
            etag: None,
            derived: Vec::new(),
            defaults: Vec::new(),
            blobs: Vec::new(),
            is_older: false,
            is_foreign: false,
            is_left: false,
            other: None,
        }
    }

    /// Returns the entity in a row.
    pub(crate) fn of(
        tables: &Tables,
        kind: EntityInfo,
        address: Address,
        row: RowRef<'_>,
    ) -> Result<Self, Error> {
        let source = tables.source(&address.table);
        let (etag, derived) = (Some(row.etag.clone()), kind.derived(source, row)?);
        let is_left = is_left_by_move(row);
        let is_foreign = kind.is_foreign(row) && !tables.kinds().knows_other(kind, row);
        let (is_older, is_foreign) = (kind.is_older(row), is_foreign && !is_left);
        let blobs = Reference::all_in(row).map(|(_, reference)| reference.name).collect();
        let found = Self::nothing(address);
        Ok(Self { etag, derived, blobs, is_older, is_foreign, is_left, ..found })
    }

    /// Reads an entity that may require a row. An entity of a newer version counts as foreign: only programs that know
    /// the version can determine its rows.
    pub(crate) async fn read_owner(
        tables: &Tables,
        kind: EntityInfo,
        address: Address,
    ) -> Result<Self, Error> {
        let found = Self::read(tables, kind, address.clone()).await;
        Self::unless_newer(found, address)
    }

    /// Counts an entity of a newer version as foreign.
    pub(super) fn unless_newer(found: Result<Self, Error>, address: Address) -> Result<Self, Error> {
        match found {
            Err(Error::Decode(error)) if error.is_newer() => {
                Ok(Self { is_foreign: true, ..Self::nothing(address) })
            }
            other => other,
        }
    }

    /// Returns whether an address is that of the entity, or its other address.
    pub(crate) fn is_at(&self, address: &Address) -> bool {
        self.address == *address || self.other.as_ref() == Some(address)
    }

    /// Returns the row that the entity requires at an address of an index.
    pub(crate) fn wants(&self, number: usize, address: &Address) -> Option<&DerivedRow> {
        self.derived.iter().find(|row| row.number == number && row.address == *address)
    }

    /// Returns whether an index row may lack a property, because the entity's own row lacks it too.
    pub(crate) fn has_default(&self, number: usize, name: &str) -> bool {
        self.defaults.iter().any(|(index, absent)| *index == number && **absent == *name)
    }
}

fn defaults(design: &Design, derived: &[DerivedRow], row: RowRef<'_>) -> Vec<(usize, Name)> {
    // The fields of a nested struct may have defaults that only the struct knows.
    if design.defaults.is_empty() && design.properties.iter().all(|property| property.slots.is_empty()) {
        return Vec::new();
    }
    // An index row also contains parts of the entity's key, which the entity's own row never contains as properties.
    let is_default = |name: &Name| design.stores(name) && row.properties.get(name).is_none();
    let rows = derived.iter().filter(|derived| derived.number < design.indexes.len());
    rows.flat_map(|derived| derived.properties.iter().map(|(name, _)| (derived.number, name)))
        .filter(|(_, name)| is_default(name))
        .map(|(number, name)| (number, name.clone()))
        .collect()
}

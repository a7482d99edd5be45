//! Stored entities: an entity together with its version.

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

use table_model::{ETag, Properties, Timestamp, Value};

use crate::{
    AccessPath, Address, Error, TableEntity, WriteResult,
    core::{
        blob::{put::Put, reference::Named},
        derived_row::DerivedRow,
        entity::Writable,
        entity_stamps::Stamps,
        row_versions::RowVersions,
        unread::Unread,
    },
};

/// An entity as it was read: its value, its ETag, its timestamp, and the row that it was read from.
///
/// It dereferences to the entity, also mutably. Change the fields and call [`replace`](crate::Tables::replace): the
/// write succeeds only if no other client changed the entity.
///
/// An entity can be read by its own key, or through an index in its partition that contains all fields. The version is
/// that of the row that was read; every write of the entity changes the version of both rows.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
/// let Some(mut employee) = Employee::point("Sales", 1).get(&tables).await? else { return Ok(()) };
/// employee.age += 1;
/// let written = tables.replace(&employee).await?;
/// assert!(written.timestamp > employee.timestamp());
///
/// // What was read is old now, by its ETag.
/// assert!(tables.replace(&employee).await.unwrap_err().is_conflict());
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Stored<E> {
    value: E,
    /// Access path of the row that was read.
    path: AccessPath,
    /// Version of that row.
    etag: ETag,
    timestamp: Timestamp,
    /// Addresses of the entity's rows, recorded at the first mutable borrow, so that read-only use has no cost. Unset
    /// while they can be derived from the fields.
    read_at: Option<Box<Result<Places, Error>>>,
    /// Versions of the rows of a wide entity.
    versions: Option<Arc<RowVersions>>,
    /// Values that other entities keep in the row.
    kept: Properties,
    /// Blobs that the row references, if an older version of the type may have had other blob fields.
    named: Vec<Named>,
    /// Properties of the row that the type does not declare.
    unread: Unread,
    /// `true` if an older version of the type wrote the row.
    is_older: bool,
    /// `true` if an older version of the type soft-deleted the entity, and the newest version does not contain that.
    is_restored: bool,
}

/// Address of an entity's own row, with its derived rows and blobs.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub(crate) address: Address,
    /// Rows derived from the entity.
    pub(crate) derived: Vec<DerivedRow>,
    /// Blobs that the entity references.
    pub(crate) blobs: Vec<Named>,
    /// Time of the creation, if a field contains it.
    pub(crate) created: Option<Timestamp>,
}

impl<E> Stored<E> {
    pub(crate) const fn new(value: E, etag: ETag, timestamp: Timestamp) -> Self {
        Self::read(value, AccessPath::Own, etag, timestamp)
    }

    /// Creates the stored entity that was read by an access path.
    pub(crate) const fn read(value: E, path: AccessPath, etag: ETag, timestamp: Timestamp) -> Self {
        Self {
            value,
            path,
            etag,
            timestamp,
            read_at: None,
            versions: None,
            kept: Properties::new(),
            named: Vec::new(),
            unread: Unread::NONE,
            is_older: false,
            is_restored: false,
        }
    }

    /// Marks the entity as one that a write of the newest version would restore.
    pub(crate) const fn set_restored(&mut self) {
        self.is_restored = true;
    }

    /// Returns whether a write of the newest version would restore an entity that an older version soft-deleted.
    pub(crate) const fn is_restored(&self) -> bool {
        self.is_restored
    }

    /// Adds the blobs that the row references. The next write releases the blobs that the fields do not reference.
    pub(crate) fn set_named(&mut self, named: Vec<Named>) {
        self.named = named;
    }

    /// Adds the properties of the row that the type does not declare.
    pub(crate) fn with_unread(mut self, unread: Unread) -> Self {
        self.unread = unread;
        self
    }

    /// Returns whether an older version of the type wrote the row.
    pub(crate) const fn is_older(&self) -> bool {
        self.is_older
    }

    /// Iterates over the properties of the row that the type does not declare, for example those that a newer program
    /// added. [`replace`](crate::Tables::replace) and [`update`](crate::Tables::update) keep them.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn main() -> Result<()> {
    /// # let tables = Tables::in_memory()?;
    /// # let b = tables.blocking();
    /// # b.insert(&Employee { department: "Sales".into(), id: 1, age: 30 })?;
    /// let mut untyped = b.get(&DynamicEntity::point("Employees", "Sales", "empid_000001"))?.expect("it exists");
    /// untyped.set("Phone", "555");
    /// b.replace(&untyped)?;
    ///
    /// let mut employee = b.get(&Employee::point("Sales", 1))?.expect("it exists");
    /// assert_eq!(employee.unread().map(|(name, _)| name).collect::<Vec<_>>(), ["Phone"]);
    /// employee.age += 1;
    /// b.replace(&employee)?;
    /// let employee = b.get(&Employee::point("Sales", 1))?.expect("it exists");
    /// assert_eq!(employee.unread().count(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn unread(&self) -> impl Iterator<Item = (&str, &Value)> {
        let of_parts = self.versions.iter().flat_map(|versions| &versions.unread).map(|(_, unread)| unread);
        of_parts.chain([&self.unread]).flat_map(Unread::iter).map(|(name, value)| (&**name, value))
    }

    /// Returns the properties of the row that the type does not declare.
    pub(crate) const fn unread_properties(&self) -> &Unread {
        &self.unread
    }

    /// Adds the values that other entities keep in the row.
    pub(crate) fn set_kept(&mut self, kept: Properties) {
        self.kept = kept;
    }

    /// Returns the values that other entities keep in the row, as they were read.
    pub(crate) const fn kept(&self) -> &Properties {
        &self.kept
    }

    /// Creates an entity that was read from several rows. Its version is that of the first row.
    pub(crate) fn wide(value: E, timestamp: Timestamp, versions: RowVersions) -> Self {
        let etag = versions.head().clone();
        Self { versions: Some(Arc::new(versions)), ..Self::new(value, etag, timestamp) }
    }

    /// Returns the versions of the rows of a wide entity.
    pub(crate) const fn versions(&self) -> Option<&Arc<RowVersions>> {
        self.versions.as_ref()
    }

    /// Returns the access path of the row that was read.
    pub(crate) const fn path(&self) -> AccessPath {
        self.path
    }

    /// Returns the ETag of the version that was read.
    pub const fn etag(&self) -> &ETag {
        &self.etag
    }

    /// Returns the time at which that version was written.
    pub const fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// Returns the entity without its version.
    pub fn into_inner(self) -> E {
        self.value
    }
}

impl<E: Writable> Stored<E> {
    /// Returns the addresses of the entity's rows when it was read.
    pub(crate) fn rows(&self) -> Result<Places, Error> {
        self.read_at.as_deref().cloned().unwrap_or_else(|| places(&self.value, &self.named))
    }

    /// Returns the time of the creation when the entity was read.
    fn creation(&self) -> Option<Timestamp> {
        match self.read_at.as_deref() {
            Some(places) => places.as_ref().ok()?.created,
            None => self.value.read_creation(),
        }
    }

    /// Updates the version with the result of `replace`, so that the next `replace` requires no read.
    ///
    /// Use it only with the result of writing this value. After any other write, read the entity again.
    #[must_use]
    pub fn written(mut self, written: &WriteResult) -> Self {
        // The library keeps the time of the creation, whatever the field contains.
        let created = written.stamps.created.or_else(|| self.creation());
        self.value.accept_stamps(Stamps { created, ..written.stamps });
        let mut versions = written.versions.clone();
        if let (Some(new), Some(old)) = (&mut versions, &self.versions) {
            Arc::make_mut(new).unread.clone_from(&old.unread);
        }
        // The transaction may have changed the aggregates of the row as well.
        let kept = written.kept.as_deref().cloned().unwrap_or(self.kept);
        let named = self.named;
        // New values of blob fields were uploaded, and the value does not contain their references.
        let read_at = written
            .blobs
            .as_ref()
            .map(|blobs| places(&self.value, &[]).map(|places| Places { blobs: blobs.to_vec(), ..places }))
            .map(Box::new);
        Self {
            read_at,
            versions,
            kept,
            named,
            unread: self.unread,
            ..Self::new(self.value, written.etag.clone(), written.timestamp)
        }
    }
}

impl<E: TableEntity> Stored<E> {
    /// Marks the row as written by an older version of the type, which determines the derived rows.
    pub(crate) fn set_older(&mut self, derived: Result<Vec<DerivedRow>, Error>) {
        let places = places(&self.value, &self.named).and_then(|places| {
            let mut derived = derived?;
            // Only the addresses of index rows are required.
            let rows_of_indexes = derived.iter_mut().filter(|row| row.rule.index().is_some());
            rows_of_indexes.for_each(|row| row.properties = Properties::new());
            Ok(Places { derived, ..places })
        });
        self.is_older = true;
        self.read_at = Some(Box::new(places));
    }

    /// Returns the key, from the entity's fields.
    pub fn key(&self) -> E::Key {
        self.value.key()
    }
}

/// Returns the addresses of a value's rows, and its blobs: first the blobs of its fields, then the others that its row
/// references.
fn places<E: Writable>(value: &E, named: &[Named]) -> Result<Places, Error> {
    let mut blobs = references(value)?;
    for (property, reference) in named {
        if blobs.iter().all(|(_, known)| known.name != reference.name) {
            blobs.push((property.clone(), reference.clone()));
        }
    }
    let created = value.read_creation();
    Ok(Places { address: value.whereabouts()?, derived: value.derived_at()?, blobs, created })
}

/// Returns the blobs that the entity references.
fn references<E: Writable>(value: &E) -> Result<Vec<Named>, Error> {
    if E::entity().is_none_or(|kind| kind.newest().blobs.is_empty()) {
        return Ok(Vec::new());
    }
    let named = |put: Put| Some((put.property, put.value?.reference()?.clone()));
    Ok(value.contents()?.1.into_iter().filter_map(named).collect())
}

/// Serializes as its entity, without version and time of the write, which are in [`etag`](Stored::etag) and
/// [`timestamp`](Stored::timestamp). An entity with encrypted fields does not serialize in this way, so that no secret
/// leaves the program by accident. It is not deserialized: only the store knows the version of an entity.
#[cfg(feature = "serde")]
impl<E: serde::Serialize + crate::core::entity::NotEncrypted> serde::Serialize for Stored<E> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<E> Deref for Stored<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.value
    }
}

impl<E: Writable> DerefMut for Stored<E> {
    fn deref_mut(&mut self) -> &mut E {
        if self.read_at.is_none() {
            self.read_at = Some(Box::new(places(&self.value, &self.named)));
        }
        &mut self.value
    }
}

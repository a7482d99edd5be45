//! An entity together with its version.

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

use table_store::{ETag, Properties, Timestamp};

use crate::{
    Address, Error, Loaded, Patch, Path, TableEntity, Written, derived::DerivedRow, entity::Writable,
    large::Named, wide::Versions, write::Old,
};

/// An entity as it was read: its value, its ETag, its Timestamp, and where it was read.
///
/// It derefs to the entity, also mutably. Change its fields and [`replace`](crate::Tables::replace) it: the write goes
/// through only if nobody else wrote in between.
///
/// It can be read by the entity's own key, or through an index in its partition that holds all of it: the version is that
/// of the row that was read, and every write of the entity changes both.
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
    /// Which of the entity's rows was read.
    path: Path,
    /// The version of that row.
    etag: ETag,
    timestamp: Timestamp,
    /// Where its rows are, noted at the first mutable borrow, so that reading costs nothing. Unset: the fields still
    /// say it.
    read_at: Option<Box<Result<Places, Error>>>,
    /// The rows of a wide entity.
    versions: Option<Arc<Versions>>,
    /// What others keep in it.
    kept: Properties,
    /// The blobs that the row names, where an older version of the type may have had other blob fields.
    named: Vec<Named>,
}

/// Where an entity's own row is, and what belongs to it elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub(crate) address: Address,
    /// The rows of its indexes.
    pub(crate) derived: Vec<DerivedRow>,
    /// The blobs that it names.
    pub(crate) blobs: Vec<Named>,
}

impl<E> Stored<E> {
    pub(crate) const fn new(value: E, etag: ETag, timestamp: Timestamp) -> Self {
        Self::read(value, Path::Own, etag, timestamp)
    }

    /// Read from the row of one of its keys.
    pub(crate) const fn read(value: E, path: Path, etag: ETag, timestamp: Timestamp) -> Self {
        let kept = Properties::new();
        Self { value, path, etag, timestamp, read_at: None, versions: None, kept, named: Vec::new() }
    }

    /// Adds the blobs that its row names: the next write releases those that the fields do not name.
    pub(crate) fn naming(self, named: Vec<Named>) -> Self {
        Self { named, ..self }
    }

    /// With what others keep in it.
    pub(crate) fn keeping(self, kept: Properties) -> Self {
        Self { kept, ..self }
    }

    /// What others keep in it, as it was read.
    pub(crate) const fn kept(&self) -> &Properties {
        &self.kept
    }

    /// Read from several rows: the version is that of the first.
    pub(crate) fn wide(value: E, timestamp: Timestamp, versions: Versions) -> Self {
        let etag = versions.head().clone();
        Self { versions: Some(Arc::new(versions)), ..Self::new(value, etag, timestamp) }
    }

    /// The rows of a wide entity.
    pub(crate) const fn versions(&self) -> Option<&Arc<Versions>> {
        self.versions.as_ref()
    }

    /// Which of the entity's rows was read.
    pub(crate) const fn path(&self) -> Path {
        self.path
    }

    /// The version that was read.
    pub const fn etag(&self) -> &ETag {
        &self.etag
    }

    /// When that version was written.
    pub const fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// The entity without its version.
    pub fn into_inner(self) -> E {
        self.value
    }
}

impl<E: Writable> Stored<E> {
    /// Where its rows were when it was read.
    pub(crate) fn rows(&self) -> Result<Places, Error> {
        self.read_at.as_deref().cloned().unwrap_or_else(|| places(&self.value, &self.named))
    }

    /// Goes on with the version that `replace` wrote, so that the next `replace` needs no read.
    ///
    /// It is for the write of this very value; after any other write, read again.
    #[must_use]
    pub fn written(self, written: &Written) -> Self {
        let versions = written.versions.clone();
        let (kept, named) = (self.kept, self.named);
        // What was uploaded is a blob now, which the value does not know.
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
            ..Self::new(self.value, written.etag.clone(), written.timestamp)
        }
    }
}

impl<E: TableEntity> Stored<E> {
    /// The key that its fields say.
    pub fn key(&self) -> E::Key {
        self.value.key()
    }

    /// A patch of what was read: a merge that goes through only if nobody else wrote in between.
    pub fn patch(&self) -> E::Patch<Loaded> {
        Patch::loaded(Old::of(self)).into()
    }
}

/// Returns where the rows of a value are, and its blobs: those of its fields, then the others that its row names.
fn places<E: Writable>(value: &E, named: &[Named]) -> Result<Places, Error> {
    let mut blobs = value.blobs()?;
    for (property, reference) in named {
        if blobs.iter().all(|(_, known)| known.name != reference.name) {
            blobs.push((property.clone(), reference.clone()));
        }
    }
    Ok(Places { address: value.whereabouts()?, derived: value.derived_at()?, blobs })
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

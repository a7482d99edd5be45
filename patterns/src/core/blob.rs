//! Values of any size, which are stored in a property or in a blob that the property references.

pub(crate) mod digest;
pub(crate) mod name;
pub(crate) mod put;
pub(crate) mod reference;
pub(crate) mod source;

use std::{fmt, fs::File, io, io::Read, path::PathBuf, sync::Arc};

use bytes::Bytes;

use table_model::{Metadata, RowRef};

use crate::Address;

use digest::Digest;
use name::Owned;
use reference::Reference;
use source::Source;

/// Returns whether a property of a row references a blob, as the rows of a field with `#[table(blob)]` do. A copy of the
/// row alone does not contain the value.
pub fn references_blob(row: RowRef<'_>) -> bool {
    Reference::all_in(row).next().is_some()
}

/// Returns the entity whose value is in a blob, by the metadata of the blob. Returns `None` for a blob that this library
/// did not write. The entity may have been deleted, or may reference another blob meanwhile.
#[must_use]
pub fn blob_owner(metadata: &Metadata) -> Option<Address> {
    Owned::of(metadata).map(|owned| owned.owner)
}

/// A value of any size; the type of a field with `#[table(blob)]`.
///
/// A value of up to 30 KiB (or the limit set with `inline = ..`) is stored in the entity itself. A longer value is
/// stored in a separate blob, which is written before the entity that references it. An entity that was read contains
/// the blob's name, length and hash. The bytes are read by [`read`](Self::read) or [`reader`](Self::reader), so a page
/// of entities costs one request.
///
/// ```
/// use table_patterns::prelude::*;
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// struct Employee {
///     department: String,
///     id: u32,
///     #[table(blob)]
///     photo: Blob,
/// }
///
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// let tables = Tables::in_memory()?;
/// let photo = Blob::new(vec![7; 200_000]);
/// tables.insert(&Employee { department: "Sales".into(), id: 223, photo }).await?;
///
/// let Some(mut jo) = Employee::point("Sales", 223).get(&tables).await? else { return Ok(()) };
/// assert_eq!(jo.photo.len(), Some(200_000));
/// assert_eq!(jo.photo.read(&tables).await?, vec![7; 200_000]);
///
/// // The old blob goes once the entity names the new one.
/// jo.photo = Blob::new("small");
/// tables.replace(&jo).await?;
/// # Ok(())
/// # })
/// # }
/// ```
///
/// Two values are equal if their lengths and hashes are equal. A value whose length is not determined yet is equal only
/// to its clones.
#[derive(Clone)]
pub struct Blob(Content);

/// Location of the bytes.
#[derive(Clone)]
pub(crate) enum Content {
    /// In memory: a new value, or a value in the entity's own row.
    Bytes(Bytes),
    /// In a reader that the write opens.
    Source(Source),
    /// In a blob that an entity references.
    Kept(Arc<Kept>),
}

/// A value in a blob, and its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) owner: Address,
    pub(crate) property: &'static str,
    pub(crate) reference: Reference,
}

impl Blob {
    /// Creates a value from bytes.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self(Content::Bytes(bytes.into()))
    }

    /// Creates a value from a reader, which is never completely in memory. `open` is called for each write attempt, and
    /// must return the same bytes each time.
    ///
    /// ```
    /// use table_patterns::Blob;
    ///
    /// let zeros = Blob::from_reader(|| Ok(std::io::Read::take(std::io::repeat(0), 5_000_000)));
    /// assert_eq!(zeros.len(), None, "known once it is written");
    /// ```
    pub fn from_reader<R: Read + Send + 'static>(
        open: impl Fn() -> io::Result<R> + Send + Sync + 'static,
    ) -> Self {
        Self(Content::Source(Source::new(open)))
    }

    /// Creates a value from a file, which is read when the value is written.
    pub fn from_path(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::from_reader(move || File::open(&path))
    }

    /// Returns the number of bytes, or `None` for a reader whose value has not been written yet.
    #[expect(
        clippy::len_without_is_empty,
        reason = "the length of a reader is unknown, and whether it is empty"
    )]
    pub fn len(&self) -> Option<u64> {
        match &self.0 {
            Content::Bytes(bytes) => u64::try_from(bytes.len()).ok(),
            Content::Source(_) => None,
            Content::Kept(kept) => Some(kept.reference.digest.length),
        }
    }

    /// Returns the SHA-256 of the bytes, or `None` for a reader whose value has not been written yet.
    pub fn hash(&self) -> Option<[u8; 32]> {
        self.digest().map(|digest| digest.sha256)
    }

    /// Returns the name of the blob, in the container of the entity's table. Returns `None` if the value is stored in
    /// the entity, or has not been written yet.
    pub fn name(&self) -> Option<&str> {
        self.reference().map(|reference| reference.name.as_str())
    }

    /// Creates a value in a blob that an entity references.
    pub(crate) fn kept(owner: Address, property: &'static str, reference: Reference) -> Self {
        Self(Content::Kept(Arc::new(Kept { owner, property, reference })))
    }

    pub(crate) const fn content(&self) -> &Content {
        &self.0
    }

    pub(crate) fn reference(&self) -> Option<&Reference> {
        match &self.0 {
            Content::Kept(kept) => Some(&kept.reference),
            Content::Bytes(_) | Content::Source(_) => None,
        }
    }

    /// Returns length and hash, if they are available without a read.
    pub(crate) fn digest(&self) -> Option<Digest> {
        match &self.0 {
            Content::Bytes(bytes) => Some(Digest::of(bytes)),
            Content::Source(_) => None,
            Content::Kept(kept) => Some(kept.reference.digest),
        }
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Content::Source(one), Content::Source(other)) => one.is(other),
            (Content::Bytes(one), Content::Bytes(other)) => one == other,
            _ => self.len() == other.len() && self.digest().is_some_and(|one| other.digest() == Some(one)),
        }
    }
}

impl Eq for Blob {}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

/// Formats without the bytes.
impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Content::Bytes(bytes) => write!(f, "Blob({} bytes)", bytes.len()),
            Content::Source(_) => f.write_str("Blob(a reader)"),
            Content::Kept(kept) => {
                write!(f, "Blob({} bytes in {})", kept.reference.digest.length, kept.reference.name)
            }
        }
    }
}

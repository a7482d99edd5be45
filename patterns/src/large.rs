//! A value that is too large for its entity's row: in a blob beside it, read when it is asked for.

mod change;
mod collect;
mod digest;
mod moved;
mod name;
mod read;
mod reference;
mod source;
mod store;
mod sweep;
mod upload;

pub(crate) use change::{Blobs, Named, Put};
pub(crate) use collect::{Collected, collect, is_named};
pub(crate) use digest::Digest;
pub(crate) use name::BlobPlace;
pub use read::BlobStream;
pub(crate) use reference::Reference;
pub(crate) use source::Opened;
pub use sweep::{CollectBlobs, CollectedBlobs};
pub(crate) use upload::Uploads;

use std::{fmt, fs::File, io, io::Read, path::PathBuf, sync::Arc};

use bytes::Bytes;

use crate::Address;
use source::Source;

/// A value of any size, the type of a field with `#[table(blob)]`.
///
/// Up to 30 KiB (or what `inline = ..` says) it is stored in the entity itself; what is longer goes to a blob of its own,
/// which is written before the entity names it. An entity that is read holds the blob's name, length and hash: the bytes
/// are read when [`read`](Self::read) or [`reader`](Self::reader) asks for them, so a page of entities costs one request.
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
/// Two values are equal if their lengths and hashes are. One whose length is not known yet equals only its clones.
#[derive(Clone)]
pub struct Blob(Content);

/// Where the bytes are.
#[derive(Clone)]
pub(crate) enum Content {
    /// In memory: new, or out of the entity's own row.
    Bytes(Bytes),
    /// With a reader, which the write opens.
    Source(Source),
    /// In a blob, as an entity names it.
    Kept(Arc<Kept>),
}

/// A value in a blob, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) owner: Address,
    pub(crate) property: &'static str,
    pub(crate) reference: Reference,
}

impl Blob {
    /// These bytes.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self(Content::Bytes(bytes.into()))
    }

    /// What a reader gives, without having it in memory at once. `open` is called for each attempt to write it, and must
    /// give the same bytes each time.
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

    /// What a file holds when it is written.
    pub fn from_path(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::from_reader(move || File::open(&path))
    }

    /// How many bytes it has; none of a reader whose value was not written yet.
    #[expect(clippy::len_without_is_empty, reason = "of a reader neither is known")]
    pub fn len(&self) -> Option<u64> {
        match &self.0 {
            Content::Bytes(bytes) => u64::try_from(bytes.len()).ok(),
            Content::Source(_) => None,
            Content::Kept(kept) => Some(kept.reference.digest.length),
        }
    }

    /// The SHA-256 of its bytes; none of a reader whose value was not written yet.
    pub fn hash(&self) -> Option<[u8; 32]> {
        self.digest().map(|digest| digest.sha256)
    }

    /// The name of the blob that holds it, in the container of its entity's table; none where it is in the entity, or
    /// not written yet.
    pub fn name(&self) -> Option<&str> {
        self.reference().map(|reference| reference.name.as_str())
    }

    /// A value in a blob that an entity names.
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

    /// Length and hash, where they are known without reading.
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

/// Without its bytes.
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

//! Reading of a value: from its blob, or if the blob was deleted, from the current reference of the entity.

use std::{fmt, sync::Arc};

use bytes::{Bytes, BytesMut};
use table_model::{
    Name, TableError, ValueRef,
    blob::{BlobReader, ReadBlob},
};

use crate::{
    Address, BlobError, Error, Pending, Tables,
    core::blob::{
        Blob, Content, Kept,
        digest::{Digest, Hasher},
        name,
        reference::Reference,
        source::Opened,
    },
};

/// Maximum number of attempts to find a deleted blob under the current name.
const ATTEMPTS: u32 = 64;

impl Blob {
    /// Reads all bytes. A value in a blob is checked against its hash.
    ///
    /// If the value was replaced after the entity was read, the new value may be returned, because the old blob may
    /// have been deleted.
    ///
    /// # Errors
    /// Returns [`Error::Blob`] with a [`BlobError`] if the value is missing or damaged, and
    /// [`Error::BlobsNotConfigured`] if no blob service is configured.
    pub fn read<'t>(&'t self, tables: &'t Tables) -> Pending<'t, Bytes> {
        Box::pin(async move {
            match self.content() {
                Content::Bytes(bytes) => Ok(bytes.clone()),
                Content::Source(source) => {
                    let (mut opened, mut all) = (source.open()?, BytesMut::new());
                    while let Some(chunk) = opened.chunk()? {
                        all.extend_from_slice(&chunk);
                    }
                    Ok(all.freeze())
                }
                Content::Kept(kept) => match kept.find(tables).await? {
                    Found::Inline(bytes) => Ok(bytes),
                    Found::Blob(reader, reference) => {
                        let bytes = reader.read_to_end().await.map_err(|error| kept.broken_off(error))?;
                        kept.check(Digest::of(&bytes), &reference).map(|()| bytes)
                    }
                },
            }
        })
    }

    /// Returns a stream of the bytes. The hash is checked at the end.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn reader<'t>(&'t self, tables: &'t Tables) -> Pending<'t, BlobStream> {
        Box::pin(async move {
            let from = match self.content() {
                Content::Bytes(bytes) => Inside::Bytes(Some(bytes.clone())),
                Content::Source(source) => Inside::Source(source.open()?),
                Content::Kept(kept) => match kept.find(tables).await? {
                    Found::Inline(bytes) => Inside::Bytes(Some(bytes)),
                    Found::Blob(reader, reference) => {
                        let (hasher, kept) = (Hasher::default(), Arc::clone(kept));
                        Inside::Blob(Box::new(Checked { reader, hasher, kept, reference }))
                    }
                },
            };
            Ok(BlobStream(from))
        })
    }
}

/// Stream of the bytes of a value, returned by [`Blob::reader`].
///
/// ```
/// # use table_patterns::prelude::*;
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// let mut reader = Blob::new("some bytes").reader(&tables).await?;
/// let mut bytes = Vec::new();
/// while let Some(chunk) = reader.chunk().await? {
///     bytes.extend_from_slice(&chunk);
/// }
/// assert_eq!(bytes, b"some bytes");
/// # Ok(())
/// # })
/// # }
/// ```
pub struct BlobStream(Inside);

enum Inside {
    Bytes(Option<Bytes>),
    Source(Opened),
    Blob(Box<Checked>),
}

/// A blob that is being read, and its expected digest.
struct Checked {
    reader: Box<BlobReader>,
    hasher: Hasher,
    kept: Arc<Kept>,
    reference: Reference,
}

impl BlobStream {
    /// Returns the next chunk, or `None` at the end. Chunks are never empty.
    ///
    /// # Errors
    /// Returns [`BlobError::Replaced`] if the service deleted the value during the read, which the embedded store never
    /// does. Returns [`BlobError::Damaged`] at the end if the digest does not match.
    pub fn chunk(&mut self) -> Pending<'_, Option<Bytes>> {
        Box::pin(async move {
            match &mut self.0 {
                Inside::Bytes(bytes) => Ok(bytes.take().filter(|bytes| !bytes.is_empty())),
                Inside::Source(opened) => opened.chunk(),
                Inside::Blob(checked) => {
                    let Checked { reader, hasher, kept, reference } = &mut **checked;
                    match reader.chunk().await.map_err(|error| kept.broken_off(error))? {
                        Some(chunk) => {
                            hasher.add(&chunk);
                            Ok(Some(chunk))
                        }
                        None => kept.check(hasher.digest(), reference).map(|()| None),
                    }
                }
            }
        })
    }
}

impl fmt::Debug for BlobStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlobStream").finish_non_exhaustive()
    }
}

/// Location of a value.
enum Found {
    Blob(Box<BlobReader>, Reference),
    /// The current entity contains the value inline.
    Inline(Bytes),
}

impl Kept {
    /// Starts to read the blob. If the blob does not exist, reads the entity again: its current blob exists, unless it
    /// was replaced again.
    async fn find(&self, tables: &Tables) -> Result<Found, Error> {
        let blobs = tables.blobs()?;
        let mut reference = self.reference.clone();
        for _ in 0..ATTEMPTS {
            match blobs.read_blob(&name::address(&reference.name)?, ReadBlob::new()).await {
                Ok(reader) => return Ok(Found::Blob(Box::new(reader), reference)),
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error.into()),
            }
            match self.named_now(tables).await? {
                Now::Inline(bytes) => return Ok(Found::Inline(bytes)),
                Now::Named(now) if now == reference => {
                    let owner = self.boxed_owner();
                    return Err(BlobError::Missing { owner, blob: reference.name }.into());
                }
                Now::Named(now) => reference = now,
            }
        }
        Err(Error::Contended { address: Box::new(self.owner.clone()), attempts: ATTEMPTS })
    }

    async fn named_now(&self, tables: &Tables) -> Result<Now, Error> {
        let rows = tables.read(&self.owner, Some(&[Name::from(self.property)])).await?;
        let now = match rows.get(0).and_then(|row| row.properties.get(self.property)) {
            Some(ValueRef::Binary(bytes)) => Some(Now::Inline(Bytes::copy_from_slice(bytes))),
            Some(ValueRef::String(text)) => Reference::parse(text).map(Now::Named),
            _ => None,
        };
        now.ok_or_else(|| BlobError::Gone { owner: self.boxed_owner(), property: self.property }.into())
    }

    fn check(&self, found: Digest, reference: &Reference) -> Result<(), Error> {
        if found == reference.digest {
            return Ok(());
        }
        Err(BlobError::Damaged { owner: self.boxed_owner(), blob: reference.name.clone() }.into())
    }

    /// Converts a failure during the read of a blob.
    fn broken_off(&self, error: TableError) -> Error {
        if error.is_not_found() || error.is_conflict() {
            return BlobError::Replaced { owner: self.boxed_owner(), property: self.property }.into();
        }
        error.into()
    }

    fn boxed_owner(&self) -> Box<Address> {
        Box::new(self.owner.clone())
    }
}

/// Current value of the property.
enum Now {
    Named(Reference),
    Inline(Bytes),
}

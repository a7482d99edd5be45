//! Reading a value: from its blob, and where that has gone, from what the entity names now.

use std::{fmt, sync::Arc};

use bytes::{Bytes, BytesMut};
use table_store::{
    Name, TableError, ValueRef,
    blob::{BlobReader, ReadBlob},
};

use super::{Blob, Content, Digest, Kept, Opened, Reference, digest::Hasher, name};
use crate::{Address, BlobError, Error, Pending, Tables};

/// How often a blob that has gone is looked for under the name that the entity has then.
const ATTEMPTS: u32 = 64;

impl Blob {
    /// All its bytes. A value in a blob is checked against its hash.
    ///
    /// If the value was replaced since the entity was read, it is the new one: the old one's blob may have gone.
    ///
    /// # Errors
    /// [`BlobError`]; [`Error::NoBlobs`] on a handle without blobs.
    pub fn read<'t>(&'t self, tables: &'t Tables) -> Pending<'t, Bytes> {
        Box::pin(async move {
            match &self.0 {
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

    /// Its bytes piece by piece. The hash is checked at the end.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn reader<'t>(&'t self, tables: &'t Tables) -> Pending<'t, BlobStream> {
        Box::pin(async move {
            let from = match &self.0 {
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

/// A value piece by piece: [`Blob::reader`].
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

/// A blob on its way, and what it must come to.
struct Checked {
    reader: Box<BlobReader>,
    hasher: Hasher,
    kept: Arc<Kept>,
    reference: Reference,
}

impl BlobStream {
    /// The next piece, in order; none at the end. No piece is empty.
    ///
    /// # Errors
    /// [`BlobError::Replaced`] if the service dropped the value meanwhile, which the embedded store never does.
    /// [`BlobError::Damaged`] at the end, if it was not what had been written.
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

/// Where a value was found.
enum Found {
    Blob(Box<BlobReader>, Reference),
    /// The entity holds it itself by now.
    Inline(Bytes),
}

impl Kept {
    /// Begins to read the blob. Where it has gone, the entity is read again: what it names now is there, or was replaced
    /// once more.
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

    /// What a failure in the middle of a blob means.
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

/// What an entity says of its value now.
enum Now {
    Named(Reference),
    Inline(Bytes),
}

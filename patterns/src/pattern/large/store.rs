//! Requests for the blobs of values.

use std::time::Duration;

use bytes::Bytes;
use table_model::{
    ErrorCode, Metadata, TableError,
    blob::{BlobAddress, BlobConditions, BlobReader, PutBlob, ReadBlob},
};

use crate::{
    BlobError, Error, Tables,
    apply::wakeup::HintReceipt,
    core::blob::{
        digest::{Digest, Hasher},
        name::{BlobPlace, address},
        reference::Reference,
        source::Opened,
    },
};

/// Contents of a blob.
#[derive(Debug)]
pub(super) enum Contents {
    Bytes(Bytes),
    Reader(Opened),
    /// Contents of another blob, of another entity or of another state of this entity.
    Copy(Reference),
}

/// Time to transfer one MiB on the slowest supported connection.
const A_MEBIBYTE: Duration = Duration::from_secs(1);
/// Maximum time to transfer a reader of unknown length.
const A_READER: Duration = Duration::from_secs(3_600);

impl Contents {
    /// Returns the maximum time to send the contents. Leftover blobs are collected no earlier.
    pub(super) fn time_to_send(&self) -> Duration {
        let of = |bytes: u64| A_MEBIBYTE.saturating_mul(u32::try_from(bytes >> 20).unwrap_or(u32::MAX));
        match self {
            Self::Bytes(bytes) => of(u64::try_from(bytes.len()).unwrap_or(u64::MAX)),
            Self::Copy(from) => of(from.digest.length),
            Self::Reader(_) => A_READER,
        }
    }
}

/// Contents as a sequence of chunks.
enum Pieces<'c> {
    Reader(&'c mut Opened),
    Blob(Box<BlobReader>),
}

impl Pieces<'_> {
    async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        match self {
            Self::Reader(opened) => opened.chunk(),
            Self::Blob(reader) => Ok(reader.chunk().await?),
        }
    }
}

impl Tables {
    /// Writes a blob that must not exist yet, and creates its container if required. Requests that can create the blob
    /// are sent only while the wake-up messages for it are valid.
    pub(super) async fn upload(
        &self,
        place: &BlobPlace,
        mut contents: Contents,
        hints: &[HintReceipt],
    ) -> Result<Digest, Error> {
        match self.send_contents(place, &mut contents, hints).await {
            // A blob that is written in chunks: a client over HTTP can report this error for any chunk.
            Err(Error::Service(error)) if error.code() == ErrorCode::ContainerNotFound => {
                self.make_container(&address(&place.name)?).await?;
                if let Contents::Reader(opened) = &mut contents {
                    opened.restart()?;
                }
                self.send_contents(place, &mut contents, hints).await
            }
            other => other,
        }
    }

    async fn send_contents(
        &self,
        place: &BlobPlace,
        contents: &mut Contents,
        hints: &[HintReceipt],
    ) -> Result<Digest, Error> {
        let (mut pieces, known) = match contents {
            Contents::Bytes(bytes) => return self.put(place, bytes.clone(), hints).await,
            Contents::Reader(opened) => (Pieces::Reader(opened), None),
            Contents::Copy(from) => {
                (Pieces::Blob(Box::new(self.copied(place, from).await?)), Some(from.clone()))
            }
        };
        let put = put(place, known.as_ref().map(|from| from.digest))?;
        let mut writer = self.blobs()?.write_blob(&address(&place.name)?, put).await?;
        let mut hasher = Hasher::default();
        while let Some(piece) = pieces.next().await? {
            hasher.add(&piece);
            writer.write(&piece).await?;
        }
        let digest = hasher.digest();
        if let Some(from) = known.filter(|from| from.digest != digest) {
            return Err(BlobError::Damaged { owner: place.boxed_owner(), blob: from.name }.into());
        }
        self.in_time(hints)?;
        there(writer.finish().await.map(drop))?;
        Ok(digest)
    }

    /// Fails if the wake-up messages are no longer valid, because a blob created later would not be collected.
    pub(super) fn in_time(&self, hints: &[HintReceipt]) -> Result<(), Error> {
        if hints.iter().all(|hint| hint.covers(self.clock())) {
            Ok(())
        } else {
            Err(BlobError::GivenUp.into())
        }
    }

    async fn put(&self, place: &BlobPlace, bytes: Bytes, hints: &[HintReceipt]) -> Result<Digest, Error> {
        let (to, digest) = (address(&place.name)?, Digest::of(&bytes));
        let put = put(place, Some(digest))?;
        self.in_time(hints)?;
        there(self.blobs()?.put_blob(&to, bytes, put).await.map(drop))?;
        Ok(digest)
    }

    async fn copied(&self, place: &BlobPlace, from: &Reference) -> Result<BlobReader, Error> {
        match self.blobs()?.read_blob(&address(&from.name)?, ReadBlob::new()).await {
            Err(error) if error.is_not_found() => {
                let blob = from.name.clone();
                Err(BlobError::Missing { owner: place.boxed_owner(), blob }.into())
            }
            other => Ok(other?),
        }
    }

    async fn make_container(&self, of: &BlobAddress) -> Result<(), Error> {
        match self.blobs()?.create_container(&of.container, Metadata::new()).await {
            // After a lost response the container may exist. The put request determines that.
            Err(error)
                if error.code() != ErrorCode::ContainerAlreadyExists && !error.is_outcome_unknown() =>
            {
                Err(error.into())
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if a blob exists.
    pub(crate) async fn has_blob(&self, name: &str) -> Result<bool, Error> {
        match self.blobs()?.blob_properties(&address(name)?, &BlobConditions::none()).await {
            Err(error) if error.is_not_found() => Ok(false),
            other => Ok(other.map(|_| true)?),
        }
    }

    /// Deletes a blob if it exists.
    pub(crate) async fn delete_blob(&self, name: &str) -> Result<(), Error> {
        match self.blobs()?.delete_blob(&address(name)?, &BlobConditions::none()).await {
            Err(error) if !error.is_not_found() => Err(error.into()),
            _ => Ok(()),
        }
    }
}

fn put(place: &BlobPlace, digest: Option<Digest>) -> Result<PutBlob, Error> {
    Ok(PutBlob::new().metadata(place.metadata(digest)?).conditions(BlobConditions::absent()))
}

/// Treats an existing blob as success. Its name contains the token, so it has the contents that were sent.
fn there(sent: Result<(), TableError>) -> Result<(), TableError> {
    match sent {
        Err(error) if error.code() != ErrorCode::BlobAlreadyExists => Err(error),
        _ => Ok(()),
    }
}

//! Requests about the blobs of values.

use std::time::Duration;

use bytes::Bytes;
use table_store::{
    ErrorCode, Metadata, TableError,
    blob::{BlobAddress, BlobConditions, BlobReader, PutBlob, ReadBlob},
};

use super::{BlobPlace, Digest, Opened, Reference, digest::Hasher, name::address};
use crate::{BlobError, Error, Tables, hint::HintReceipt};

/// What is to be in a blob.
#[derive(Debug)]
pub(super) enum Contents {
    Bytes(Bytes),
    Reader(Opened),
    /// What is in another blob: that of another entity, or of another state of this one.
    Copy(Reference),
}

/// How long the slowest line that is reckoned with needs for a mebibyte.
const A_MEBIBYTE: Duration = Duration::from_secs(1);
/// How long a reader may take whose length is not known.
const A_READER: Duration = Duration::from_secs(3_600);

impl Contents {
    /// How long it may take to send it, at most. What is left behind is collected no earlier.
    pub(super) fn time_to_send(&self) -> Duration {
        let of = |bytes: u64| A_MEBIBYTE.saturating_mul(u32::try_from(bytes >> 20).unwrap_or(u32::MAX));
        match self {
            Self::Bytes(bytes) => of(u64::try_from(bytes.len()).unwrap_or(u64::MAX)),
            Self::Copy(from) => of(from.digest.length),
            Self::Reader(_) => A_READER,
        }
    }
}

/// The same, piece by piece.
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
    /// Writes a blob where nothing is; makes its container if it must. Each request that could bring it about is sent only
    /// while the hints at it hold.
    pub(super) async fn upload(
        &self,
        place: &BlobPlace,
        mut contents: Contents,
        hints: &[HintReceipt],
    ) -> Result<Digest, Error> {
        match self.send_contents(place, &mut contents, hints).await {
            // Of a blob that is written piece by piece, a client over HTTP reports this with any piece.
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

    /// Nothing is sent that could land when nobody looks for it any more.
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
            // After a lost response the container may exist: the put shows it.
            Err(error) if error.code() != ErrorCode::ContainerAlreadyExists && !error.is_unknown() => {
                Err(error.into())
            }
            _ => Ok(()),
        }
    }

    /// Whether a blob is there.
    pub(crate) async fn has_blob(&self, name: &str) -> Result<bool, Error> {
        match self.blobs()?.blob_properties(&address(name)?, &BlobConditions::none()).await {
            Err(error) if error.is_not_found() => Ok(false),
            other => Ok(other.map(|_| true)?),
        }
    }

    /// Deletes a blob, unless that was done.
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

/// A blob of the name is there. The token is in it, so it is the one that was sent.
fn there(sent: Result<(), TableError>) -> Result<(), TableError> {
    match sent {
        Err(error) if error.code() != ErrorCode::BlobAlreadyExists => Err(error),
        _ => Ok(()),
    }
}

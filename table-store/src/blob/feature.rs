use crate::{ErrorCode, TableError};

/// What the service can do with blobs and the store does not.
///
/// ```
/// use table_store::{ErrorCode, blob::BlobFeature};
///
/// assert_eq!(BlobFeature::PageBlob.refusal().code(), ErrorCode::NotImplemented);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlobFeature {
    /// Blobs of pages that are written at random places.
    PageBlob,
    /// The sole right to write for some time. A request that names a lease is refused with
    /// `LeaseNotPresentWithBlobOperation`, as by the service where there is none.
    Lease,
    /// Copies of a blob as it was.
    Snapshot,
    /// Hot, cool and archived blobs.
    Tier,
    /// Copies from another blob or address.
    Copy,
    /// Names and values by which blobs are found.
    Tag,
    /// Encryption with a key that a request brings.
    CustomerKey,
}

impl BlobFeature {
    /// What a request for it is answered with: `NotImplemented`.
    #[must_use]
    pub fn refusal(self) -> TableError {
        let what = match self {
            Self::PageBlob => "page blobs",
            Self::Lease => "leases",
            Self::Snapshot => "snapshots",
            Self::Tier => "access tiers",
            Self::Copy => "copying",
            Self::Tag => "tags",
            Self::CustomerKey => "encryption with keys of requests",
        };
        let message = format!("{} This store has no {what}.", ErrorCode::NotImplemented.message());
        TableError::with_message(ErrorCode::NotImplemented, message)
    }
}

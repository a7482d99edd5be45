use crate::{ErrorCode, TableError};

/// Blob features of the service that the store does not support.
///
/// ```
/// use table_model::{ErrorCode, blob::BlobFeature};
///
/// assert_eq!(BlobFeature::PageBlob.refusal().code(), ErrorCode::NotImplemented);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlobFeature {
    /// Blobs of pages with random write access.
    PageBlob,
    /// Versions of a blob that the service keeps by itself.
    Version,
    /// The access tier of blobs that must be rehydrated before they are read.
    ArchiveTier,
    /// Copies from another server or account.
    Copy,
    /// Copies of a source that an `Authorization` header of the copy permits to read.
    SourceAuthorization,
    /// Encryption with a customer-provided key.
    CustomerKey,
    /// Named keys for the encryption of blobs.
    EncryptionScope,
    /// Blobs that the service deletes at a given time.
    Expiry,
    /// Blobs that cannot be changed for a given time.
    Immutability,
    /// Blobs that cannot be changed until the hold is cleared.
    LegalHold,
    /// Append blobs that cannot be appended to.
    Seal,
    /// Deleted blobs and containers that can be restored.
    SoftDelete,
    /// Bodies in a format with checksums of their segments.
    StructuredBody,
    /// Queries of the content of a blob.
    Query,
    /// Containers with another name after a rename.
    Rename,
    /// Keys for signatures of an identity instead of the account.
    UserDelegation,
}

impl BlobFeature {
    /// Returns the error for a request that uses the feature: `NotImplemented`.
    #[must_use]
    pub fn refusal(self) -> TableError {
        let what = match self {
            Self::PageBlob => "page blobs",
            Self::Version => "versions of blobs",
            Self::ArchiveTier => "the access tier Archive, only Hot, Cool and Cold",
            Self::Copy => "copying from another server or account",
            Self::SourceAuthorization => {
                "the authorization of a copy source by a header; put a signature into its URL"
            }
            Self::CustomerKey => "encryption with customer-provided keys",
            Self::EncryptionScope => "encryption scopes",
            Self::Expiry => "the expiry of blobs",
            Self::Immutability => "immutability policies",
            Self::LegalHold => "legal holds",
            Self::Seal => "sealing append blobs",
            Self::SoftDelete => "soft delete",
            Self::StructuredBody => "structured bodies",
            Self::Query => "querying the content of blobs",
            Self::Rename => "renaming containers",
            Self::UserDelegation => "user delegation keys",
        };
        let message = format!("{} This store does not support {what}.", ErrorCode::NotImplemented.message());
        TableError::with_message(ErrorCode::NotImplemented, message)
    }
}

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
    /// Hot, cool and archive access tiers.
    Tier,
    /// Copies from another server or account.
    Copy,
    /// Encryption with a customer-provided key.
    CustomerKey,
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
            Self::Tier => "access tiers",
            Self::Copy => "copying from another server or account",
            Self::CustomerKey => "encryption with customer-provided keys",
            Self::UserDelegation => "user delegation keys",
        };
        let message = format!("{} This store does not support {what}.", ErrorCode::NotImplemented.message());
        TableError::with_message(ErrorCode::NotImplemented, message)
    }
}

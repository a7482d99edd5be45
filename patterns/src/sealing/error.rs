use table_store::EdmType;

/// Why a sealed property cannot be read, or one cannot be sealed. Which property of which row is said by the error
/// around it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsealError {
    /// The handle has no keys.
    #[error("it is encrypted, and this handle has no keys: make one with `tables.with_keys(ring)`")]
    NoKeys,
    /// It was sealed by a key that the ring does not have.
    #[error("it is encrypted with key {id}, which the key ring does not have")]
    UnknownKey {
        /// The key's id.
        id: u32,
    },
    /// It is stored in clear. Nothing vouches for it, so it is not taken.
    #[error("it is stored in clear, as {found}, though it is to be encrypted")]
    NotSealed {
        /// How it is stored.
        found: EdmType,
    },
    /// It is not the form in which sealed values are stored.
    #[error("it is not in the form of an encrypted value that is known here")]
    Form,
    /// Its tag does not fit: the key is another one of the same id, or the value was changed, or it comes from another
    /// row or property.
    #[error("key {id} does not open it: it was damaged, or moved here from elsewhere, or the key is another")]
    Refused {
        /// The key's id.
        id: u32,
    },
    /// It could not be sealed.
    #[error("it could not be encrypted")]
    Failed,
}

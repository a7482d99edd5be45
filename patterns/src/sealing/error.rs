use table_store::EdmType;

/// Error in encrypting or decrypting a property. The enclosing error contains the property and the row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsealError {
    /// The handle has no keys.
    #[error("it is encrypted, and this handle has no keys: make one with `tables.with_keys(ring)`")]
    NoKeys,
    /// The value is encrypted with a key that the ring does not contain.
    #[error("it is encrypted with key {id}, which the key ring does not have")]
    UnknownKey {
        /// Key id.
        id: u32,
    },
    /// The value is stored in plain text. It is rejected because it is not authenticated.
    #[error("it is stored in clear, as {found}, though it is to be encrypted")]
    NotSealed {
        /// Stored type of the value.
        found: EdmType,
    },
    /// The value does not have the format of an encrypted value.
    #[error("it is not in the form of an encrypted value that is known here")]
    Form,
    /// The authentication tag does not match: the key with this id is a different key, or the value was changed or
    /// copied from another row or property.
    #[error("key {id} does not open it: it was damaged, or moved here from elsewhere, or the key is another")]
    Refused {
        /// Key id.
        id: u32,
    },
    /// The value could not be encrypted.
    #[error("it could not be encrypted")]
    Failed,
}

use table_model::EdmType;

/// Error in encrypting or decrypting a property. The enclosing error contains the property and the row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecryptError {
    /// The handle has no keys.
    #[error("it is encrypted, but this handle has no keys; create a handle with `tables.with_keys(ring)`")]
    NoKeys,
    /// The value is encrypted with a key that the ring does not contain.
    #[error(
        "it is encrypted with key {id}, which is missing in the key ring; load a ring with key {id}, and remove a key only \
         after `tables.reencrypt_all` finds no value of it"
    )]
    UnknownKey {
        /// Key id.
        id: u32,
    },
    /// The value is stored in plain text. It is rejected because it is not authenticated.
    #[error("it is stored unencrypted, as {found}, but must be encrypted")]
    NotSealed {
        /// Stored type of the value.
        found: EdmType,
    },
    /// The value does not have the format of an encrypted value.
    #[error("it does not have a supported format of encrypted values")]
    Form,
    /// The authentication tag does not match: the key with this id is a different key, or the value was changed or
    /// copied from another row or property.
    #[error(
        "it cannot be decrypted with key {id}: the value was changed or copied from elsewhere, or the key is \
         different"
    )]
    Refused {
        /// Key id.
        id: u32,
    },
    /// The value could not be encrypted.
    #[error("encryption failed")]
    Failed,
}

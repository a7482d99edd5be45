use std::error::Error;

/// Wraps the keys of a ring with an external key, so that the file alone cannot decrypt anything. The external key can
/// be in a key vault or on a smart card, or derived from a password.
///
/// It is called when a ring is loaded or saved, never when a row is read or written.
pub trait KeyWrap {
    /// Returns the name stored in the file. A ring cannot be loaded with a wrap of another name.
    fn name(&self) -> &str;

    /// Wraps the key with this id.
    ///
    /// # Errors
    /// Fails if the key cannot be wrapped.
    fn wrap(&self, id: u32, key: &[u8; 32]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>>;

    /// Unwraps the key with this id into `key`, which is zeroed after use.
    ///
    /// # Errors
    /// Fails if the key cannot be unwrapped.
    fn unwrap_into(
        &self,
        id: u32,
        wrapped: &[u8],
        key: &mut [u8; 32],
    ) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// Stores keys unwrapped. They are protected only by the permissions of the file.
pub(super) struct Clear;

impl KeyWrap for Clear {
    fn name(&self) -> &'static str {
        "none"
    }

    fn wrap(&self, _id: u32, key: &[u8; 32]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        Ok(key.to_vec())
    }

    fn unwrap_into(
        &self,
        _id: u32,
        wrapped: &[u8],
        key: &mut [u8; 32],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        *key = wrapped
            .try_into()
            .map_err(|_| format!("invalid key length: found {} bytes, expected 32", wrapped.len()))?;
        Ok(())
    }
}

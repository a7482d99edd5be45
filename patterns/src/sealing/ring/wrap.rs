use std::error::Error;

/// Wraps the keys of a ring with a key that is kept elsewhere, so that the ring's file alone opens nothing: a key vault, a
/// smart card, a password.
///
/// It is asked when a ring is loaded or saved, never when a row is read or written.
pub trait KeyWrap {
    /// What the file says the keys are wrapped with: a ring is not loaded with another.
    fn name(&self) -> &str;

    /// The key of an id, wrapped.
    fn wrap(&self, id: u32, key: &[u8; 32]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>>;

    /// Writes the key of an id to `key`, which is overwritten when it is not needed any more.
    fn unwrap_into(
        &self,
        id: u32,
        wrapped: &[u8],
        key: &mut [u8; 32],
    ) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// Wraps nothing: the file's permissions are what protects it.
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
        *key = wrapped.try_into().map_err(|_| format!("{} bytes are no key; it has 32", wrapped.len()))?;
        Ok(())
    }
}

//! Keys for encrypting and decrypting properties.

mod error;
mod file;
mod wrap;

pub use error::KeyRingError;
pub use wrap::KeyWrap;

use std::{collections::BTreeMap, fmt, sync::Arc};

use aes_gcm::{Aes256Gcm, KeyInit};
use zeroize::Zeroizing;

/// Set of keys with ids. The current key encrypts; all keys decrypt.
///
/// To change the key, continue with [`rotated`](Self::rotated): values encrypted with older keys remain readable while
/// the ring contains these keys. If a key is lost, all values encrypted with it are lost. Encrypt fewer than 2^32
/// values with one key, because nonces are random.
///
/// ```
/// use table_patterns::{KeyRing, prelude::*};
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// struct Employee {
///     department: String,
///     id: u32,
///     #[table(encrypt)]
///     national_id: String,
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("keys.toml");
/// let ring = KeyRing::create(&path)?; // once; from then on KeyRing::from_file(&path)?
/// let tables = Tables::in_memory()?.with_keys(ring);
/// let jo = Employee { department: "Sales".into(), id: 223, national_id: "AB 12 34".into() };
/// tables.blocking().insert(&jo)?;
///
/// // As a bag it is what is stored: ciphertext.
/// let bag = tables.blocking().get(&DynamicEntity::point("Employees", "Sales", "empid_000223"))?;
/// assert!(matches!(bag.unwrap().value("national_id"), Some(table_patterns::Value::Binary(_))));
///
/// let found = tables.blocking().get(&Employee::point("Sales", 223))?;
/// assert_eq!(found.unwrap().national_id, "AB 12 34");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct KeyRing {
    current: (u32, Arc<DataKey>),
    keys: Arc<Keys>,
    /// Keys that were removed from the ring, which a file may lose.
    removed: Arc<Keys>,
}

type Keys = BTreeMap<u32, Arc<DataKey>>;

/// A 256-bit key, zeroed on drop.
pub(super) struct DataKey {
    bytes: Zeroizing<[u8; 32]>,
    cipher: Aes256Gcm,
}

impl DataKey {
    fn new(bytes: Zeroizing<[u8; 32]>) -> Self {
        let cipher = Aes256Gcm::new(&(*bytes).into());
        Self { bytes, cipher }
    }

    fn random() -> Result<Self, KeyRingError> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *bytes).map_err(|error| KeyRingError::NoRandom(error.to_string()))?;
        Ok(Self::new(bytes))
    }

    pub(super) const fn cipher(&self) -> &Aes256Gcm {
        &self.cipher
    }
}

impl KeyRing {
    /// Creates a ring with one new key with id 1. The key is not stored yet: see [`save`](Self::save).
    ///
    /// # Errors
    /// Returns [`KeyRingError::NoRandom`] if the system provides no random bytes.
    pub fn generate() -> Result<Self, KeyRingError> {
        Self::of(1, BTreeMap::from([(1, Arc::new(DataKey::random()?))]))
    }

    /// Creates a ring from existing keys and the id of the current key.
    ///
    /// # Errors
    /// Returns [`KeyRingError::Twice`] for a duplicate id, and [`KeyRingError::NoCurrent`] if the current key is
    /// missing.
    pub fn from_keys(
        current: u32,
        keys: impl IntoIterator<Item = (u32, [u8; 32])>,
    ) -> Result<Self, KeyRingError> {
        let mut all = Keys::new();
        for (id, bytes) in keys {
            if all.insert(id, Arc::new(DataKey::new(Zeroizing::new(bytes)))).is_some() {
                return Err(KeyRingError::Twice { id });
            }
        }
        Self::of(current, all)
    }

    fn of(current: u32, keys: Keys) -> Result<Self, KeyRingError> {
        let key = keys.get(&current).cloned().ok_or(KeyRingError::NoCurrent { id: current })?;
        Ok(Self { current: (current, key), keys: Arc::new(keys), removed: Arc::default() })
    }

    /// Returns a ring with the same keys and a new current key. [`save`](Self::save) it before it is used: values
    /// encrypted with an unsaved key cannot be recovered. If another process has rotated the ring in the file since this one
    /// was loaded, `save` fails: load the file again, and use its current key.
    ///
    /// # Errors
    /// Returns [`KeyRingError::NoMoreIds`] if no greater id exists, and [`KeyRingError::NoRandom`] if the system
    /// provides no random bytes.
    pub fn rotated(&self) -> Result<Self, KeyRingError> {
        let last = self.keys.keys().next_back().copied().unwrap_or_default();
        let id = last.checked_add(1).ok_or(KeyRingError::NoMoreIds)?;
        let mut keys = (*self.keys).clone();
        keys.insert(id, Arc::new(DataKey::random()?));
        Ok(Self { removed: Arc::clone(&self.removed), ..Self::of(id, keys)? })
    }

    /// Returns a ring without one of its keys. Values that are encrypted with this key can no longer be read, so remove it
    /// only after [`Tables::reencrypt_all`](crate::Tables::reencrypt_all) reports that no value needs it.
    /// [`save`](Self::save) removes it from the file. A ring without this key has no effect.
    ///
    /// # Errors
    /// Returns [`KeyRingError::NoCurrent`] for the id of the current key.
    pub fn without(&self, id: u32) -> Result<Self, KeyRingError> {
        let (mut keys, mut removed) = ((*self.keys).clone(), (*self.removed).clone());
        removed.extend(keys.remove(&id).map(|key| (id, key)));
        Ok(Self { removed: Arc::new(removed), ..Self::of(self.current.0, keys)? })
    }

    /// Returns the id of the key that encrypts.
    pub const fn current(&self) -> u32 {
        self.current.0
    }

    /// Iterates over the ids of all keys in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        self.keys.keys().copied()
    }

    pub(super) fn current_key(&self) -> (u32, &DataKey) {
        (self.current.0, &self.current.1)
    }

    /// Returns the ids of the keys of another ring that this one neither contains nor has removed, and so would lose.
    fn lost(&self, other: &Self) -> Vec<u32> {
        let is_same =
            |keys: &Keys, id: u32, key: &DataKey| keys.get(&id).is_some_and(|own| own.bytes == key.bytes);
        let is_known = |id, key: &DataKey| is_same(&self.keys, id, key) || is_same(&self.removed, id, key);
        other.keys.iter().filter(|(id, key)| !is_known(**id, key)).map(|(id, _)| *id).collect()
    }

    pub(super) fn key(&self, id: u32) -> Option<&DataKey> {
        self.keys.get(&id).map(Arc::as_ref)
    }
}

/// Shows ids, never keys.
impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<u32> = self.ids().collect();
        f.debug_struct("KeyRing").field("current", &self.current.0).field("ids", &ids).finish_non_exhaustive()
    }
}

//! Property encryption: each property is encrypted before it is sent and decrypted after it was read, separately, and
//! bound to its table, row and name.

#[cfg(feature = "encryption")]
mod envelope;
mod error;
#[cfg(feature = "encryption")]
mod plain;
#[cfg(feature = "encryption")]
mod ring;
#[cfg(not(feature = "encryption"))]
mod without_keys;

pub use error::DecryptError;
#[cfg(feature = "encryption")]
pub use ring::{KeyRing, KeyRingError, KeyWrap};
#[cfg(not(feature = "encryption"))]
use without_keys::{self as envelope, KeyRing};

use std::{fmt, sync::Arc};

use table_model::{Value, ValueRef};

use crate::{
    core::{place::Place, reserved::ENTITY_TYPE},
    design::Design,
};

/// Selection of the properties of a write that are encrypted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Secrets {
    /// No properties.
    None,
    /// The properties that a design names.
    Of(&'static Design),
    /// The properties of an untyped entity that the handle's resolver selects.
    Resolved,
}

impl Secrets {
    /// Returns the selection of a design.
    pub(crate) const fn of(design: &'static Design) -> Self {
        if design.encrypted.is_empty() { Self::None } else { Self::Of(design) }
    }

    /// Returns the selection of an entity with a design, or of an untyped entity.
    pub(crate) const fn of_entity(design: Option<&'static Design>) -> Self {
        match design {
            Some(design) => Self::of(design),
            None => Self::Resolved,
        }
    }
}

/// Returns whether a property of an untyped entity is encrypted, given partition key, row key and property name.
type Resolver = Arc<dyn Fn(&str, &str, &str) -> bool + Send + Sync>;

/// Encryption keys and resolver of a handle.
#[derive(Clone)]
pub(crate) struct Sealing {
    ring: KeyRing,
    resolver: Option<Resolver>,
}

#[cfg(feature = "encryption")]
impl Sealing {
    pub(crate) const fn new(ring: KeyRing) -> Self {
        Self { ring, resolver: None }
    }

    pub(crate) fn resolving(&self, resolver: Resolver) -> Self {
        Self { ring: self.ring.clone(), resolver: Some(resolver) }
    }

    /// Returns the id of the key of a value that has the form of an encrypted value of another key than the current one.
    pub(crate) fn other_key(&self, stored: ValueRef<'_>) -> Option<u32> {
        let ValueRef::Binary(sealed) = stored else { return None };
        envelope::key_id(sealed).filter(|id| *id != self.ring.current())
    }

    /// Returns whether the ring contains a key.
    pub(crate) fn has_key(&self, id: u32) -> bool {
        self.ring.key(id).is_some()
    }
}

impl Sealing {
    /// Encrypts a property value.
    pub(crate) fn seal(
        &self,
        nonce: [u8; 12],
        place: Place<'_>,
        name: &str,
        value: &Value,
    ) -> Result<Vec<u8>, DecryptError> {
        envelope::seal(&self.ring, nonce, place, name, value)
    }

    /// Decrypts a property.
    pub(crate) fn open(
        &self,
        place: Place<'_>,
        name: &str,
        stored: ValueRef<'_>,
    ) -> Result<Value, DecryptError> {
        match stored {
            ValueRef::Binary(sealed) => envelope::open(&self.ring, place, name, sealed),
            other => Err(DecryptError::NotSealed { found: other.edm_type() }),
        }
    }

    /// Returns whether a property of an untyped entity is encrypted. The library's own properties never are.
    pub(crate) fn resolves(&self, place: Place<'_>, name: &str) -> bool {
        let is_ours = name == ENTITY_TYPE || name.starts_with('_');
        let resolve = |resolver: &Resolver| resolver(place.partition_key, place.row_key, name);
        !is_ours && self.resolver.as_ref().is_some_and(resolve)
    }
}

impl fmt::Debug for Sealing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealing").field("ring", &self.ring).finish_non_exhaustive()
    }
}

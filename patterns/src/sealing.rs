//! Properties that are encrypted before they are sent and decrypted after they were read: each by itself, bound to its
//! table, row and name.

mod envelope;
mod error;
mod pass;
mod plain;
mod ring;

pub(crate) use envelope::Place;
pub use error::UnsealError;
pub use ring::{KeyRing, KeyRingError, KeyWrap};

use std::{fmt, sync::Arc};

use table_store::{Value, ValueRef};

use crate::{design::Design, entity::ENTITY_TYPE};

/// Which properties of what is written are sealed.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Secrets {
    /// None.
    None,
    /// Those that a design names.
    Of(&'static Design),
    /// Those of a bag: what the handle's resolver says.
    Resolved,
}

impl Secrets {
    /// Those of a design.
    pub(crate) const fn of(design: &'static Design) -> Self {
        if design.encrypted.is_empty() { Self::None } else { Self::Of(design) }
    }
}

/// Says of a PartitionKey, a RowKey and a property's name whether the property of a bag is sealed.
type Resolver = Arc<dyn Fn(&str, &str, &str) -> bool + Send + Sync>;

/// What a handle seals and opens with.
#[derive(Clone)]
pub(crate) struct Sealing {
    ring: KeyRing,
    resolver: Option<Resolver>,
}

impl Sealing {
    pub(crate) const fn new(ring: KeyRing) -> Self {
        Self { ring, resolver: None }
    }

    pub(crate) fn resolving(&self, resolver: Resolver) -> Self {
        Self { ring: self.ring.clone(), resolver: Some(resolver) }
    }

    /// What a sealed property holds.
    pub(crate) fn open(
        &self,
        place: Place<'_>,
        name: &str,
        stored: ValueRef<'_>,
    ) -> Result<Value, UnsealError> {
        match stored {
            ValueRef::Binary(sealed) => envelope::open(&self.ring, place, name, sealed),
            other => Err(UnsealError::NotSealed { found: other.edm_type() }),
        }
    }

    /// Whether a property of a bag is sealed. The library's own never are.
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

//! Two types of which the entities of one move to the keys of the other.

use std::fmt;

use table_model::RowRef;

use super::EntityInfo;
use crate::{Address, Error, Source, core::derived_row::DerivedRow};

/// The conversions of a move, without the Rust types.
pub(crate) trait Conversion: fmt::Debug + Send + Sync {
    /// Returns the old address of an entity with a new address.
    fn old_of(&self, new: &Address) -> Option<Address>;

    /// Returns the `ETag` of the old row that a copy at a new key shows, and the rows derived from the copy. Returns
    /// `None` for a row that is not a copy.
    fn copied(&self, source: Source<'_>, row: RowRef<'_>)
    -> Result<Option<(String, Vec<DerivedRow>)>, Error>;
}

/// The old and the new type of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) old: EntityInfo,
    pub(crate) new: EntityInfo,
    pub(crate) by: &'static dyn Conversion,
}

impl Pair {
    /// Returns the type of the pair whose entities can have an address.
    pub(crate) fn kind_at(&self, address: &Address) -> Option<EntityInfo> {
        [self.old, self.new].into_iter().find(|kind| kind.can_be_at(address))
    }
}

//! Values of unique indexes in other partitions. Both types have them in the same rows, so that a value belongs to one
//! entity regardless of the key at which the entity is.

use super::{MovedFrom, keys::Keys};
use crate::{
    Address, Error, RegistryError,
    core::{derived::DerivedRows, derived_row::DerivedRow},
    design::{Design, Index},
};

/// Fails if the two forms of an entity have different values.
pub(crate) fn assert_same<E: MovedFrom>(keys: &Keys, old: &E::Old, new: &E) -> Result<(), Error> {
    if !has_any(E::DESIGN) {
        return Ok(());
    }
    let of_new = DerivedRows::addresses_of(new)?;
    let of_old = DerivedRows::addresses_of(old)?;
    let (of_new, of_old) = (reserved(&of_new), reserved(&of_old));
    let only_new = of_new.iter().find(|value| !of_old.contains(value));
    match only_new.or_else(|| of_old.iter().find(|value| !of_new.contains(value))) {
        None => Ok(()),
        Some((index, _)) => {
            let address = Box::new(keys.old.clone());
            Err(RegistryError::ValueChanged { address, index }.into())
        }
    }
}

/// Returns whether a type has unique indexes in other partitions.
pub(crate) fn has_any(design: &Design) -> bool {
    design.indexes.iter().any(Index::is_reserved)
}

fn reserved(rows: &[DerivedRow]) -> Vec<(&'static str, &Address)> {
    let of_index = |index: &&Index| index.is_reserved();
    rows.iter().filter_map(|row| Some((row.rule.index().filter(of_index)?.name, &row.address))).collect()
}

use std::marker::PhantomData;

use super::Spec;

/// Scan of a complete table for entities that satisfy a condition. The cost depends on the size of the table. For an
/// entity with a table for each period, all tables are scanned one after the other.
pub struct TableScan<E, R = E> {
    pub(crate) spec: Spec,
    pub(crate) types: PhantomData<fn() -> (E, R)>,
}

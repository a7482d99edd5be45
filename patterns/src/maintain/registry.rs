//! The index registry: a table that all programs share. It contains the maintained and the readable indexes of each
//! entity type.
//!
//! An index that is added or removed online changes its state in several steps. A program may write only according to a
//! state that it read less than [`LEASE`](crate::LEASE) ago. The state changes only after [`LEASE`](crate::LEASE) and
//! [`MAX_REQUEST_AGE`](crate::MAX_REQUEST_AGE), when no program uses the previous state and no request that was sent in
//! that state is still in flight. Therefore at most two adjacent states are in use at any time, which makes the change
//! safe. The states were checked with a model (`docs/model-checks.md`, `reindex`); `NoDeleteOnly` and `NoLease` show
//! the failures without them.

mod change;
mod register;
pub(crate) mod turn;

pub use change::{IndexChange, IndexStep};

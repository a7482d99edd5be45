//! Which of an entity's indexes are kept, and which may be read: a table that all programs look at.
//!
//! An index that is new to live data goes through states, one after the other, and so does one that is to go. A program may
//! write only by a state that it read less than [`LEASE`] ago; and a state is left only after [`LEASE`] and [`LANDING`], when
//! no program goes by the one before it and nothing that was sent under that one is still on its way. So at most two
//! neighbouring states are in use at any time: that is what makes the change safe. The states were checked with a model
//! (`docs/model-checks.md`, `reindex`); `NoDeleteOnly` and `NoLease` there show what goes wrong without them.

mod change;
mod clock;
mod known;
mod regulate;
mod row;
mod state;

pub use change::{IndexChange, IndexStep};
pub use clock::LeaseClock;
pub(crate) use known::Registry;
pub(crate) use regulate::Lease;
pub use row::IndexStatus;
pub(crate) use state::Duty;
pub use state::IndexState;

use std::time::Duration;

/// For how long a program goes by what it read.
pub const LEASE: Duration = Duration::from_secs(30);

/// How long a request may be on its way.
pub const LANDING: Duration = Duration::from_secs(120);

/// The table that the states are kept in.
pub(crate) const TABLE: &str = "tablepatterns";

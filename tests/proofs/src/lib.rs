//! Evidence for the promises of the workspace that needs many runs: of a simulated disk, of seeded schedules, and of
//! real processes. The programs in `bin/` run it for a given time; the tests run a small number of cases for every change.

pub mod clients;
pub mod command;
pub mod conformance;
pub mod durable;
pub mod faults;
pub mod matrix;
pub mod migration;
pub mod mutants;
pub mod reliability;
pub mod remote;
pub mod simulation;

/// The code of chapters that use the server and the client.
#[cfg(doctest)]
mod documented {
    #[doc = include_str!("../../../docs/guide/access.md")]
    struct Access;
    #[doc = include_str!("../../../docs/guide/tutorial.md")]
    struct Tutorial;
}

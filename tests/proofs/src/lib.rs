//! Evidence for the promises of the workspace that needs many runs: of a simulated disk, of seeded schedules, of models
//! of the protocols, and of real processes. The programs in `bin/` run it for a given time; the tests run a small number
//! of cases for every change.

pub mod clients;
pub mod conformance;
pub mod faults;
pub mod migration;
pub mod models;
pub mod mutants;
pub mod reliability;
pub mod remote;
pub mod simulation;

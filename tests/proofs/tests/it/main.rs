//! The integration tests of `table-proofs`, in one binary.

mod faults;
mod models;
mod mutants;
mod reliability;
mod simulation;

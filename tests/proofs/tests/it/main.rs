//! The integration tests of `table-proofs`, in one binary.

mod browser;
mod clients;
mod conformance;
mod durable;
mod evolution;
mod explorer;
mod faults;
mod matrix;
mod migration;
mod mutants;
mod postgres;
mod reliability;
mod remote;
mod simulation;

//! The integration tests of `table-codegen`, in one binary.

mod errors;
mod evolution;
mod examples;
mod front_ends;
mod merging;
mod mutated;
mod omitted;
mod reading;
mod reference;
mod sources;
mod values;
mod workloads;
mod writing;
mod written;

//! The integration tests of `table-schema`, in one binary.

mod corpus;
mod properties;
mod vectors;

//! Generated code in unfriendly places. This crate compiles, without a warning under strict lints, or the derives are
//! wrong: what they write must mean the same wherever it lands.

#![deny(missing_docs, warnings, clippy::pedantic, missing_debug_implementations, unreachable_pub)]

pub mod documented;
pub mod indexed;
pub mod inner;
pub mod names;
pub mod raw;
pub mod shadowed;
pub mod values;

/// Brings the crate with the second `AsRef` for `str` into the graph.
pub use toml::Table as SecondAsRef;

//! Generated code in adverse environments. This module must compile without a warning under strict lints; the generated
//! code must have the same meaning in every environment. The example `hygiene` of `xtask` compiles the same files where
//! the facade is known by another name only, and in the 2021 edition.

#![deny(missing_docs, warnings, clippy::pedantic, missing_debug_implementations, unreachable_pub)]

pub mod documented;
pub mod indexed;
pub mod inner;
pub mod names;
pub mod passed;
pub mod raw;
pub mod shadowed;
pub mod values;

/// Adds the crate with the second `AsRef` for `str` to the dependency graph.
pub use toml::Table as SecondAsRef;

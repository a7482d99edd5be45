//! Generated code where the facade is known as `storage` only, in the edition without `let` chains and with other
//! lifetime rules. The files are those of `table_tests::hygiene`.

#![deny(missing_docs, warnings, clippy::pedantic, missing_debug_implementations, unreachable_pub)]

#[path = "../../src/hygiene/documented.rs"]
pub mod documented;
#[path = "../../src/hygiene/indexed.rs"]
pub mod indexed;
#[path = "../../src/hygiene/inner.rs"]
pub mod inner;
#[path = "../../src/hygiene/names.rs"]
pub mod names;
#[path = "../../src/hygiene/raw.rs"]
pub mod raw;
#[path = "../../src/hygiene/shadowed.rs"]
pub mod shadowed;
#[path = "../../src/hygiene/values.rs"]
pub mod values;

/// Adds the crate with the second `AsRef` for `str` to the dependency graph.
pub use toml::Table as SecondAsRef;

//! Generated code where the facade is known as `storage` only, in the edition without `let` chains and with other
//! lifetime rules. The files are those of `table_tests::hygiene`.

#![deny(missing_docs, warnings, clippy::pedantic, missing_debug_implementations, unreachable_pub)]

#[path = "../../tests/src/hygiene/documented.rs"]
pub mod documented;
#[path = "../../tests/src/hygiene/indexed.rs"]
pub mod indexed;
#[path = "../../tests/src/hygiene/inner.rs"]
pub mod inner;
#[path = "../../tests/src/hygiene/names.rs"]
pub mod names;
#[path = "../../tests/src/hygiene/passed.rs"]
pub mod passed;
#[path = "../../tests/src/hygiene/raw.rs"]
pub mod raw;
#[path = "../../tests/src/hygiene/shadowed.rs"]
pub mod shadowed;
#[path = "../../tests/src/hygiene/values.rs"]
pub mod values;

/// Adds the crate with the second `AsRef` for `str` to the dependency graph.
pub use toml::Table as SecondAsRef;

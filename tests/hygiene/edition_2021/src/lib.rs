//! The entities of the other crate, in an edition without `let` chains and with other lifetime rules.

#![deny(missing_docs, warnings, clippy::pedantic, missing_debug_implementations, unreachable_pub)]

#[path = "../../src/indexed.rs"]
pub mod indexed;
#[path = "../../src/names.rs"]
pub mod names;
#[path = "../../src/raw.rs"]
pub mod raw;
#[path = "../../src/values.rs"]
pub mod values;

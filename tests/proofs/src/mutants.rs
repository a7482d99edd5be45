//! Mutation tests from a list. `mutants.toml` contains rules of the product, each with an edit that breaks the rule and
//! the test that must detect it. The runner applies one mutant at a time to a copy of the sources, and runs its test
//! with the default size. A surviving mutant is a failure: its rule has no test.
//!
//! The product itself contains no fault switches. The edits are string replacements, so `tests/it/mutants.rs` checks on
//! every change that each edit still applies.

mod edit;
mod list;
mod run;
mod tree;

pub use edit::EditError;
pub use list::{List, ListError, Mutant};
pub use run::{Outcome, RunError, Runner};
pub use tree::Tree;

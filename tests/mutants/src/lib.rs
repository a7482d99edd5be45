//! Mutation tests by a list: `mutants.toml` names rules of the product, each with an edit that breaks the rule and the
//! test that must notice it. The runner applies one edit at a time to a copy of the sources and runs that test with its
//! default size. A mutant that survives is a failure: a rule without a test.
//!
//! The product itself contains no fault switches. The edits are text, so `tests/list.rs` checks with every change that
//! each of them still applies.

mod edit;
mod list;
mod run;
mod tree;

pub use edit::EditError;
pub use list::{List, ListError, Mutant};
pub use run::{Outcome, RunError, Runner};
pub use tree::Tree;

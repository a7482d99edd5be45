//! The conformance matrix of the book: every behavior that the cases assert, with what Azure documents, and what Azurite and
//! our server do.
//!
//! The page is generated from the sources and the recorded outcomes of the suites, which their own tests keep true:
//! `tests/conformance`, `tests/clients`, the list of Azurite's deviations, and the results of the tests of the SDKs.
//! `cargo run -p table-proofs --bin matrix` writes it, and a test compares it.

mod cases;
mod page;
mod results;

pub use cases::{Behavior, Case, SourceError, behaviors};
pub use page::page;
pub use results::{FileResult, results};

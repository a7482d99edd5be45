//! Random programs of all operations of a store, each step compared with a simple model; failing programs are reduced.
//!
//! `proptest` generates a program from a seed, so that it can be reduced: steps are removed and values simplified while
//! it still fails. Programs refer to rows and versions by small numbers (the second row, the version before the current
//! one), so that a reduced program is still valid.

pub mod engine;
pub mod mistake;
pub mod paging;
pub mod reads;
pub mod run;
pub mod step;
pub mod strategy;
pub mod trial;
pub mod truth;

pub use engine::Engine;
pub use mistake::Mistake;
pub use step::{Program, Step};
pub use trial::Trial;

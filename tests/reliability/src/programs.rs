//! Random programs of everything that a store can do, each step held against a plain model; what fails is made small.
//!
//! A program is made by `proptest` from a seed, so that what fails can be simplified: steps are left out and values
//! made smaller for as long as it still fails. Programs speak in small numbers (the second row, the version before the
//! present one), so that what is left of one still makes sense.

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

//! State machines of the protocols that keep derived rows equal to their entities, each searched whole
//! within its bounds.
//!
//! Every read, write, transaction and queue action is a step of its own, and all processes take their
//! steps in any order. What is in a model and what is left out stands in `docs/model-checks.md`.

#![allow(clippy::indexing_slicing, reason = "small arrays; an index out of bounds is a mistake of a model")]

mod aggregate;
mod archive;
mod blob;
mod budget;
pub mod catalogue;
mod cell;
mod copies;
mod counter;
pub mod graph;
mod lists;
mod once;
mod protocol;
mod reindex;
pub mod search;
mod touch;
mod unique;
mod wide;

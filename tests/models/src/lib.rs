//! State machines of the protocols that keep derived rows consistent with their entities, each explored exhaustively
//! within its bounds.
//!
//! Every read, write, transaction and queue operation is a separate step, and the steps of all processes interleave
//! arbitrarily. `docs/model-checks.md` lists the contents of the models and the omitted parts.

#![allow(clippy::indexing_slicing, reason = "small arrays; an index out of bounds is a mistake of a model")]

mod aggregate;
mod archive;
mod blob;
mod budget;
pub mod catalogue;
mod cell;
mod changes;
mod copies;
mod counter;
pub mod graph;
mod lists;
mod moved;
mod once;
mod protocol;
mod reindex;
mod rekey;
mod retire;
pub mod search;
mod touch;
mod unique;
mod wide;

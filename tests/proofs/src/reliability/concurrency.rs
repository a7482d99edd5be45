//! Histories of concurrent clients, and two checkers of them.
//!
//! A [`Recording`] runs some clients against one store. It records each call with its invocation and its response as
//! values of one counter, not as times. Two checkers use only these records:
//!
//! * [`linearize`] searches for an order of the calls that explains every response and respects real time. It does not
//!   use the order of writes in the store. Each partition is checked separately, because no call spans partitions.
//! * [`witness`] uses the order of the store's timestamps, and replays it. It needs no search, so it supports histories
//!   of millions of calls.
//!
//! A run is not reproducible, because threads interleave arbitrarily. The recorded history is the counterexample: it is
//! reduced, written to a file, and checked again by `cargo run -p table-proofs --bin recheck_history FILE`.

pub mod call;
pub mod client;
pub mod file;
pub mod linearize;
pub mod partition;
pub mod planted;
pub mod recording;
pub mod service;
pub mod shrink;
pub mod trial;
pub mod witness;

pub use call::{Answer, Ask, Call, Change, Place, Refusal, Reply, Seen, Verb};
pub use linearize::Verdict;
pub use partition::Partition;
pub use planted::Bug;
pub use recording::Recording;
pub use trial::Trial;

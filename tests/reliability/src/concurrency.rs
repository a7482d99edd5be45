//! Histories of clients that work at the same time, and two judges of them.
//!
//! A [`Recording`] runs some clients against one store. Each call is noted with the moments at which it was asked and
//! answered: numbers of one counter, no times. Two judges look at what was noted, and at nothing else:
//!
//! * [`linearize`] searches for an order of the calls that explains every answer and keeps to what was over before
//!   what. It knows nothing of how the store orders its writes. Each partition is judged by itself: no call crosses
//!   one.
//! * [`witness`] takes the order that the store claims, that of its timestamps, and replays it. It needs no search, so
//!   it takes histories of millions of calls.
//!
//! A run cannot be repeated exactly: threads interleave as they like. What fails is therefore the recorded history; it
//! is made smaller, written to a file, and judged again by `cargo run -p table-reliability --bin recheck_history FILE`.

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

//! Applying commit records: the worker's part of the protocol, which updates rows in other partitions to match their
//! entities.
//!
//! One rule makes it safe for any number of workers to do the same work concurrently, late or early. For a derived row
//! D of an entity K:
//!
//! 1. Read the version of D first. If D does not exist and may have to exist, insert a placeholder row and use its
//!    version.
//! 2. Then read K.
//! 3. Write or delete D only if D still has that version. Otherwise, start again.
//! 4. Conclude that nothing needs to be done only if D does not exist, or shows the version of K that was just read.
//!
//! Proof: let a worker conclude D for the last commit that names D. A worker that would write an older state later has
//! read the version of D before it read K, so before that commit, so before the conclusion. Since then, D has a new
//! version or was deleted, so the write fails. The checks of the protocol with a model checker are in
//! `docs/model-checks.md`.

pub(crate) mod collect;
mod conclude;
pub(crate) mod copy;
mod lag;
mod park;
pub(crate) mod partition;
mod pass;
pub(crate) mod poison;
pub(crate) mod reader;
mod reconcile;
pub(crate) mod seen;
pub(crate) mod verdict;
pub(crate) mod wakeup;

pub(crate) use conclude::{conclude, conclude_of};
pub use lag::Lag;
pub use pass::CatchUpReport;
pub(crate) use pass::{Applied, follow_row};
pub(crate) use reconcile::reconcile;
pub(crate) use seen::ATTEMPTS;

//! All proofs. A new proof is added here.

mod blobs;
mod compaction;
mod concurrency;
mod crashes;
mod creation;
mod errors;
mod full_disk;
mod kills;
mod programs;
mod queues;
mod rot;

use std::{path::Path, sync::Arc};

use crate::reliability::proof::Proof;

/// Returns all proofs, in the order of their turns. `prove` is the program of that name, which some proofs start as a
/// child process.
#[must_use]
pub fn all(prove: &Path) -> Vec<Arc<dyn Proof>> {
    vec![
        Arc::new(crashes::Crashes::SINGLE),
        Arc::new(crashes::Crashes::GROUPS),
        Arc::new(crashes::Crashes::RELAXED),
        Arc::new(crashes::Garbage),
        Arc::new(crashes::Canary),
        Arc::new(blobs::Blobs),
        Arc::new(blobs::Unsynced),
        Arc::new(queues::Queues),
        Arc::new(queues::Unsynced),
        Arc::new(creation::Creation),
        Arc::new(compaction::Compaction),
        Arc::new(errors::Errors::default()),
        Arc::new(errors::Unnoticed::default()),
        Arc::new(rot::Verified::default()),
        Arc::new(rot::Unverified::new(prove)),
        Arc::new(full_disk::FullDisk),
        Arc::new(programs::Programs),
        Arc::new(programs::Mistakes),
        Arc::new(concurrency::Histories),
        Arc::new(concurrency::Times),
        Arc::new(concurrency::Planted),
        Arc::new(kills::Kills::durable(prove)),
        Arc::new(kills::Kills::relaxed(prove)),
    ]
}

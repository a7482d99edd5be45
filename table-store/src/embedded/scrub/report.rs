use std::fmt;

use super::Damage;

/// Most damages that a report lists one by one.
const LISTED: usize = 1_000;

/// What a scrub has seen.
///
/// ```
/// use table_store::embedded::{MemoryDisk, OpenOptions};
///
/// let disk = MemoryDisk::new();
/// OpenOptions::new().open_disk(disk.clone())?.blocking().close()?;
/// let report = OpenOptions::new().scrub_disk(disk)?;
/// assert!(report.is_sound(), "{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScrubReport {
    /// Tables, without deleted ones.
    pub tables: u64,
    /// Entities in them that are sound.
    pub entities: u64,
    /// Queues, without deleted ones.
    pub queues: u64,
    /// Messages in them that are sound.
    pub messages: u64,
    /// Sound entities of deleted tables and messages of deleted queues, whose space is not free yet.
    pub deleted: u64,
    /// Containers, deleted ones that are being swept among them.
    pub containers: u64,
    /// Blobs in them, also those that have uncommitted blocks only.
    pub blobs: u64,
    /// Sound chunks of contents, garbage among them.
    pub chunks: u64,
    /// Bytes of the sound records and their keys, the store's own among them.
    pub bytes: u64,
    /// What is damaged, in the order in which it was found; the first thousand.
    pub damage: Vec<Damage>,
    /// How many damages there are beyond those.
    pub unlisted: u64,
}

impl ScrubReport {
    /// Whether no damage was found.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty() && self.unlisted == 0
    }

    pub(super) fn note(&mut self, damage: Damage) {
        if self.damage.len() < LISTED {
            self.damage.push(damage);
        } else {
            self.unlisted += 1;
        }
    }
}

/// A line with the figures, and one for each damage.
impl fmt::Display for ScrubReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tables, entities, queues, messages, deleted, bytes, damage, unlisted, .. } = self;
        let Self { containers, blobs, chunks, .. } = self;
        write!(
            f,
            "{}: {tables} tables, {entities} entities",
            if self.is_sound() { "sound" } else { "DAMAGED" }
        )?;
        if *queues > 0 {
            write!(f, ", {queues} queues, {messages} messages")?;
        }
        if *deleted > 0 {
            write!(f, " and {deleted} of what was deleted")?;
        }
        if *containers > 0 {
            write!(f, ", {containers} containers, {blobs} blobs in {chunks} chunks")?;
        }
        write!(f, ", {bytes} bytes of records verified")?;
        for damage in damage {
            write!(f, "\n{damage}")?;
        }
        if *unlisted > 0 {
            write!(f, "\nand {unlisted} more")?;
        }
        Ok(())
    }
}

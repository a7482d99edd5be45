use std::{collections::BTreeMap, fmt};

use table_model::TableName;

use super::{Damage, DamagePlace};

/// Maximum number of damages listed in a report.
const LISTED: usize = 1_000;

/// Result of a scrub. It reads around damaged pages, like a [salvage](crate::OpenOptions::salvage), unless the file was written
/// by a version without checksums of pages: then the rest of a table after a damaged page is not counted.
///
/// ```
/// use table_store::{MemoryDisk, OpenOptions};
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
    /// Number of tables, without deleted tables.
    pub tables: u64,
    /// Number of sound entities in these tables, and in tables whose names are lost. If a page is damaged, more of them may
    /// exist in it.
    pub entities: u64,
    /// Number of sound entities by table, without empty tables and tables whose names are lost.
    pub entities_by_table: BTreeMap<TableName, u64>,
    /// Number of queues, without deleted queues.
    pub queues: u64,
    /// Number of sound messages in these queues.
    pub messages: u64,
    /// Number of sound entities of deleted tables and messages of deleted queues whose space is not free yet.
    pub deleted: u64,
    /// Number of containers, including deleted containers that are being swept.
    pub containers: u64,
    /// Number of blobs, including blobs that have only uncommitted blocks.
    pub blobs: u64,
    /// Number of sound content chunks, including garbage.
    pub chunks: u64,
    /// Size in bytes of the sound records and their keys, including internal records.
    pub bytes: u64,
    /// Damages in the order in which they were found, at most 1,000.
    pub damage: Vec<Damage>,
    /// Number of further damages.
    pub unlisted: u64,
}

impl ScrubReport {
    /// Returns `true` if no damage was found.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty() && self.unlisted == 0
    }

    /// Adds damage. Several reads can find the same page, which is listed once.
    pub(super) fn note(&mut self, damage: Damage) {
        if damage.place == DamagePlace::Engine && self.damage.contains(&damage) {
            return;
        }
        if self.damage.len() < LISTED {
            self.damage.push(damage);
        } else {
            self.unlisted += 1;
        }
    }
}

/// Prints one line with the counts and one line per damage.
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
            write!(f, ", {deleted} deleted records")?;
        }
        if *containers > 0 {
            write!(f, ", {containers} containers, {blobs} blobs in {chunks} chunks")?;
        }
        write!(f, ", {bytes} bytes of records verified")?;
        if damage.iter().any(|damage| damage.place == DamagePlace::Engine) {
            f.write_str("; records in damaged pages were not: `tables salvage` copies all others")?;
        }
        for damage in damage {
            write!(f, "\n{damage}")?;
        }
        if *unlisted > 0 {
            write!(f, "\nand {unlisted} more")?;
        }
        Ok(())
    }
}

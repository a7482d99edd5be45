use std::{collections::BTreeMap, fmt};

use crate::core::difference::{Difference, DifferenceKind, RepairStatus};

/// Maximum number of differences listed in a report. Further differences are only counted.
const MOST_LISTED: usize = 1_000;
/// Maximum number of differences of one kind in the `Display` output.
const MOST_SHOWN: usize = 20;

/// Report of a verification. Its `Display` output is a line of counts, followed by at most 20 differences of each kind.
/// Entities of other versions are only counted.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct VerifyReport {
    /// Number of entities checked.
    pub entities: u64,
    /// Number of index rows checked, including placeholders.
    pub rows: u64,
    /// Number of rows that are out of date but named in a pending commit record. These are not errors.
    pub lagging: u64,
    /// Number of differences that were repaired.
    pub repaired: u64,
    /// Number of entities in each older version that the type does not read. They were not compared: first call
    /// [`Tables::upgrade`](crate::Tables::upgrade). An entity of a newer version ends the verification with an error.
    pub other_versions: BTreeMap<u32, u64>,
    /// The differences, at most 1,000.
    pub differences: Vec<Difference>,
    found: [u64; DifferenceKind::ALL.len()],
}

impl VerifyReport {
    /// Returns `true` if all rows match the entities, or will match after all commits are applied.
    pub fn is_clean(&self) -> bool {
        self.count() == 0
    }

    /// Returns the number of differences, including unlisted and repaired differences.
    pub fn count(&self) -> u64 {
        self.found.iter().sum()
    }

    /// Returns the number of differences of one kind.
    pub fn count_of(&self, what: DifferenceKind) -> u64 {
        DifferenceKind::ALL
            .iter()
            .zip(self.found)
            .find(|(other, _)| **other == what)
            .map_or(0, |(_, found)| found)
    }

    pub(super) fn append(&mut self, other: Self) {
        self.entities += other.entities;
        self.rows += other.rows;
        self.lagging += other.lagging;
        self.repaired += other.repaired;
        for (version, entities) in other.other_versions {
            *self.other_versions.entry(version).or_default() += entities;
        }
        self.found.iter_mut().zip(other.found).for_each(|(sum, found)| *sum += found);
        let room = MOST_LISTED.saturating_sub(self.differences.len());
        self.differences.extend(other.differences.into_iter().take(room));
    }

    pub(super) fn add_version(&mut self, version: Option<u32>) {
        if let Some(version) = version {
            *self.other_versions.entry(version).or_default() += 1;
        }
    }

    pub(super) fn add(&mut self, difference: Difference) {
        let counts = DifferenceKind::ALL.iter().zip(&mut self.found);
        counts.filter(|(what, _)| **what == difference.what).for_each(|(_, found)| *found += 1);
        self.repaired += u64::from(matches!(difference.repair, RepairStatus::Done));
        if self.differences.len() < MOST_LISTED {
            self.differences.push(difference);
        }
    }
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entities, rows, lagging, repaired, .. } = self;
        let [entity, row] = [(*entities, ["entity", "entities"]), (*rows, ["row", "rows"])]
            .map(|(count, [one, more])| if count == 1 { one } else { more });
        write!(f, "{entities} {entity}, {rows} index {row}")?;
        if *lagging > 0 {
            write!(f, ", {lagging} lagging")?;
        }
        if self.is_clean() {
            return f.write_str(": no differences");
        }
        f.write_str(": ")?;
        let counts = DifferenceKind::ALL.iter().zip(self.found).filter(|(_, found)| *found > 0);
        for (number, (what, found)) in counts.enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{found} {what}")?;
        }
        write!(f, "; {repaired} repaired")?;
        let mut shown = BTreeMap::new();
        for difference in self.differences.iter().filter(|one| one.what != DifferenceKind::OtherVersion) {
            let shown: &mut usize = shown.entry(difference.what).or_default();
            *shown += 1;
            if *shown <= MOST_SHOWN {
                write!(f, "\n  {difference}")?;
            }
        }
        let shown: usize = shown.values().map(|shown| (*shown).min(MOST_SHOWN)).sum();
        let unlisted = self.count() - self.count_of(DifferenceKind::OtherVersion) - shown as u64;
        if unlisted > 0 {
            write!(f, "\n  and {unlisted} more")?;
        }
        Ok(())
    }
}

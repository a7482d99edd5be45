//! One partition as a sequential state machine: the effect and the response of a call without concurrency.

use super::call::{Answer, Ask, Call, Change, ROWS, Refusal, Seen, Slots, Verb, Version};

/// The contents of a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Partition {
    rows: [Option<Stored>; ROWS as usize],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stored {
    stamp: Stamp,
    slots: Slots,
}

/// The version of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stamp {
    Known(Version),
    /// The version of a call without a response. The first call that observes it determines the version.
    Of(usize),
}

impl Partition {
    /// Returns the partition after `call`, the call with this `number` in its history. Returns `None` if the response
    /// of the call is impossible; or, for a call without a response, if it would have changed nothing.
    #[must_use]
    pub fn after(&self, call: &Call, number: usize) -> Option<Self> {
        let mut after = *self;
        after.take(call, number).then_some(after)
    }

    fn take(&mut self, call: &Call, number: usize) -> bool {
        match (&call.ask, call.answer()) {
            (Ask::Get(row), Some(Answer::Row(seen))) => self.shows(*row, seen.as_ref()),
            (Ask::Scan(from, to), Some(Answer::Rows(rows))) => self.shows_all(*from, *to, rows),
            (Ask::Write(_), Some(Answer::Refused(reason, None))) => {
                self.refusal(call.ask.changes(), Some((*reason, 0))) == Some((*reason, 0))
            }
            (Ask::Transact(changes), Some(Answer::Refused(reason, Some(index)))) => {
                self.refusal(changes, Some((*reason, *index))) == Some((*reason, *index))
            }
            (Ask::Write(_) | Ask::Transact(_), Some(Answer::Done(versions))) => {
                let changes = call.ask.changes();
                changes.len() == versions.len()
                    && self.refusal(changes, None).is_none()
                    && changes.iter().zip(versions).all(|(change, version)| {
                        self.apply(change, version.map(Stamp::Known));
                        version.is_none() == (change.verb == Verb::Delete)
                    })
            }
            (Ask::Write(_) | Ask::Transact(_), None) => {
                let changes = call.ask.changes();
                let accepted = self.refusal(changes, None).is_none();
                for change in changes {
                    self.apply(change, (change.verb != Verb::Delete).then_some(Stamp::Of(number)));
                }
                accepted
            }
            _ => false,
        }
    }

    /// Returns whether these are all its rows.
    #[must_use]
    pub fn is(&self, rows: &[(u8, Seen)]) -> bool {
        let mut looked_at = *self;
        looked_at.shows_all(0, ROWS, rows)
    }

    /// Returns the first rejected change, and the reason, given the response that the caller received in `told`. A row
    /// of unknown version is assigned the version that makes the response possible.
    fn refusal(&mut self, changes: &[Change], told: Option<(Refusal, usize)>) -> Option<(Refusal, usize)> {
        changes.iter().enumerate().find_map(|(index, change)| {
            let conditional = matches!(change.verb, Verb::Replace | Verb::Merge | Verb::Delete);
            let reason = match self.stored(change.row) {
                Some(_) if change.verb == Verb::Insert => Refusal::Exists,
                None if conditional => Refusal::Missing,
                Some(stored) if conditional => {
                    let version = change.version?;
                    let moved = match stored.stamp {
                        Stamp::Known(known) => known != version,
                        Stamp::Of(_) => told == Some((Refusal::Moved, index)),
                    };
                    if !moved {
                        self.learn(stored.stamp, version);
                        return None;
                    }
                    Refusal::Moved
                }
                _ => return None,
            };
            Some((reason, index))
        })
    }

    /// Assigns the version to all rows with this stamp.
    fn learn(&mut self, stamp: Stamp, version: Version) {
        for stored in self.rows.iter_mut().flatten().filter(|stored| stored.stamp == stamp) {
            stored.stamp = Stamp::Known(version);
        }
    }

    fn apply(&mut self, change: &Change, stamp: Option<Stamp>) {
        let merges = matches!(change.verb, Verb::Merge | Verb::InsertOrMerge);
        let Some(row) = self.rows.get_mut(usize::from(change.row)) else { return };
        let before = row.filter(|_| merges).map(|stored| stored.slots).unwrap_or_default();
        let mut slots = change.slots;
        for (slot, kept) in slots.iter_mut().zip(before) {
            *slot = slot.or(kept);
        }
        *row = stamp.map(|stamp| Stored { stamp, slots });
    }

    fn stored(&self, row: u8) -> Option<Stored> {
        self.rows.get(usize::from(row)).copied().flatten()
    }

    fn shows(&mut self, row: u8, seen: Option<&Seen>) -> bool {
        match (self.stored(row), seen) {
            (None, None) => true,
            (Some(stored), Some(seen)) if stored.slots == seen.slots => match stored.stamp {
                Stamp::Known(version) => version == seen.version,
                Stamp::Of(_) => {
                    self.learn(stored.stamp, seen.version);
                    true
                }
            },
            _ => false,
        }
    }

    fn shows_all(&mut self, from: u8, to: u8, rows: &[(u8, Seen)]) -> bool {
        let ascending = rows.is_sorted_by(|(left, _), (right, _)| left < right);
        let inside = rows.iter().all(|(row, _)| (from..to).contains(row));
        let seen = |row| rows.iter().find(|(known, _)| *known == row).map(|(_, seen)| seen);
        ascending && inside && (from..to).all(|row| self.shows(row, seen(row)))
    }
}

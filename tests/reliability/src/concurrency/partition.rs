//! One partition as a sequential machine: what a call does and answers when nobody else is there.

use super::call::{Answer, Ask, Call, Change, ROWS, Refusal, Seen, Slots, Verb, Version};

/// What a partition holds.
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
    /// That of a call which nobody heard the answer of. The first who must have met it says which it is.
    Of(usize),
}

impl Partition {
    /// The partition after `call`, the `number`-th of its history. None if the call cannot have been answered as it
    /// was; or, if it was not answered, if it would have changed nothing.
    #[must_use]
    pub fn after(&self, call: &Call, number: usize) -> Option<Self> {
        let mut after = *self;
        after.take(call, number).then_some(after)
    }

    fn take(&mut self, call: &Call, number: usize) -> bool {
        match (&call.ask, call.answer()) {
            (Ask::Get(row), Some(Answer::Row(seen))) => self.shows(*row, seen.as_ref()),
            (Ask::Scan(from, to), Some(Answer::Rows(rows))) => self.shows_all(*from, *to, rows),
            (Ask::Write(_), Some(Answer::Refused(why, None))) => {
                self.refusal(call.ask.changes(), Some((*why, 0))) == Some((*why, 0))
            }
            (Ask::Transact(changes), Some(Answer::Refused(why, Some(index)))) => {
                self.refusal(changes, Some((*why, *index))) == Some((*why, *index))
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

    /// Whether these are all its rows.
    #[must_use]
    pub fn is(&self, rows: &[(u8, Seen)]) -> bool {
        let mut looked_at = *self;
        looked_at.shows_all(0, ROWS, rows)
    }

    /// The first change that is refused, and why, where the caller was `told` so or not. A row of unknown version has
    /// the one that makes it come true.
    fn refusal(&mut self, changes: &[Change], told: Option<(Refusal, usize)>) -> Option<(Refusal, usize)> {
        changes.iter().enumerate().find_map(|(index, change)| {
            let conditional = matches!(change.verb, Verb::Replace | Verb::Merge | Verb::Delete);
            let why = match self.stored(change.row) {
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
            Some((why, index))
        })
    }

    /// All rows with this stamp have this version.
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

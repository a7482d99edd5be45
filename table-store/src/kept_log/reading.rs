//! The commits of a kept log after a position.

use std::path::Path;

use table_model::{StorageFault, Timestamp};

use super::{
    error::RestoreError,
    folder::Folder,
    restore::{LogEnd, RestoreTo, Restored},
    segment::{self, Position, Record, Segment},
    tail::Tail,
};

/// A kept log that is read.
pub(super) struct Reading<'l> {
    pub(super) folder: &'l dyn Folder,
    pub(super) path: &'l Path,
    pub(super) to: RestoreTo,
}

/// Called with the commits of each segment in order.
pub(super) type Apply<'a> = &'a mut dyn FnMut(&[Record<'_>]) -> Result<(), StorageFault>;

impl Reading<'_> {
    /// Passes on the commits after `base`, up to the requested point.
    pub(super) fn apply(&self, base: Position, each: Apply<'_>) -> Result<Restored, RestoreError> {
        let failed = |error| RestoreError::Log { folder: self.path.to_owned(), error };
        let mut listed = segment::list(self.folder).map_err(failed)?;
        // An interrupted creation.
        let _ = listed.pop_if(|(_, name)| segment::is_unborn(self.folder, name));
        if listed.is_empty() {
            return Err(RestoreError::NoLog { folder: self.path.to_owned() });
        }
        let expired =
            listed.first().map(|(first, _)| *first).filter(|first| *first > base.number.saturating_add(1));
        if let Some(first) = expired {
            return Err(RestoreError::Expired { folder: self.path.to_owned(), first, backup: base.number });
        }
        let earlier = listed.iter().take_while(|(first, _)| *first <= base.number.saturating_add(1)).count();
        let mut listed = listed.into_iter().skip(earlier.saturating_sub(1)).peekable();
        let (mut reached, mut end) = (None::<Position>, LogEnd::Continues);
        // Until this time no later commit existed.
        let mut until = i64::MIN;
        while let Some((first, name)) = listed.next() {
            if let Some(reached) = reached.filter(|reached| self.to == RestoreTo::Commit(reached.number)) {
                return Ok(restored(base, reached, LogEnd::Continues));
            }
            let from = reached.unwrap_or(base);
            let Some(segment) = Segment::read(self.folder, &name).map_err(failed)? else {
                // The next segment starts after the commits of this one.
                let end = listed.peek().map_or(first, |(next, _)| next.saturating_sub(1));
                return Err(self.gap(from.number, end.max(from.number.saturating_add(1))));
            };
            let before = segment.before;
            if before.number > from.number {
                return Err(self.gap(from.number, before.number));
            }
            if before.log != base.log || reached.is_some_and(|reached| reached != before) {
                return Err(self.other(&segment));
            }
            let (last, ended) = self.apply_segment(&segment, base, each)?;
            if ended {
                return Ok(restored(base, last, LogEnd::Continues));
            }
            reached = Some(last);
            if listed.peek().is_none() {
                (end, until) = self.end(&segment, last)?;
            }
        }
        let last = reached.unwrap_or(base);
        if last.number < base.number {
            return Err(self.gap(last.number, base.number));
        }
        let is_reached = match self.to {
            RestoreTo::Latest => true,
            RestoreTo::Time(time) => time.ticks() <= until.max(last.time),
            RestoreTo::Commit(number) => number == last.number,
        };
        let restored = restored(base, last, end);
        if is_reached {
            return Ok(restored);
        }
        Err(RestoreError::NotReached {
            folder: self.path.to_owned(),
            last: restored.commit,
            time: restored.time,
        })
    }

    /// Passes on the commits of a segment. Returns the position after the last one, and whether a later commit follows it
    /// in the segment.
    fn apply_segment(
        &self,
        segment: &Segment,
        base: Position,
        each: Apply<'_>,
    ) -> Result<(Position, bool), RestoreError> {
        let (mut last, mut wanted, mut ended) = (segment.before, Vec::new(), false);
        for record in segment.records() {
            if last.number == base.number && last != base {
                break;
            }
            if record.position.number > base.number {
                if !self.to.includes(&record.position) {
                    ended = true;
                    break;
                }
                wanted.push(record);
            }
            last = record.position;
        }
        if last.number == base.number && last != base {
            return Err(self.other(segment));
        }
        each(&wanted)?;
        Ok((last, ended))
    }

    /// Returns how the log ends in its last segment, and the time in ticks until which no later commit existed.
    fn end(&self, segment: &Segment, last: Position) -> Result<(LogEnd, i64), RestoreError> {
        let hidden = match segment.tail() {
            Tail::Nothing => return Ok((LogEnd::Unconfirmed, i64::MIN)),
            Tail::Confirmed(time) => return Ok((LogEnd::Confirmed, time)),
            Tail::Incomplete { .. } => return Ok((LogEnd::Incomplete, i64::MIN)),
            Tail::Continued => last.number.saturating_add(1),
            Tail::Damaged(hidden) => hidden,
        };
        if self.to == RestoreTo::Commit(last.number) {
            return Ok((LogEnd::Continues, i64::MIN));
        }
        Err(self.gap(last.number, hidden))
    }

    fn other(&self, segment: &Segment) -> RestoreError {
        RestoreError::OtherLog { segment: self.path.join(&segment.name) }
    }

    /// Returns the error of missing commits after a position, up to `last`.
    fn gap(&self, reached: u64, last: u64) -> RestoreError {
        RestoreError::Gap { folder: self.path.to_owned(), first: reached.saturating_add(1), last }
    }
}

fn restored(base: Position, last: Position, end: LogEnd) -> Restored {
    Restored {
        commit: last.number,
        time: Timestamp::from_ticks(last.time).unwrap_or(Timestamp::MIN_STORED),
        applied: last.number.saturating_sub(base.number),
        end,
    }
}

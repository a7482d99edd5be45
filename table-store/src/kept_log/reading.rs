//! The commits of a kept log after a position.

use std::path::Path;

use table_model::{StorageFault, Timestamp};

use super::{
    error::RestoreError,
    folder::Folder,
    restore::{LogEnd, RestoreTo, Restored},
    search::Found,
    segment::{self, HEADER_BYTES, Position, Record, Segment},
    segment_damage::SegmentDamage,
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
        let mut listed = self.segments(base)?.into_iter().peekable();
        let (mut reached, mut end) = (None::<Position>, LogEnd::Continues);
        let (mut skipped, mut hole) = (None, None);
        // Until this time no later commit existed.
        let mut until = i64::MIN;
        while let Some((first, name)) = listed.next() {
            if let Some(reached) = reached.filter(|reached| self.to == RestoreTo::Commit(reached.number)) {
                return Ok(restored(base, reached, LogEnd::Continues, skipped));
            }
            let from = reached.unwrap_or(base);
            let next = listed.peek().map(|(next, _)| *next);
            let segment = if let Some(segment) = Segment::read(self.folder, &name).map_err(failed)? {
                segment
            } else {
                let damage = self.damage(&name, 0);
                let read = || Segment::without_header(self.folder, &name, first, &base);
                let Some(segment) = reached.is_none().then(read).transpose().map_err(failed)?.flatten()
                else {
                    // The next segment starts after the commits of this one.
                    let end = next.map_or(first, |next| next.saturating_sub(1));
                    return Err(self.gap(from.number, end.max(from.number.saturating_add(1)), Some(damage)));
                };
                skipped = Some(damage);
                segment
            };
            let before = segment.before;
            if before.number > from.number {
                return Err(self.gap(from.number, before.number, hole));
            }
            let is_next = reached.is_some() || before.number == base.number;
            if before.log != base.log || (is_next && before != from) {
                return Err(self.other(&segment));
            }
            let start = if is_next { HEADER_BYTES } else { self.start(&segment, base, &mut skipped)? };
            let (last, last_end, ended) = self.apply_segment(&segment, (start, from), each)?;
            if ended {
                return Ok(restored(base, last, LogEnd::Continues, skipped));
            }
            reached = Some(last);
            match next {
                None => (end, until) = self.end(&segment, last_end, last)?,
                Some(next) if next.saturating_sub(1) > last.number => {
                    let is_damaged = matches!(segment.tail(last_end, last), Tail::Damaged(_));
                    hole = is_damaged.then(|| self.damage(&segment.name, last_end));
                }
                Some(_) => {}
            }
        }
        let last = reached.unwrap_or(base);
        let is_reached = match self.to {
            RestoreTo::Latest => true,
            RestoreTo::Time(time) => time.ticks() <= until.max(last.time),
            RestoreTo::Commit(number) => number == last.number,
        };
        let restored = restored(base, last, end, skipped);
        if is_reached {
            return Ok(restored);
        }
        Err(RestoreError::NotReached {
            folder: self.path.to_owned(),
            last: restored.commit,
            time: restored.time,
        })
    }

    /// Returns the segments from the one with the commit after `base` on, with the numbers of their first commits.
    fn segments(&self, base: Position) -> Result<Vec<(u64, String)>, RestoreError> {
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
        Ok(listed.split_off(earlier.saturating_sub(1)))
    }

    /// Returns the offset of the end of the commit at `base` in its segment. Damage before it is put into `skipped`: it is
    /// an error only if the commits after it cannot be found.
    fn start(
        &self,
        segment: &Segment,
        base: Position,
        skipped: &mut Option<SegmentDamage>,
    ) -> Result<usize, RestoreError> {
        let sound = segment.records().take_while(|record| record.position.number <= base.number).last();
        let (end, last) =
            sound.map_or((HEADER_BYTES, segment.before), |record| (record.end, record.position));
        if last.number == base.number {
            return if last == base { Ok(end) } else { Err(self.other(segment)) };
        }
        let damage = skipped.take().unwrap_or_else(|| self.damage(&segment.name, end));
        let tail = segment.tail(end, last);
        let hidden = if let Tail::Damaged(hidden) = tail { hidden } else { last.number };
        let start = match segment.search(&base) {
            Found::End(start) => start,
            Found::Other => return Err(self.other(segment)),
            Found::Nothing if hidden > base.number && self.to == RestoreTo::Commit(base.number) => end,
            Found::Nothing if hidden > base.number => {
                return Err(self.gap(base.number, hidden, Some(damage)));
            }
            Found::Nothing => {
                let damage = Some(damage).filter(|_| tail != Tail::Continued);
                return Err(self.gap(last.number, base.number, damage));
            }
        };
        *skipped = Some(damage);
        Ok(start)
    }

    /// Passes on the commits of a segment after a position and its offset. Returns the position and the offset after the
    /// last one, and whether a later commit follows it in the segment.
    fn apply_segment(
        &self,
        segment: &Segment,
        (mut end, mut last): (usize, Position),
        each: Apply<'_>,
    ) -> Result<(Position, usize, bool), RestoreError> {
        let (mut wanted, mut ended) = (Vec::new(), false);
        for record in segment.records_after(end, last) {
            if !self.to.includes(&record.position) {
                ended = true;
                break;
            }
            (last, end) = (record.position, record.end);
            wanted.push(record);
        }
        each(&wanted)?;
        Ok((last, end, ended))
    }

    /// Returns how the log ends in its last segment, whose last sound commit ends at an offset, and the time in ticks until
    /// which no later commit existed.
    fn end(&self, segment: &Segment, end: usize, last: Position) -> Result<(LogEnd, i64), RestoreError> {
        let (hidden, damage) = match segment.tail(end, last) {
            Tail::Nothing => return Ok((LogEnd::Unconfirmed, i64::MIN)),
            Tail::Confirmed(time) => return Ok((LogEnd::Confirmed, time)),
            Tail::Incomplete { .. } => return Ok((LogEnd::Incomplete, i64::MIN)),
            Tail::Continued => (last.number.saturating_add(1), None),
            Tail::Damaged(hidden) => (hidden, Some(self.damage(&segment.name, end))),
        };
        if self.to == RestoreTo::Commit(last.number) {
            return Ok((LogEnd::Continues, i64::MIN));
        }
        Err(self.gap(last.number, hidden, damage))
    }

    /// Returns the damage of a segment after the end of a record.
    fn damage(&self, name: &str, end: usize) -> SegmentDamage {
        SegmentDamage { segment: self.path.join(name), byte: segment::next(end as u64) }
    }

    fn other(&self, segment: &Segment) -> RestoreError {
        RestoreError::OtherLog { segment: self.path.join(&segment.name) }
    }

    /// Returns the error of missing commits after a position, up to `last`.
    fn gap(&self, reached: u64, last: u64, damage: Option<SegmentDamage>) -> RestoreError {
        RestoreError::Gap { folder: self.path.to_owned(), first: reached.saturating_add(1), last, damage }
    }
}

fn restored(base: Position, last: Position, end: LogEnd, damage: Option<SegmentDamage>) -> Restored {
    Restored {
        commit: last.number,
        time: Timestamp::from_ticks(last.time).unwrap_or(Timestamp::MIN_STORED),
        applied: last.number.saturating_sub(base.number),
        end,
        damage,
    }
}

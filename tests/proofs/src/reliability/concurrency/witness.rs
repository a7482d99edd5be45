//! Check that the order of the store's timestamps explains all responses.
//!
//! Timestamps are strictly increasing, so they determine the order of accepted writes. Replayed in this order, each
//! write must be accepted as recorded. Each read and each rejected write must fit between two writes that real time
//! allows. The check needs one pass over the writes, and a few steps per read or rejected write.

use std::collections::BTreeMap;

use super::{Answer, Call, Partition, Place, call::Version};

/// Reason why the order of writes does not explain the history.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
    /// The history cannot be checked this way: a write that changed something has no unique time.
    #[error("{0:?} has no time, so this history has no order to be replayed")]
    Untimed(Box<Call>),
    /// Two writes have the same time.
    #[error("{0:?} and {1:?} have the same time")]
    SameTime(Box<Call>, Box<Call>),
    /// The response of a write precedes the invocation of another, but its time is later.
    #[error("{0:?} was over when {1:?} was asked, and has a later time")]
    Backwards(Box<Call>, Box<Call>),
    /// A write could not have been accepted as recorded at the position of its time.
    #[error("{0:?} is not explained by the writes before it")]
    Write(Box<Call>),
    /// A read or a rejection does not fit between the writes that ended before it and the writes that started after it.
    #[error("{call:?} fits nowhere after the first {from} writes and before all but the first {to}")]
    Look {
        /// The read, or the rejected write.
        call: Box<Call>,
        /// Number of writes that ended before it.
        from: usize,
        /// Number of writes that started before its response.
        to: usize,
    },
}

/// A read or a rejection, and the range of its possible positions among the writes.
struct Look<'h> {
    call: &'h Call,
    from: usize,
    to: usize,
}

/// The partitions during the replay.
#[derive(Default)]
struct Replay<'h> {
    holds: BTreeMap<Place, Partition>,
    /// Reads and rejections without an explanation so far, by table.
    waiting: BTreeMap<u8, Vec<Look<'h>>>,
}

/// Replays a history in the order of its timestamps.
///
/// # Errors
/// Returns an objection if a call contradicts the order of the timestamps, or if the order is not unique.
pub fn judge(calls: &[Call]) -> Result<(), Objection> {
    let writes = in_order(calls)?;
    let mut looks = looks(calls, &writes);
    looks.sort_by_key(|look| std::cmp::Reverse(look.from));
    let mut replay = Replay::default();
    for made in 0..=writes.len() {
        if let Some(call) = made.checked_sub(1).and_then(|before| writes.get(before)) {
            replay.write(call, made)?;
        }
        while let Some(look) = looks.pop_if(|look| look.from == made) {
            if !fits(look.call, &replay.holds) {
                replay.waiting.entry(look.call.place.table).or_default().push(look);
            }
        }
    }
    replay.waiting.values().flatten().next().map_or(Ok(()), |look| Err(look.objection()))
}

impl<'h> Replay<'h> {
    /// Applies the write at position `made`. All calls that must precede it have an explanation by now, or none.
    fn write(&mut self, call: &'h Call, made: usize) -> Result<(), Objection> {
        let waiting = self.waiting.entry(call.place.table).or_default();
        if let Some(look) = waiting.iter().find(|look| look.to < made) {
            return Err(look.objection());
        }
        let partition = self.holds.entry(call.place).or_default();
        *partition = partition.after(call, 0).ok_or_else(|| Objection::Write(Box::new(call.clone())))?;
        waiting.retain(|look| !fits(look.call, &self.holds));
        Ok(())
    }
}

impl Look<'_> {
    fn objection(&self) -> Objection {
        Objection::Look { call: Box::new(self.call.clone()), from: self.from, to: self.to }
    }
}

/// Returns whether the contents of the partitions explain the response of a read or a rejection.
fn fits(call: &Call, holds: &BTreeMap<Place, Partition>) -> bool {
    let Some(Answer::Table(found)) = call.answer() else {
        return holds.get(&call.place).copied().unwrap_or_default().after(call, 0).is_some();
    };
    let table = |partition| Place { partition, ..call.place };
    let rows = |number| found.iter().find(|(known, _)| *known == number).map(|(_, rows)| rows.as_slice());
    let mut partitions = holds.range(table(0)..=table(u8::MAX));
    found.is_sorted_by(|(one, _), (other, _)| one < other)
        && found.iter().all(|(partition, _)| holds.contains_key(&table(*partition)))
        && partitions.all(|(place, partition)| partition.is(rows(place.partition).unwrap_or_default()))
}

/// Returns the writes by their times, which must respect real time.
fn in_order(calls: &[Call]) -> Result<Vec<&Call>, Objection> {
    let mut writes = Vec::new();
    for call in calls.iter().filter(|call| !call.only_looked()) {
        let time = time(call).ok_or_else(|| Objection::Untimed(Box::new(call.clone())))?;
        writes.push((time, call));
    }
    writes.sort_unstable_by_key(|(time, _)| *time);
    let both = |one: &Call, other: &Call| (Box::new(one.clone()), Box::new(other.clone()));
    let twice = writes.iter().zip(writes.iter().skip(1)).find(|((one, _), (other, _))| one == other);
    if let Some(((_, one), (_, other))) = twice {
        let (one, other) = both(one, other);
        return Err(Objection::SameTime(one, other));
    }
    // Of the writes with a later time, the write with the first response.
    let mut later: Option<&Call> = None;
    for (_, call) in writes.iter().rev() {
        if let Some(other) = later.filter(|other| other.answered() < call.asked) {
            let (other, one) = both(other, call);
            return Err(Objection::Backwards(other, one));
        }
        later = later.filter(|other| other.answered() < call.answered()).or(Some(call));
    }
    Ok(writes.into_iter().map(|(_, call)| call).collect())
}

/// Returns the single time that an accepted write assigned to all its rows.
fn time(call: &Call) -> Option<Version> {
    let Some(Answer::Done(versions)) = call.answer() else { return None };
    let mut times = versions.iter().copied().flatten();
    let first = times.next()?;
    times.all(|time| time == first).then_some(first)
}

/// Returns the reads and rejections: each follows the writes that ended before its invocation, and precedes the writes
/// that started after its response.
fn looks<'h>(calls: &'h [Call], writes: &[&Call]) -> Vec<Look<'h>> {
    let places = || writes.iter().enumerate();
    let mut over: Vec<_> = places().map(|(place, call)| (call.answered(), place + 1)).collect();
    over.sort_unstable();
    let mut last = 0;
    for (_, place) in &mut over {
        last = last.max(*place);
        *place = last;
    }
    let mut begun: Vec<_> = places().map(|(place, call)| (call.asked, place)).collect();
    begun.sort_unstable();
    let mut first = writes.len();
    for (_, place) in begun.iter_mut().rev() {
        first = first.min(*place);
        *place = first;
    }
    let looked = calls.iter().filter(|call| call.only_looked() && call.reply.is_some());
    looked
        .map(|call| {
            let before = over.partition_point(|(answered, _)| *answered < call.asked);
            let after = begun.partition_point(|(asked, _)| *asked < call.answered());
            let from = before.checked_sub(1).and_then(|at| over.get(at)).map_or(0, |(_, place)| *place);
            let to = begun.get(after).map_or(writes.len(), |(_, place)| *place);
            Look { call, from, to }
        })
        .collect()
}

#[cfg(test)]
mod tests;

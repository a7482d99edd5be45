//! Does the order that the store claims explain all answers?
//!
//! Timestamps strictly rise, so those of the accepted writes say in which order these were made. Replayed in that
//! order each must be accepted as it was; and what only looked, a read or a refused write, must fit between two writes
//! that allow it in real time. One pass over the writes, and a few steps for each call that looked.

use std::collections::BTreeMap;

use super::{Answer, Call, Partition, Place, call::Version};

/// Why an order of writes is no witness.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
    /// The history is not of the kind that can be judged: a write that changed something has no time of its own.
    #[error("{0:?} has no time, so this history has no order to be replayed")]
    Untimed(Box<Call>),
    /// Two writes were given one time.
    #[error("{0:?} and {1:?} have the same time")]
    SameTime(Box<Call>, Box<Call>),
    /// A write was answered before another was asked, and has a later time.
    #[error("{0:?} was over when {1:?} was asked, and has a later time")]
    Backwards(Box<Call>, Box<Call>),
    /// A write, made where its time says, could not have been accepted as it was.
    #[error("{0:?} is not explained by the writes before it")]
    Write(Box<Call>),
    /// A read or a refusal fits nowhere between the writes that were over before it and those asked after it.
    #[error("{call:?} fits nowhere after the first {from} writes and before all but the first {to}")]
    Look {
        /// The read, or the refused write.
        call: Box<Call>,
        /// Writes that were over before it.
        from: usize,
        /// Writes that were asked before it was over.
        to: usize,
    },
}

/// A read or a refusal, and after how many writes it may have happened.
struct Look<'h> {
    call: &'h Call,
    from: usize,
    to: usize,
}

/// One partition on the way.
#[derive(Default)]
struct Replay<'h> {
    holds: Partition,
    /// Those that nothing has explained yet.
    waiting: Vec<Look<'h>>,
}

/// Replays a history in the order of its timestamps.
pub fn judge(calls: &[Call]) -> Result<(), Objection> {
    let writes = in_order(calls)?;
    let mut looks = looks(calls, &writes);
    looks.sort_by_key(|look| std::cmp::Reverse(look.from));
    let mut places: BTreeMap<Place, Replay<'_>> = BTreeMap::new();
    for made in 0..=writes.len() {
        if let Some(call) = made.checked_sub(1).and_then(|before| writes.get(before)) {
            let replay = places.entry(call.place).or_default();
            replay.expire(made)?;
            let next = replay.holds.after(call, 0);
            replay.holds = next.ok_or_else(|| Objection::Write(Box::new((*call).clone())))?;
            let holds = replay.holds;
            replay.waiting.retain(|look| holds.after(look.call, 0).is_none());
        }
        while let Some(look) = looks.pop_if(|look| look.from == made) {
            let replay = places.entry(look.call.place).or_default();
            if replay.holds.after(look.call, 0).is_none() {
                replay.waiting.push(look);
            }
        }
    }
    places.values().try_for_each(|replay| replay.expire(usize::MAX))
}

impl Replay<'_> {
    /// After so many writes, those that must have happened before are explained.
    fn expire(&self, made: usize) -> Result<(), Objection> {
        match self.waiting.iter().find(|look| look.to < made) {
            Some(Look { call, from, to }) => {
                Err(Objection::Look { call: Box::new((*call).clone()), from: *from, to: *to })
            }
            None => Ok(()),
        }
    }
}

/// The writes by their times, which agree with what was over before what.
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
    // Of those with a later time, the one that was answered first.
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

/// The one time that an accepted write gave to all that it wrote.
fn time(call: &Call) -> Option<Version> {
    let Some(Answer::Done(versions)) = call.answer() else { return None };
    let mut times = versions.iter().copied().flatten();
    let first = times.next()?;
    times.all(|time| time == first).then_some(first)
}

/// For each call that looked: it happened after the writes that were over before it was asked, and before those that
/// were asked after its answer.
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
mod tests {
    use super::*;
    use crate::concurrency::{Ask, Change, Refusal, Reply, Seen, Verb};

    fn at(asked: u64, answered: u64, ask: Ask, answer: Answer) -> Call {
        let reply = Some(Reply { at: answered, answer });
        Call { client: 0, asked, reply, place: Place { table: 0, partition: 0 }, ask }
    }

    /// A write of row 0 with the number and the version given.
    fn put(asked: u64, answered: u64, number: i64) -> Call {
        let slots = [Some(number), None, None];
        let change = Change { row: 0, verb: Verb::InsertOrReplace, slots, version: None };
        at(asked, answered, Ask::Write(change), Answer::Done(vec![Some(number)]))
    }

    fn get(asked: u64, answered: u64, number: Option<i64>) -> Call {
        let seen = number.map(|number| Seen { version: number, slots: [Some(number), None, None] });
        at(asked, answered, Ask::Get(0), Answer::Row(seen))
    }

    #[test]
    fn a_look_fits_between_what_was_over_and_what_was_asked_later() {
        let history = |number| [put(0, 1, 1), put(2, 5, 2), get(3, 4, number), put(6, 7, 3)];
        assert_eq!(judge(&history(Some(1))), Ok(()));
        assert_eq!(judge(&history(Some(2))), Ok(()));
        for number in [None, Some(3), Some(9)] {
            let found = judge(&history(number));
            assert!(matches!(found, Err(Objection::Look { from: 1, to: 2, .. })), "{found:?}");
        }
    }

    #[test]
    fn a_refusal_is_a_look() {
        let insert = Change { row: 0, verb: Verb::Insert, slots: [Some(5), None, None], version: None };
        let refused = at(2, 3, Ask::Write(insert), Answer::Refused(Refusal::Exists, None));
        assert_eq!(judge(&[put(0, 1, 1), refused.clone()]), Ok(()));
        assert!(matches!(judge(&[refused, put(4, 5, 1)]), Err(Objection::Look { .. })));
    }

    #[test]
    fn times_rise_from_one_write_to_the_next_that_is_asked() {
        assert_eq!(judge(&[put(0, 3, 2), put(1, 2, 1)]), Ok(()));
        assert!(matches!(judge(&[put(0, 1, 2), put(2, 3, 1)]), Err(Objection::Backwards(..))));
        assert!(matches!(judge(&[put(0, 3, 1), put(1, 2, 1)]), Err(Objection::SameTime(..))));
    }

    #[test]
    fn a_write_must_be_accepted_where_its_time_says() {
        let mut late = put(1, 3, 5);
        if let Ask::Write(change) = &mut late.ask {
            (change.verb, change.version) = (Verb::Replace, Some(1));
        }
        assert_eq!(judge(&[put(0, 2, 1), late.clone()]), Ok(()));
        assert!(matches!(judge(&[put(0, 2, 1), put(0, 2, 3), late]), Err(Objection::Write(_))));
    }

    #[test]
    fn a_deletion_alone_has_no_time() {
        let delete = Change { row: 0, verb: Verb::Delete, slots: [None; 3], version: None };
        let delete = at(2, 3, Ask::Write(delete), Answer::Done(vec![None]));
        assert!(matches!(judge(&[put(0, 1, 1), delete]), Err(Objection::Untimed(_))));
    }
}

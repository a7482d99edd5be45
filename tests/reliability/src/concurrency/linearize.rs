//! Is there an order of the calls that explains all answers?
//!
//! The search of Wing and Gong with the memory of Lowe: take any call that may be next, that is, one that was asked
//! before the first answer of those still to be taken; if its answer fits, go on; else take another, else go back. A
//! configuration, which is the set of calls taken and what the partition then holds, is looked at once only.
//!
//! A call that changes nothing and fits is taken at once: whatever order explains the rest explains it after this call
//! too. So only writes make the search branch.

mod bits;
mod due;

use std::collections::{BTreeMap, HashSet};

use self::bits::Bits;
use super::{Answer, Ask, Call, Partition, Place};

/// Configurations after which a search gives up. Sound histories take about one for each call.
const MOST: usize = 200_000;

/// What the search says of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an order.
    Linearizable,
    /// There is none.
    Refuted {
        /// The partition whose answers nothing explains.
        place: Place,
    },
    /// It would take too long to tell.
    Unsure,
}

/// Judges a history, partition by partition.
#[must_use]
pub fn judge(calls: &[Call]) -> Verdict {
    let mut unsure = false;
    for (place, calls) in by_place(calls) {
        match Search::new(&calls).run() {
            Found::Order => {}
            Found::None => return Verdict::Refuted { place },
            Found::Limit => unsure = true,
        }
    }
    if unsure { Verdict::Unsure } else { Verdict::Linearizable }
}

/// The calls of each partition, by when they were asked. Reads that nobody heard the answer of say nothing, and looks
/// at a whole table nothing of one partition.
#[must_use]
pub fn by_place(calls: &[Call]) -> BTreeMap<Place, Vec<&Call>> {
    let mut places: BTreeMap<Place, Vec<&Call>> = BTreeMap::new();
    for call in calls.iter().filter(|call| call.ask != Ask::Table) {
        if call.reply.is_none() && call.ask.changes().is_empty() {
            continue;
        }
        places.entry(call.place).or_default().push(call);
    }
    for calls in places.values_mut() {
        calls.sort_by_key(|call| call.asked);
    }
    places
}

enum Found {
    Order,
    None,
    Limit,
}

/// A call, and the moment before which it must have taken effect; none if it may never have.
struct Due<'h> {
    call: &'h Call,
    by: Option<u64>,
}

struct Search<'h> {
    /// By when they were asked.
    calls: Vec<Due<'h>>,
    /// The numbers of those that may never have taken effect.
    open: Vec<usize>,
    looked_at: HashSet<(Bits, Partition)>,
}

/// One configuration on the way, and what may still be tried from it.
struct Level {
    done: Bits,
    /// All calls before this one are taken, or may be left out.
    low: usize,
    next: std::vec::IntoIter<(usize, Partition)>,
}

impl<'h> Search<'h> {
    fn new(calls: &[&'h Call]) -> Self {
        let calls = due::of(calls);
        let open = calls.iter().enumerate().filter(|(_, due)| due.by.is_none());
        Self { open: open.map(|(number, _)| number).collect(), calls, looked_at: HashSet::new() }
    }

    fn run(mut self) -> Found {
        let mut way = vec![self.level(Bits::new(self.calls.len()), &Partition::default(), 0)];
        while let Some(level) = way.last_mut() {
            if level.low == self.calls.len() {
                return Found::Order;
            }
            let Some((number, holds)) = level.next.next() else {
                way.pop();
                continue;
            };
            let (done, low) = (level.done.with(number), level.low);
            if self.looked_at.insert((done.clone(), holds)) {
                way.push(self.level(done, &holds, low));
            }
            if self.looked_at.len() > MOST {
                return Found::Limit;
            }
        }
        Found::None
    }

    fn level(&self, done: Bits, holds: &Partition, low: usize) -> Level {
        let settled = |(number, due): &(usize, &Due<'_>)| due.by.is_none() || done.has(*number);
        let low = low + self.calls.iter().enumerate().skip(low).take_while(settled).count();
        let next = self.may_be_next(&done, holds, low).into_iter();
        Level { done, low, next }
    }

    /// The calls that may be next and fit, each with what the partition holds after it: in the order of their times,
    /// for mostly that is the right one; then those without a time; last those that may be left out.
    fn may_be_next(&self, done: &Bits, holds: &Partition, low: usize) -> Vec<(usize, Partition)> {
        let mut first_due = u64::MAX;
        let mut next = Vec::new();
        for (number, due) in self.calls.iter().enumerate().skip(low) {
            if due.call.asked > first_due {
                break;
            }
            let Some(by) = due.by.filter(|_| !done.has(number)) else { continue };
            first_due = first_due.min(by);
            if let Some(after) = holds.after(due.call, number) {
                if due.call.only_looked() && after == *holds {
                    return vec![(number, after)];
                }
                next.push((time(due.call), by, number, after));
            }
        }
        next.sort_unstable_by_key(|(time, by, number, _)| (*time, *by, *number));
        let open = self.open.iter().copied().filter(|number| !done.has(*number)).filter_map(|number| {
            let call = self.calls.get(number)?.call;
            (call.asked < first_due).then(|| Some((number, holds.after(call, number)?)))?
        });
        next.into_iter().map(|(_, _, number, after)| (number, after)).chain(open).collect()
    }
}

/// The time that a write was given: where to begin the search, no more.
fn time(call: &Call) -> i64 {
    match call.answer() {
        Some(Answer::Done(versions)) => versions.iter().flatten().next().copied().unwrap_or(i64::MAX),
        _ => i64::MAX,
    }
}

#[cfg(test)]
mod tests;

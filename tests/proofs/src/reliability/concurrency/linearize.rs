//! Search for an order of the calls that explains all responses (linearizability).
//!
//! The search of Wing and Gong with the memory of Lowe. It selects any call that may be next, that is, a call that was
//! invoked before the first response of the remaining calls. If its response matches, the search continues; otherwise
//! it tries another call, or backtracks. A configuration, which is the set of selected calls and the resulting contents
//! of the partition, is visited only once.
//!
//! A call that changes nothing and matches is selected immediately: any order that explains the remaining calls also
//! explains them after this call. Only writes make the search branch.

mod bits;
mod due;

use std::collections::{BTreeMap, HashSet};

use self::bits::Bits;
use super::{Answer, Ask, Call, Partition, Place};

/// Number of configurations after which a search stops. Correct histories need about one per call.
const MOST: usize = 200_000;

/// Result of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// An order exists.
    Linearizable,
    /// No order exists.
    Refuted {
        /// The partition whose responses cannot be explained.
        place: Place,
    },
    /// The search was stopped.
    Unsure,
}

/// Checks a history, partition by partition.
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

/// Returns the calls of each partition, by invocation. Reads without a response, and reads of a complete table, are
/// omitted.
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

/// A call, and the time before which it must have taken effect; `None` if it may never have.
struct Due<'h> {
    call: &'h Call,
    by: Option<u64>,
}

struct Search<'h> {
    /// The calls, by invocation.
    calls: Vec<Due<'h>>,
    /// The numbers of calls that may never have taken effect.
    open: Vec<usize>,
    looked_at: HashSet<(Bits, Partition)>,
}

/// One configuration on the current path, and the calls that can still be tried from it.
struct Level {
    done: Bits,
    /// All calls before this number are selected, or can be omitted.
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

    /// Returns the calls that may be next and match, each with the contents of the partition after it: first in the
    /// order of their times, which is usually correct; then calls without a time; last calls that can be omitted.
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

/// Returns the time of a write, which is only a heuristic for the search.
fn time(call: &Call) -> i64 {
    match call.answer() {
        Some(Answer::Done(versions)) => versions.iter().flatten().next().copied().unwrap_or(i64::MAX),
        _ => i64::MAX,
    }
}

#[cfg(test)]
mod tests;

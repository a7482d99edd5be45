//! Deadlines by which calls must have taken effect.

use std::collections::HashMap;

use super::Due;
use crate::reliability::concurrency::{Answer, Call, Seen};

/// Returns the deadlines of calls. A call with a response has taken effect by its response. A call without a response
/// has taken effect by the first response that contains a number that only this call has sent.
pub(super) fn of<'h>(calls: &[&'h Call]) -> Vec<Due<'h>> {
    let (senders, shown) = (senders(calls), shown(calls));
    let seen = |call: &Call| {
        let only_here = |number: &i64| senders.get(number) == Some(&1);
        numbers_sent(call).filter(only_here).filter_map(|number| shown.get(&number).copied()).min()
    };
    let by = |call: &Call| call.reply.as_ref().map(|reply| reply.at).or_else(|| seen(call));
    calls.iter().map(|call| Due { call, by: by(call) }).collect()
}

fn numbers_sent(call: &Call) -> impl Iterator<Item = i64> {
    call.ask.changes().iter().flat_map(|change| change.slots).flatten()
}

/// Returns the number of calls that have sent each number.
fn senders(calls: &[&Call]) -> HashMap<i64, usize> {
    let mut senders = HashMap::new();
    for number in calls.iter().flat_map(|call| numbers_sent(call)) {
        *senders.entry(number).or_default() += 1;
    }
    senders
}

/// Returns the first response that contains each number.
fn shown(calls: &[&Call]) -> HashMap<i64, u64> {
    let mut shown: HashMap<i64, u64> = HashMap::new();
    for reply in calls.iter().filter_map(|call| call.reply.as_ref()) {
        let rows: Vec<&Seen> = match &reply.answer {
            Answer::Row(seen) => seen.iter().collect(),
            Answer::Rows(rows) => rows.iter().map(|(_, seen)| seen).collect(),
            _ => Vec::new(),
        };
        for number in rows.into_iter().flat_map(|seen| seen.slots).flatten() {
            shown.entry(number).and_modify(|at| *at = reply.at.min(*at)).or_insert(reply.at);
        }
    }
    shown
}

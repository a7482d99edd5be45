//! Reduction of a refuted history.
//!
//! A part is valid only if its refutation refutes the complete history: one partition; the calls up to a time; some of
//! the rows; all calls except some that changed nothing. An accepted write cannot be omitted.

use super::{
    Answer, Ask, Call, Verdict,
    call::ROWS,
    linearize::{by_place, judge},
};

/// Reduces a refuted history while it stays refuted.
#[must_use]
pub fn shrink(mut calls: Vec<Call>) -> Vec<Call> {
    if let Verdict::Refuted { place } = judge(&calls) {
        let partition = by_place(&calls).remove(&place).unwrap_or_default();
        calls = partition.into_iter().cloned().collect();
    }
    calls = shortest(&calls);
    for row in 0..ROWS {
        calls = smaller(calls, |call| without_row(call, row));
    }
    let clients = calls.iter().map(|call| call.client).max().unwrap_or(0);
    for client in 0..=clients {
        calls = smaller(calls, |call| keep(call, call.client != client || !call.only_looked()));
    }
    let looks: Vec<u64> = calls.iter().filter(|call| call.only_looked()).map(|call| call.asked).collect();
    for asked in looks {
        calls = smaller(calls, |call| keep(call, call.asked != asked));
    }
    shortest(&calls)
}

fn refuted(calls: &[Call]) -> bool {
    matches!(judge(calls), Verdict::Refuted { .. })
}

fn keep(call: &Call, kept: bool) -> Option<Call> {
    kept.then(|| call.clone())
}

/// Returns the part if it is refuted too, otherwise the calls.
fn smaller(calls: Vec<Call>, part: impl Fn(&Call) -> Option<Call>) -> Vec<Call> {
    let fewer: Vec<Call> = calls.iter().filter_map(part).collect();
    if refuted(&fewer) { fewer } else { calls }
}

/// Returns the calls before a time: later responses are removed.
fn until(calls: &[Call], moment: u64) -> Vec<Call> {
    let begun = calls.iter().filter(|call| call.asked < moment);
    let cut = |call: &Call| {
        let reply = call.reply.clone().filter(|reply| reply.at < moment);
        (reply.is_some() || !call.ask.changes().is_empty()).then(|| Call { reply, ..call.clone() })
    };
    begun.filter_map(cut).collect()
}

/// Returns the part up to the first response that refutes it.
fn shortest(calls: &[Call]) -> Vec<Call> {
    let mut moments: Vec<u64> = calls.iter().filter_map(|call| Some(call.reply.as_ref()?.at + 1)).collect();
    moments.sort_unstable();
    let first = moments.partition_point(|moment| !refuted(&until(calls, *moment)));
    moments.get(first).map_or_else(|| calls.to_vec(), |moment| until(calls, *moment))
}

/// Returns the call without a row; `None` if it concerned only this row.
fn without_row(call: &Call, row: u8) -> Option<Call> {
    let mut call = call.clone();
    match &mut call.ask {
        Ask::Get(read) => return (*read != row).then_some(call),
        Ask::Write(change) => return (change.row != row).then_some(call),
        Ask::Scan(..) => {
            if let Some(Answer::Rows(rows)) = call.reply.as_mut().map(|reply| &mut reply.answer) {
                rows.retain(|(seen, _)| *seen != row);
            }
        }
        Ask::Transact(changes) => {
            let Some(at) = changes.iter().position(|change| change.row == row) else { return Some(call) };
            changes.remove(at);
            match call.reply.as_mut().map(|reply| &mut reply.answer) {
                Some(Answer::Refused(_, Some(index))) if *index == at => return None,
                Some(Answer::Refused(_, Some(index))) if *index > at => *index -= 1,
                Some(Answer::Done(versions)) if at < versions.len() => drop(versions.remove(at)),
                _ => {}
            }
            return (!changes.is_empty()).then_some(call);
        }
        Ask::Table => return None,
    }
    Some(call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reliability::concurrency::{Change, Place, Reply, Seen, Verb};

    fn at(client: u8, asked: u64, ask: Ask, answer: Answer) -> Call {
        let reply = Some(Reply { at: asked + 1, answer });
        Call { client, asked, reply, place: Place { table: 0, partition: 0 }, ask }
    }

    fn put(asked: u64, row: u8, number: i64) -> Call {
        let verb = Verb::InsertOrReplace;
        let change = Change { row, verb, slots: [Some(number), None, None], version: None };
        at(0, asked, Ask::Write(change), Answer::Done(vec![Some(number)]))
    }

    fn get(client: u8, asked: u64, row: u8, number: i64) -> Call {
        let seen = Seen { version: number, slots: [Some(number), None, None] };
        at(client, asked, Ask::Get(row), Answer::Row(Some(seen)))
    }

    #[test]
    fn what_does_not_matter_to_a_stale_read_is_left_out() {
        let mut calls = vec![put(0, 0, 1), put(2, 1, 2), get(1, 4, 0, 1), put(6, 0, 3), get(2, 8, 1, 2)];
        calls.push(get(1, 10, 0, 1));
        calls.extend((6..30).map(|at| put(at * 2, 1, 100 + i64::try_from(at).unwrap())));
        assert_eq!(shrink(calls), [put(0, 0, 1), put(6, 0, 3), get(1, 10, 0, 1)]);
    }

    #[test]
    fn a_row_that_does_not_matter_is_left_out_of_transactions_and_scans() {
        let change = |row, number| Change {
            row,
            verb: Verb::InsertOrReplace,
            slots: [Some(number), None, None],
            version: None,
        };
        let seen = Seen { version: 7, slots: [Some(2), None, None] };
        let both = Ask::Transact(vec![change(0, 1), change(1, 2)]);
        let calls = vec![
            at(0, 0, both, Answer::Done(vec![Some(7), Some(7)])),
            at(1, 2, Ask::Scan(0, 2), Answer::Rows(vec![(1, seen)])),
        ];
        let left = shrink(calls);
        assert!(refuted(&left));
        assert_eq!(left.first().map(|call| call.ask.clone()), Some(Ask::Transact(vec![change(0, 1)])));
        assert_eq!(left.get(1).and_then(Call::answer), Some(&Answer::Rows(Vec::new())));
    }
}

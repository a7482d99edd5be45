use super::*;
use crate::reliability::concurrency::{Change, Refusal, Reply, Seen, Verb, call::Slots};

fn at(asked: u64, answered: u64, ask: Ask, answer: Answer) -> Call {
    Call { reply: Some(Reply { at: answered, answer }), ..given_up(asked, ask) }
}

fn given_up(asked: u64, ask: Ask) -> Call {
    Call { client: 0, asked, reply: None, place: Place { table: 0, partition: 0 }, ask }
}

fn slots(number: i64) -> Slots {
    [Some(number), None, None]
}

fn change(verb: Verb, row: u8, number: i64) -> Change {
    let slots = if verb == Verb::Delete { Slots::default() } else { slots(number) };
    Change { row, verb, slots, version: None }
}

fn put(row: u8, number: i64) -> Ask {
    Ask::Write(change(Verb::InsertOrReplace, row, number))
}

fn replace(row: u8, number: i64, version: i64) -> Ask {
    Ask::Write(Change { version: Some(version), ..change(Verb::Replace, row, number) })
}

fn done(version: i64) -> Answer {
    Answer::Done(vec![Some(version)])
}

/// Returns a row that contains one number, with ten times this number as version.
fn seen(number: i64) -> Seen {
    Seen { version: number * 10, slots: slots(number) }
}

fn row(number: i64) -> Answer {
    Answer::Row(Some(seen(number)))
}

fn holds(calls: &[Call]) -> bool {
    match judge(calls) {
        Verdict::Linearizable => true,
        Verdict::Refuted { .. } => false,
        Verdict::Unsure => panic!("a small history is sure"),
    }
}

#[test]
fn a_read_sees_the_write_that_was_over_before_it() {
    let write = at(0, 1, put(0, 1), done(10));
    assert!(holds(&[write.clone(), at(2, 3, Ask::Get(0), row(1))]));
    assert!(!holds(&[write.clone(), at(2, 3, Ask::Get(0), Answer::Row(None))]));
    assert!(!holds(&[write, at(2, 3, Ask::Get(0), row(2))]));
}

#[test]
fn a_read_beside_a_write_sees_it_or_not() {
    for answer in [row(1), Answer::Row(None)] {
        assert!(holds(&[at(0, 3, put(0, 1), done(10)), at(1, 2, Ask::Get(0), answer)]));
    }
}

#[test]
fn a_stale_read_is_refuted() {
    let writes = [at(0, 1, put(0, 1), done(10)), at(2, 3, put(0, 2), done(20))];
    let reads = |one, other| {
        holds(&[&writes[..], &[at(4, 5, Ask::Get(0), row(one)), at(6, 7, Ask::Get(0), row(other))]].concat())
    };
    assert!(reads(2, 2));
    assert!(!reads(1, 2) && !reads(2, 1));
}

#[test]
fn two_reads_beside_a_write_do_not_go_back() {
    let read = |asked, number| at(asked, asked + 1, Ask::Get(0), row(number));
    let history = |one, other| {
        [at(0, 1, put(0, 1), done(10)), at(2, 9, put(0, 2), done(20)), read(3, one), read(5, other)]
    };
    assert!(holds(&history(1, 2)));
    assert!(!holds(&history(2, 1)));
}

#[test]
fn an_update_of_a_version_that_was_updated_is_refuted() {
    let first = at(0, 1, put(0, 1), done(10));
    let one = at(2, 5, replace(0, 2, 10), done(20));
    let other = |answer| at(3, 4, replace(0, 3, 10), answer);
    assert!(!holds(&[first.clone(), one.clone(), other(done(30))]));
    assert!(holds(&[first.clone(), one.clone(), other(Answer::Refused(Refusal::Moved, None))]));
    // Rejected before another version exists, although there is no other writer.
    assert!(!holds(&[first, other(Answer::Refused(Refusal::Moved, None))]));
}

#[test]
fn a_transaction_is_seen_whole_or_not_at_all() {
    let both = vec![change(Verb::InsertOrReplace, 0, 1), change(Verb::InsertOrReplace, 1, 1)];
    let both = at(0, 9, Ask::Transact(both), Answer::Done(vec![Some(10), Some(10)]));
    let scan = |rows: &[u8]| {
        let rows = rows.iter().map(|row| (*row, seen(1))).collect();
        at(1, 2, Ask::Scan(0, 4), Answer::Rows(rows))
    };
    assert!(holds(&[both.clone(), scan(&[])]));
    assert!(holds(&[both.clone(), scan(&[0, 1])]));
    assert!(!holds(&[both.clone(), scan(&[1])]));
    let gets = [at(1, 2, Ask::Get(1), row(1)), at(3, 4, Ask::Get(0), Answer::Row(None))];
    assert!(!holds(&[&[both][..], &gets].concat()));
}

#[test]
fn a_refused_transaction_names_the_change_at_fault() {
    let both = Ask::Transact(vec![change(Verb::Insert, 0, 1), change(Verb::Replace, 1, 2)]);
    assert!(holds(&[at(0, 1, both.clone(), Answer::Refused(Refusal::Missing, Some(1)))]));
    assert!(!holds(&[at(0, 1, both.clone(), Answer::Refused(Refusal::Missing, Some(0)))]));
    assert!(!holds(&[at(0, 1, both, Answer::Refused(Refusal::Missing, None))]));
}

/// Two clients each read that one of two rows exists and delete the other: one of the deletes must fail.
#[test]
fn write_skew_inside_a_partition_is_refuted() {
    let swap = |row: u8, other: u8| {
        Ask::Transact(vec![
            Change { version: Some(10), ..change(Verb::Replace, row, i64::from(row) + 5) },
            change(Verb::Delete, other, 0),
        ])
    };
    let start = [at(0, 1, put(0, 1), done(10)), at(2, 3, put(1, 2), done(10))];
    let one = at(4, 8, swap(0, 1), Answer::Done(vec![Some(50), None]));
    let other = |answer| at(5, 7, swap(1, 0), answer);
    let with = |calls: &[Call]| holds(&[&start[..], calls].concat());
    assert!(!with(&[one.clone(), other(Answer::Done(vec![Some(60), None]))]));
    assert!(with(&[one, other(Answer::Refused(Refusal::Missing, Some(0)))]));
}

#[test]
fn a_write_without_an_answer_may_have_happened_or_not_but_only_once() {
    let open = given_up(0, put(0, 1));
    let get = |asked, answer| at(asked, asked + 1, Ask::Get(0), answer);
    let (none, one) = (Answer::Row(None), row(1));
    assert!(holds(&[open.clone(), get(1, none.clone()), get(3, none.clone())]));
    assert!(holds(&[open.clone(), get(1, none.clone()), get(3, one.clone())]));
    assert!(!holds(&[open.clone(), get(1, one), get(3, none.clone())]));
    let deleted = at(3, 4, Ask::Write(change(Verb::Delete, 0, 0)), Answer::Done(vec![None]));
    assert!(holds(&[open.clone(), deleted.clone(), get(5, none)]));
    assert!(!holds(&[
        open.clone(),
        deleted.clone(),
        at(5, 6, deleted.ask.clone(), Answer::Done(vec![None]))
    ]));
    // No effect precedes its invocation.
    assert!(!holds(&[get(1, row(1)), given_up(3, put(0, 1))]));
}

#[test]
fn a_write_without_an_answer_has_one_version() {
    let both = vec![change(Verb::InsertOrReplace, 0, 1), change(Verb::InsertOrReplace, 1, 1)];
    let get = |asked, row, version| {
        let seen = Seen { version, slots: slots(1) };
        at(asked, asked + 1, Ask::Get(row), Answer::Row(Some(seen)))
    };
    let open = given_up(0, Ask::Transact(both));
    assert!(holds(&[open.clone(), get(1, 0, 10), get(3, 1, 10)]));
    assert!(!holds(&[open.clone(), get(1, 0, 10), get(3, 1, 20)]));
    let update = |version| at(3, 4, replace(0, 2, version), done(20));
    assert!(holds(&[open.clone(), get(1, 0, 10), update(10)]));
    assert!(!holds(&[open, get(1, 0, 10), update(11)]));
}

#[test]
fn a_merge_keeps_what_it_does_not_send() {
    let sent = [None, Some(2), None];
    let merge = |verb| Ask::Write(Change { row: 0, verb, slots: sent, version: None });
    let start = at(0, 1, put(0, 1), done(10));
    let get = |slots| at(4, 5, Ask::Get(0), Answer::Row(Some(Seen { version: 20, slots })));
    for (verb, slots) in [
        (Verb::Merge, [Some(1), Some(2), None]),
        (Verb::InsertOrMerge, [Some(1), Some(2), None]),
        (Verb::Replace, sent),
        (Verb::InsertOrReplace, sent),
    ] {
        let write = at(2, 3, merge(verb), done(20));
        assert!(holds(&[start.clone(), write.clone(), get(slots)]), "{verb:?}");
        assert!(!holds(&[start.clone(), write, get([Some(1), None, None])]), "{verb:?}");
    }
}

#[test]
fn each_partition_is_judged_by_itself() {
    let elsewhere = |call: Call| Call { place: Place { table: 0, partition: 1 }, ..call };
    let stale = at(2, 3, Ask::Get(0), Answer::Row(None));
    let write = at(0, 1, put(0, 1), done(10));
    assert!(holds(&[write.clone(), elsewhere(stale.clone())]));
    let place = Place { table: 0, partition: 1 };
    assert_eq!(judge(&[elsewhere(write), elsewhere(stale)]), Verdict::Refuted { place });
}

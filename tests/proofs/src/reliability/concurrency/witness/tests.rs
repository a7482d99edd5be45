use super::*;
use crate::reliability::concurrency::{Ask, Change, Refusal, Reply, Seen, Verb};

fn at(asked: u64, answered: u64, ask: Ask, answer: Answer) -> Call {
    let reply = Some(Reply { at: answered, answer });
    Call { client: 0, asked, reply, place: Place { table: 0, partition: 0 }, ask }
}

/// Returns a write of row 0 with the given number and version.
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
#[test]
fn a_table_is_seen_at_one_time() {
    let elsewhere = |call: Call| Call { place: Place { table: 0, partition: 1 }, ..call };
    let seen = |number| vec![(0, Seen { version: number, slots: [Some(number), None, None] })];
    let look = |found| at(4, 9, Ask::Table, Answer::Table(found));
    let writes = [put(0, 1, 1), elsewhere(put(2, 3, 2)), put(5, 6, 3), elsewhere(put(7, 8, 4))];
    let judged = |found| judge(&[&writes[..], &[look(found)]].concat());
    for (one, other) in [(1, 2), (3, 2), (3, 4)] {
        assert_eq!(judged(vec![(0, seen(one)), (1, seen(other))]), Ok(()));
    }
    assert!(matches!(judged(vec![(0, seen(1)), (1, seen(4))]), Err(Objection::Look { .. })));
    assert!(matches!(judged(vec![(0, seen(1))]), Err(Objection::Look { .. })));
    assert!(matches!(judged(Vec::new()), Err(Objection::Look { .. })));
}

//! The tables of outcomes of the REST reference, "Lease Blob" and "Lease Container", cell by cell.

use std::time::Duration;

use super::{LeaseState::*, *};
use crate::{ErrorCode, TableError, blob::BlobVersion};

const A: Uuid = Uuid::from_u128(0xa);
const B: Uuid = Uuid::from_u128(0xb);
const C: Uuid = Uuid::from_u128(0xc);

fn at(second: u64) -> Timestamp {
    Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(second))
}

/// The time at which the columns of the tables are in their states.
fn now() -> Timestamp {
    at(100)
}

/// Columns of the tables: no lease, then the lease A in each state.
fn columns() -> [Option<Lease>; 5] {
    let lease = |term| Some(Lease { id: A, term });
    let columns = [
        None,
        lease(LeaseTerm::Fixed { seconds: 30, until: at(120) }),
        lease(LeaseTerm::Breaking { until: at(110) }),
        lease(LeaseTerm::Breaking { until: at(100) }),
        lease(LeaseTerm::Fixed { seconds: 30, until: at(100) }),
    ];
    let states = columns.each_ref().map(|lease| LeaseState::of(lease.as_ref(), now()));
    assert_eq!(states, [Available, Leased(LeaseKind::Fixed), Breaking, Broken, Expired]);
    columns
}

fn code(error: &TableError) -> String {
    format!("{} {}", error.status(), error.code())
}

/// Formats the outcome of an operation: the state and the owner, or the error.
fn outcome(action: &LeaseAction, lease: Option<&Lease>) -> String {
    match action.apply(lease, now()) {
        Ok(None) => Available.to_string(),
        Ok(Some(lease)) => {
            let owner = [(A, "A"), (B, "B"), (C, "C")].iter().find(|(id, _)| *id == lease.id).unwrap().1;
            format!("{} {owner}", lease.state(now()))
        }
        Err(error) => code(&error),
    }
}

#[test]
fn each_operation_has_the_published_outcome_in_each_state() {
    use LeaseAction::{Acquire, Break, Change, Release, Renew};
    let duration = LeaseDuration::Seconds(15);
    let absent = "409 LeaseNotPresentWithLeaseOperation";
    let other = "409 LeaseIdMismatchWithLeaseOperation";
    let taken = "409 LeaseAlreadyPresent";
    let breaking = "409 LeaseIsBreakingAndCannotBeAcquired";
    let unchanged = "409 LeaseIsBreakingAndCannotBeChanged";
    let broken = "409 LeaseIsBrokenAndCannotBeRenewed";
    for (action, expected) in [
        (Acquire { id: A, duration }, ["leased A", "leased A", breaking, "leased A", "leased A"]),
        // An id that the service makes is that of no other lease.
        (Acquire { id: B, duration }, ["leased B", taken, taken, "leased B", "leased B"]),
        (Break { seconds: Some(0) }, [absent, "broken A", "broken A", "broken A", "broken A"]),
        (Break { seconds: Some(5) }, [absent, "breaking A", "breaking A", "broken A", "broken A"]),
        (Break { seconds: None }, [absent, "breaking A", "breaking A", "broken A", "broken A"]),
        (Change { id: A, to: B }, [absent, "leased B", unchanged, absent, absent]),
        (Change { id: B, to: A }, [absent, "leased A", other, absent, absent]),
        (Change { id: B, to: C }, [absent, other, other, absent, absent]),
        (Renew { id: A }, [other, "leased A", broken, broken, "leased A"]),
        (Renew { id: B }, [other; 5]),
        (Release { id: A }, [other, "available", "available", "available", "available"]),
        (Release { id: B }, [other; 5]),
    ] {
        let given = columns().map(|lease| outcome(&action, lease.as_ref()));
        assert_eq!(given, expected, "{action:?}");
    }
}

#[test]
fn each_use_has_the_published_outcome_in_each_state() {
    let ok = "";
    let missing = "412 LeaseIdMissing";
    let lost = "412 LeaseLost";
    let absent = ["412 LeaseNotPresentWithBlobOperation", "412 LeaseNotPresentWithContainerOperation"];
    let other = ["412 LeaseIdMismatchWithBlobOperation", "412 LeaseIdMismatchWithContainerOperation"];
    let by_a = |kind: usize| [absent[kind], ok, ok, lost, lost];
    let by_b = |kind: usize| [absent[kind], other[kind], other[kind], absent[kind], absent[kind]];
    for (usage, said, expected) in [
        (LeaseUse::WriteBlob, Some(A), by_a(0)),
        (LeaseUse::WriteBlob, Some(B), by_b(0)),
        (LeaseUse::WriteBlob, None, [ok, missing, missing, ok, ok]),
        (LeaseUse::ReadBlob, Some(A), by_a(0)),
        (LeaseUse::ReadBlob, Some(B), by_b(0)),
        (LeaseUse::ReadBlob, None, [ok; 5]),
        (LeaseUse::DeleteContainer, Some(A), by_a(1)),
        (LeaseUse::DeleteContainer, Some(B), by_b(1)),
        (LeaseUse::DeleteContainer, None, [ok, missing, missing, ok, ok]),
        (LeaseUse::UseContainer, Some(A), by_a(1)),
        (LeaseUse::UseContainer, Some(B), by_b(1)),
        (LeaseUse::UseContainer, None, [ok; 5]),
    ] {
        let given = columns().map(|lease| {
            usage.check(lease.as_ref(), said, now()).map_or_else(|error| code(&error), |()| String::new())
        });
        assert_eq!(given, expected, "{usage:?} {said:?}");
    }
}

/// The last row of the table of operations, and the row of writes without a lease.
#[test]
fn time_and_changes_end_a_lease() {
    let expected = [
        (Available, Available),
        (Expired, Leased(LeaseKind::Fixed)),
        (Broken, Breaking),
        (Broken, Available),
        (Expired, Available),
    ];
    for (lease, (later, changed)) in columns().into_iter().zip(expected) {
        assert_eq!(LeaseState::of(lease.as_ref(), at(200)), later);
        let kept = Lease::after_change(lease, now());
        assert_eq!(LeaseState::of(kept.as_ref(), now()), changed);
    }
    let endless = Lease { id: A, term: LeaseTerm::Infinite };
    assert_eq!(endless.state(Timestamp::MAX), Leased(LeaseKind::Infinite));
}

#[test]
fn a_renewed_lease_lasts_its_whole_duration_from_now() {
    for lease in [&columns()[1], &columns()[4]] {
        let renewed = LeaseAction::Renew { id: A }.apply(lease.as_ref(), now()).unwrap().unwrap();
        assert_eq!(renewed.term, LeaseTerm::Fixed { seconds: 30, until: at(130) });
    }
    let endless = Lease { id: A, term: LeaseTerm::Infinite };
    let renewed = LeaseAction::Renew { id: A }.apply(Some(&endless), now()).unwrap();
    assert_eq!(renewed, Some(endless.clone()));
    let shorter = LeaseAction::Acquire { id: A, duration: LeaseDuration::Seconds(15) };
    let acquired = shorter.apply(Some(&endless), now()).unwrap().unwrap();
    assert_eq!(acquired.term, LeaseTerm::Fixed { seconds: 15, until: at(115) });
}

#[test]
fn a_break_waits_for_the_shorter_of_the_period_and_the_rest() {
    let endless = Some(Lease { id: A, term: LeaseTerm::Infinite });
    let [_, leased, breaking, broken, expired] = columns();
    for (lease, seconds, remaining) in [
        (&endless, None, 0),
        (&endless, Some(60), 60),
        (&leased, None, 20),
        (&leased, Some(7), 7),
        (&leased, Some(60), 20),
        (&breaking, None, 10),
        (&breaking, Some(7), 7),
        (&breaking, Some(60), 10),
        (&broken, Some(60), 0),
        (&expired, None, 0),
    ] {
        let action = LeaseAction::Break { seconds };
        let after = action.apply(lease.as_ref(), now()).unwrap();
        let answer = action.answer(BlobVersion::from(at(1)), after.as_ref(), now());
        assert_eq!((answer.id, answer.remaining), (None, Some(remaining)), "{lease:?} {seconds:?}");
    }
}

#[test]
fn an_answer_has_the_id_of_the_active_lease() {
    let lease = Lease { id: A, term: LeaseTerm::Infinite };
    for (action, after, id) in [
        (LeaseAction::Acquire { id: A, duration: LeaseDuration::Infinite }, Some(&lease), Some(A)),
        (LeaseAction::Renew { id: A }, Some(&lease), Some(A)),
        (LeaseAction::Change { id: B, to: A }, Some(&lease), Some(A)),
        (LeaseAction::Release { id: A }, None, None),
    ] {
        let answer = action.answer(BlobVersion::from(at(1)), after, now());
        assert_eq!((answer.id, answer.remaining), (id, None));
    }
}

#[test]
fn durations_and_periods_out_of_range_are_refused_in_every_state() {
    let acquire = |count| LeaseAction::Acquire { id: A, duration: LeaseDuration::Seconds(count) };
    for action in [
        acquire(0),
        acquire(14),
        acquire(61),
        acquire(255),
        LeaseAction::Break { seconds: Some(61) },
        LeaseAction::Break { seconds: Some(255) },
    ] {
        for lease in columns() {
            let error = action.apply(lease.as_ref(), now()).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidHeaderValue, "{action:?}");
        }
    }
    for action in [acquire(15), acquire(60)] {
        assert!(action.apply(None, now()).is_ok());
    }
}

#[test]
fn a_state_reads_back_from_its_wire_form() {
    for state in [Available, Leased(LeaseKind::Fixed), Leased(LeaseKind::Infinite), Breaking, Broken, Expired]
    {
        let kind = if let Leased(kind) = state { Some(kind.as_str()) } else { None };
        assert_eq!(LeaseState::parse(state.as_str(), kind), Some(state));
        assert_eq!(state.status() == "locked", state.is_locked());
    }
    assert_eq!(LeaseState::parse("leased", None), None);
    assert_eq!(LeaseState::parse("leased", Some("long")), None);
    assert_eq!(LeaseState::parse("", None), None);
}

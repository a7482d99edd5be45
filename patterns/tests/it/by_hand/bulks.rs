use std::collections::BTreeSet;

use super::{Employee, company, employee, review, run, watched::Watched};
use table_patterns::{Address, BulkReport, prelude::*};

/// Checks that every input is in exactly one group.
fn nothing_is_lost(report: &BulkReport, count: usize) {
    let indexes: Vec<usize> = report.groups.iter().flat_map(|group| group.indexes.clone()).collect();
    assert_eq!(indexes.len(), count);
    assert_eq!(indexes.into_iter().collect::<BTreeSet<_>>(), (0..count).collect());
}

#[test]
fn writes_are_split_by_partition_and_hundred() {
    let watched = Watched::new(|_, _| {});
    let tables = Tables::new(watched.clone());
    run(tables.create::<Employee>()).unwrap();
    watched.requests();
    let departments = ["Sales", "Marketing", "IT"];
    let all: Vec<Employee> = (0..450)
        .map(|id: u32| Employee { department: departments[id as usize % 3].into(), ..employee(id) })
        .collect();
    let report = run(tables.bulk().insert_all(&all).run()).unwrap();
    nothing_is_lost(&report, 450);
    assert_eq!(report.written(), 450);
    assert_eq!(
        report.groups.iter().map(|group| group.indexes.len()).collect::<Vec<_>>(),
        [100, 100, 100, 50, 50, 50]
    );
    assert_eq!(watched.requests().len(), 6);
    let third = &report.groups[2];
    assert_eq!(third.indexes[..2], [2, 5]);
    let written = third.outcome.as_ref().unwrap()[1].as_ref().unwrap();
    assert_eq!((written.address.partition_key(), written.address.row_key()), ("IT", "empid_000005"));
    assert_eq!(run(Employee::rows("IT").all(&tables)).unwrap().len(), 150);
}

#[test]
fn a_duplicate_fails_alone_and_the_others_are_done() {
    let tables = company([7]);
    let elsewhere = Employee { department: "IT".into(), ..employee(8) };
    let unwritable = Employee { department: "a/b".into(), ..employee(9) };
    let report = run(tables
        .bulk()
        .insert(&employee(1))
        .insert(&elsewhere)
        .insert(&employee(7))
        .insert(&unwritable)
        .insert(&review(1, 2012))
        .run())
    .unwrap();
    nothing_is_lost(&report, 5);
    assert_eq!(report.written(), 3);
    let failed: Vec<_> = report.failed().collect();
    assert_eq!(failed.len(), 2);
    assert_eq!(failed[0].indexes, [2]);
    assert_eq!(failed[0].at_fault(), Some(2), "the input, not its place in the group");
    assert_eq!(failed[0].address.as_ref().map(Address::row_key), Some("empid_000007"));
    assert_eq!(failed[0].outcome.as_ref().unwrap_err().code(), Some(ErrorCode::EntityAlreadyExists));
    assert_eq!((&*failed[1].indexes, failed[1].at_fault()), (&[3][..], Some(3)));
    assert!(matches!(failed[1].outcome, Err(Error::Key(_))));
    assert!(
        run(Employee::point("Sales", 1).get(&tables)).unwrap().is_some(),
        "the rest of the group is written"
    );
    assert!(run(Employee::point("IT", 8).get(&tables)).unwrap().is_some());
    assert!(report.into_result().is_err());
}

#[test]
fn writes_to_one_entity_keep_their_order() {
    let tables = company([]);
    let aged = |age| Employee { age, ..employee(1) };
    let report =
        run(tables.bulk().insert(&aged(1)).merge(Employee::patch("Sales", 1).age(2)).upsert(&aged(3)).run())
            .unwrap();
    nothing_is_lost(&report, 3);
    assert_eq!(report.groups.len(), 3, "an entity stands once in a transaction");
    assert_eq!(run(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap().age, 3);
}

#[test]
fn groups_stay_below_four_mebibytes() {
    let tables = company([]);
    // The second character has two bytes in UTF-8, as in UTF-16.
    for letter in ["x", "\u{e9}"] {
        let heavy: Vec<Employee> =
            (0..90).map(|id| Employee { last_name: letter.repeat(32_000), ..employee(id) }).collect();
        let report = run(tables.bulk().upsert_all(&heavy).run()).unwrap();
        nothing_is_lost(&report, 90);
        let sizes: Vec<usize> = report.groups.iter().map(|group| group.indexes.len()).collect();
        assert_eq!(sizes, [65, 25], "{letter}");
        assert_eq!(report.into_result().ok(), Some(90));
    }
}

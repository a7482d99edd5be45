use table_patterns::{DifferenceKind, Value, prelude::*};

use crate::encryption::staff::{Employee, SECRET, employee, handles, put, stored};

const ROWS: [(&str, (&str, &str)); 4] = [
    ("Employees", ("Sales", "empid_000001")),
    ("Employees", ("Sales", "email_e1@contoso.com")),
    ("Employees", ("Sales", "badge_000001")),
    ("Desks", ("4b", "000001_Sales")),
];

fn sealed(tables: &Tables) -> Vec<Value> {
    ROWS.iter().map(|(table, keys)| stored(tables, table, *keys, "national_id").unwrap()).collect()
}

#[test]
fn every_copy_is_sealed_for_its_own_row() {
    let (clear, sealing) = handles();
    let tables = sealing.blocking();
    tables.insert(&employee(1)).unwrap();
    let values = sealed(&clear);
    for (at, value) in values.iter().enumerate() {
        assert!(matches!(value, Value::Binary(_)), "{at}");
        assert!(values[..at].iter().all(|other| other != value), "{at}");
    }
    let by_email = tables.get(&Employee::by_email("Sales", "e1@contoso.com")).unwrap().unwrap();
    assert_eq!(*by_email, employee(1));
    let by_badge = tables.get(&Employee::by_badge("Sales", 1)).unwrap().unwrap();
    assert_eq!(by_badge.national_id, SECRET);
    let by_desk = tables.get(&Employee::by_desk("4b", 1, "Sales")).unwrap().unwrap();
    assert_eq!(*by_desk, employee(1));
}

#[test]
fn a_patch_of_what_was_read_reaches_every_copy() {
    let (clear, sealing) = handles();
    let tables = sealing.blocking();
    tables.insert(&employee(1)).unwrap();
    let before = sealed(&clear);
    let read = tables.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    tables.merge(read.patch().national_id("new".into())).unwrap();

    let expected = Employee { national_id: "new".into(), ..employee(1) };
    assert_eq!(*tables.get(&Employee::point("Sales", 1)).unwrap().unwrap(), expected);
    assert_eq!(*tables.get(&Employee::by_email("Sales", "e1@contoso.com")).unwrap().unwrap(), expected);
    assert_eq!(tables.get(&Employee::by_badge("Sales", 1)).unwrap().unwrap().national_id, "new");
    assert_eq!(*tables.get(&Employee::by_desk("4b", 1, "Sales")).unwrap().unwrap(), expected);
    assert!(before.iter().zip(&sealed(&clear)).all(|(before, after)| before != after));
}

#[test]
fn verbs_that_read_first_open_and_seal() {
    let (_, sealing) = handles();
    let tables = sealing.blocking();
    tables.upsert(&employee(1)).unwrap();
    let expected = Employee { email: "other@contoso.com".into(), salary: 1, ..employee(1) };
    tables.upsert(&expected).unwrap();
    assert_eq!(*tables.get(&Employee::by_email("Sales", "other@contoso.com")).unwrap().unwrap(), expected);
    assert!(tables.get(&Employee::by_email("Sales", "e1@contoso.com")).unwrap().is_none());
    tables.delete_at(Employee::point("Sales", 1)).unwrap();
    assert!(tables.get(&Employee::by_desk("4b", 1, "Sales")).unwrap().is_none());
}

#[test]
fn a_worker_without_keys_leaves_the_commit_to_one_that_has_them() {
    let (clear, sealing) = handles();
    sealing.with_deferred_updates().blocking().insert(&employee(1)).unwrap();
    let worker = Tables::clone(&clear);
    worker.register_entity::<Employee>();
    for _ in 0..20 {
        assert!(pollster::block_on(worker.catch_up()).is_err());
    }
    let lag = pollster::block_on(worker.lag()).unwrap();
    assert_eq!((lag.pending, lag.dead_lettered), (Some(1), 0));

    let pass = pollster::block_on(sealing.catch_up()).unwrap();
    assert_eq!(pass.followed, 1);
    assert_eq!(*sealing.blocking().get(&Employee::by_desk("4b", 1, "Sales")).unwrap().unwrap(), employee(1));
}

#[test]
fn copies_are_verified_by_what_they_hold_and_mended_sealed() {
    let (clear, sealing) = handles();
    sealing.blocking().insert(&employee(1)).unwrap();
    sealing.blocking().insert(&employee(2)).unwrap();
    let verify = |tables: &Tables| pollster::block_on(tables.verify::<Employee>().run());
    assert!(verify(&sealing).unwrap().is_clean());
    assert!(verify(&clear).is_err(), "without keys nothing can be said");

    // The ciphertext of the other employee, in the same partition and in another partition.
    for (table, from, to) in [
        ("Employees", ("Sales", "email_e2@contoso.com"), ("Sales", "email_e1@contoso.com")),
        ("Desks", ("4b", "000002_Sales"), ("4b", "000001_Sales")),
    ] {
        put(&clear, table, to, "national_id", stored(&clear, table, from, "national_id").unwrap());
    }
    let report = pollster::block_on(sealing.verify::<Employee>().repair().run()).unwrap();
    assert_eq!((report.count_of(DifferenceKind::Stale), report.repaired), (2, 2), "{report}");
    assert!(verify(&sealing).unwrap().is_clean());
    assert!(sealed(&clear).iter().all(|value| matches!(value, Value::Binary(_))));
    assert_eq!(*sealing.blocking().get(&Employee::by_desk("4b", 1, "Sales")).unwrap().unwrap(), employee(1));
}

//! Index rows changed by a client that bypassed the library: each kind of difference is found, reported and repaired.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two indexes for words said twice")]
#![allow(dead_code, reason = "what rows of indexes hold is compared as it is stored")]

mod damaged;
mod defaults;

use table_model::{Condition, Entity as Row, Operation, Properties, Query as StoreQuery, TableName, Value};
use table_patterns::{DifferenceKind, RepairStatus, VerifyReport, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_badge, partition = "badge_{department}", row = "{badge:08}_{id:06}", copy(age)))]
#[table(index(by_age, table = "EmployeesByAge", partition = "{age:03}", row = "{department}_{id:06}"))]
#[table(index(by_phone, partition = "phone_{department}", row = "{phone}_{id:06}", copy()))]
#[table(lookup(by_last_name, on = last_name))]
#[table(lookup(by_city, on = city, ids = "EmployeeIDs"))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    badge: u32,
    age: u16,
    phone: String,
    last_name: String,
    city: String,
}

fn employee(id: u32) -> Employee {
    Employee {
        department: "Sales".into(),
        id,
        email: format!("e{id}@contoso.com"),
        badge: 1000 + id,
        age: 30,
        phone: format!("555{id}"),
        last_name: "Jones".into(),
        city: "Oslo".into(),
    }
}

fn tables() -> Tables {
    let tables = Tables::in_memory().unwrap();
    for id in 1..=20 {
        tables.blocking().insert(&employee(id)).unwrap();
    }
    tables
}

fn table(name: &str) -> TableName {
    TableName::new(name).unwrap()
}

fn execute(tables: &Tables, name: &str, operation: &Operation) {
    pollster::block_on(tables.service().execute(&table(name), operation)).unwrap();
}

fn delete(tables: &Tables, name: &str, partition_key: &str, row_key: &str) {
    let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
    execute(tables, name, &Operation::Delete { partition_key, row_key, condition: Condition::Exists });
}

/// The token of a row that the library derived.
const MARK: &str = "80000000000000000000000001";

fn row(partition_key: &str, row_key: &str, properties: &[(&'static str, Value)]) -> Row {
    let properties: Properties = properties.iter().cloned().collect();
    Row { partition_key: partition_key.into(), row_key: row_key.into(), properties }
}

fn merge(
    tables: &Tables,
    name: &str,
    partition_key: &str,
    row_key: &str,
    properties: &[(&'static str, Value)],
) {
    execute(tables, name, &Operation::Merge(row(partition_key, row_key, properties), Condition::Exists));
}

fn get(tables: &Tables, name: &str, partition_key: &str, row_key: &str) -> Option<Properties> {
    let name = table(name);
    let rows = pollster::block_on(tables.service().find(&name, partition_key, row_key, None)).unwrap();
    rows.get(0).map(|row| row.properties.to_properties())
}

/// Returns all rows without versions and tokens.
fn layout(tables: &Tables) -> Vec<String> {
    let mut layout = Vec::new();
    for name in ["Employees", "EmployeesByAge"] {
        let segment =
            pollster::block_on(tables.service().query(&table(name), StoreQuery::default())).unwrap();
        for row in &segment.rows {
            let mut properties = row.properties.to_properties();
            properties.remove("_tx");
            properties.remove("_se");
            let mut properties: Vec<_> = properties.iter().map(|pair| format!("{pair:?}")).collect();
            properties.sort();
            layout.push(format!(
                "{name} {} {} {properties:?}",
                row.partition_key.unwrap(),
                row.row_key.unwrap()
            ));
        }
    }
    layout
}

fn verify(tables: &Tables) -> VerifyReport {
    pollster::block_on(tables.verify::<Employee>().page_size(7).run()).unwrap()
}

fn repair(tables: &Tables) -> VerifyReport {
    pollster::block_on(tables.verify::<Employee>().page_size(7).repair().run()).unwrap()
}

/// Checks that one difference is found and repaired, and that all rows are then as before.
fn found_and_repaired(plant: impl FnOnce(&Tables), what: DifferenceKind, index: &str, row_key: &str) {
    let tables = tables();
    let before = layout(&tables);
    plant(&tables);
    let found = verify(&tables);
    assert_eq!((found.count(), found.count_of(what)), (1, 1), "{found}");
    assert_eq!(found.differences[0].index, Some(index), "{found}");
    assert_eq!(found.differences[0].address.row_key(), row_key, "{found}");
    assert!(matches!(found.differences[0].repair, RepairStatus::NotTried));
    let repaired = repair(&tables);
    assert_eq!((repaired.count(), repaired.repaired), (1, 1), "{repaired}");
    assert!(verify(&tables).is_clean());
    assert_eq!(layout(&tables), before);
}

#[test]
fn what_the_library_wrote_is_clean() {
    let tables = tables();
    let report = verify(&tables);
    assert!(report.is_clean(), "{report}");
    // Four rows, a member row for each entity, and the list row.
    assert_eq!((report.entities, report.rows, report.lagging), (20, 20 * 5 + 1, 0));
    assert_eq!(report.to_string(), "20 entities, 101 index rows: no differences");
}

#[test]
fn a_row_of_the_partition_that_is_missing_comes_back() {
    let plant = |tables: &Tables| delete(tables, "Employees", "Sales", "email_e7@contoso.com");
    found_and_repaired(plant, DifferenceKind::Missing, "by_email", "email_e7@contoso.com");
}

#[test]
fn a_row_elsewhere_that_is_missing_comes_back() {
    let plant = |tables: &Tables| delete(tables, "EmployeesByAge", "030", "Sales_000007");
    found_and_repaired(plant, DifferenceKind::Missing, "by_age", "Sales_000007");
}

#[test]
fn a_row_of_the_partition_that_shows_something_else_is_written_anew() {
    let plant = |tables: &Tables| {
        merge(tables, "Employees", "Sales", "email_e7@contoso.com", &[("age", Value::Int32(99))]);
    };
    found_and_repaired(plant, DifferenceKind::Stale, "by_email", "email_e7@contoso.com");
}

#[test]
fn a_row_elsewhere_that_shows_something_else_is_written_anew() {
    // Its version still claims that it shows the current entity.
    let plant = |tables: &Tables| {
        merge(tables, "Employees", "badge_Sales", "00001007_000007", &[("age", Value::Int32(99))]);
    };
    found_and_repaired(plant, DifferenceKind::Stale, "by_badge", "00001007_000007");
}

#[test]
fn a_row_that_names_another_entity_is_written_anew() {
    let source = r#"["Employees","Sales","empid_000008"]"#;
    let plant = |tables: &Tables| {
        merge(tables, "Employees", "badge_Sales", "00001007_000007", &[("_src", source.into())]);
    };
    found_and_repaired(plant, DifferenceKind::Stale, "by_badge", "00001007_000007");
}

#[test]
fn a_row_of_the_partition_without_its_entity_goes() {
    let plant = |tables: &Tables| {
        let mut properties = get(tables, "Employees", "Sales", "email_e7@contoso.com").unwrap();
        properties.set("id", 77);
        let (partition_key, row_key) = ("Sales".to_owned(), "email_x@contoso.com".to_owned());
        execute(tables, "Employees", &Operation::Insert(Row { partition_key, row_key, properties }));
    };
    found_and_repaired(plant, DifferenceKind::Orphaned, "by_email", "email_x@contoso.com");
}

#[test]
fn a_row_elsewhere_that_its_entity_does_not_say_goes() {
    let plant = |tables: &Tables| {
        let properties = get(tables, "EmployeesByAge", "030", "Sales_000007").unwrap();
        let (partition_key, row_key) = ("031".to_owned(), "Sales_000007".to_owned());
        execute(tables, "EmployeesByAge", &Operation::Insert(Row { partition_key, row_key, properties }));
    };
    found_and_repaired(plant, DifferenceKind::Orphaned, "by_age", "Sales_000007");
}

#[test]
fn a_stub_that_nobody_is_at_work_on_goes() {
    let plant = |tables: &Tables| {
        let source = r#"["Employees","Sales","empid_000007"]"#;
        let stub = row("031", "Sales_000007", &[("_st", "s".into()), ("_src", source.into())]);
        execute(tables, "EmployeesByAge", &Operation::Insert(stub));
    };
    found_and_repaired(plant, DifferenceKind::Placeholder, "by_age", "Sales_000007");
}

#[test]
fn a_stub_where_a_row_is_to_be_becomes_the_row() {
    let plant =
        |tables: &Tables| merge(tables, "EmployeesByAge", "030", "Sales_000007", &[("_st", "s".into())]);
    found_and_repaired(plant, DifferenceKind::Missing, "by_age", "Sales_000007");
}

#[test]
fn a_member_that_is_missing_in_a_list_comes_back() {
    let plant = |tables: &Tables| delete(tables, "Employees", "Sales", "lastname_Jones!empid_000007");
    found_and_repaired(plant, DifferenceKind::Missing, "by_last_name", "lastname_Jones!empid_000007");
    let ids: Vec<_> = (1..=20).filter(|id| *id != 7).map(|id| format!("\"empid_{id:06}\"")).collect();
    let ids = format!("[{}]", ids.join(","));
    let plant = |tables: &Tables| {
        merge(tables, "Employees", "Sales", "city_Oslo", &[("EmployeeIDs", ids.into())]);
    };
    found_and_repaired(plant, DifferenceKind::Missing, "by_city", "city_Oslo");
}

#[test]
fn a_member_that_stands_in_a_list_without_right_goes() {
    let plant = |tables: &Tables| {
        let posting = [("_tx", MARK.into()), ("EntityType", "Employee".into())];
        let posting = row("Sales", "lastname_Smith!empid_000007", &posting);
        execute(tables, "Employees", &Operation::Insert(posting));
    };
    found_and_repaired(plant, DifferenceKind::Orphaned, "by_last_name", "lastname_Smith!empid_000007");
    let ids: Vec<_> = (1..=21).map(|id| format!("\"empid_{id:06}\"")).collect();
    let ids = format!("[{}]", ids.join(","));
    let plant = |tables: &Tables| {
        merge(tables, "Employees", "Sales", "city_Oslo", &[("EmployeeIDs", ids.into())]);
    };
    found_and_repaired(plant, DifferenceKind::Orphaned, "by_city", "city_Oslo");
    let plant = |tables: &Tables| {
        let ids = ("EmployeeIDs", r#"["empid_000007"]"#.into());
        let properties = [ids, ("_tx", MARK.into()), ("EntityType", "Employee".into())];
        execute(tables, "Employees", &Operation::Insert(row("Sales", "city_Rome", &properties)));
    };
    found_and_repaired(plant, DifferenceKind::Orphaned, "by_city", "city_Rome");
}

#[test]
fn an_entity_that_was_changed_past_the_library_gets_its_rows_again() {
    let tables = tables();
    merge(&tables, "Employees", "Sales", "empid_000007", &[("age", Value::Int32(31))]);
    let report = repair(&tables);
    let counts: Vec<_> = DifferenceKind::ALL.map(|what| report.count_of(what)).into();
    // By email and badge stale, by age missing at the new key and left at the old key.
    assert_eq!(counts, [1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0], "{report}");
    assert_eq!(report.repaired, 4, "{report}");
    assert!(verify(&tables).is_clean());
    let found = tables.blocking().all(&Employee::by_age_rows(31)).unwrap();
    assert_eq!(found.iter().map(|e| e.id).collect::<Vec<_>>(), [7]);
    assert_eq!(
        tables.blocking().get(&Employee::by_email("Sales", "e7@contoso.com")).unwrap().unwrap().age,
        31
    );
}

#[test]
fn an_entity_that_was_deleted_past_the_library_leaves_nothing() {
    let tables = tables();
    delete(&tables, "Employees", "Sales", "empid_000007");
    let report = repair(&tables);
    assert_eq!((report.count_of(DifferenceKind::Orphaned), report.repaired), (6, 6), "{report}");
    assert!(verify(&tables).is_clean());
    assert!(!layout(&tables).iter().any(|row| row.contains("000007")));
}

#[test]
fn two_entities_with_one_unique_value_are_named_and_left() {
    let tables = tables();
    merge(&tables, "Employees", "Sales", "empid_000007", &[("email", "e8@contoso.com".into())]);
    let report = repair(&tables);
    assert_eq!(report.count_of(DifferenceKind::Taken), 1, "{report}");
    let again = repair(&tables);
    assert_eq!((again.count(), again.count_of(DifferenceKind::Taken), again.repaired), (1, 1, 0), "{again}");
    assert!(matches!(again.differences[0].repair, RepairStatus::Left), "{again}");
    assert_eq!(tables.blocking().get(&Employee::by_email("Sales", "e8@contoso.com")).unwrap().unwrap().id, 8);
}

#[test]
fn an_entity_that_cannot_be_read_is_named() {
    let tables = tables();
    merge(&tables, "Employees", "Sales", "empid_000007", &[("age", "many".into())]);
    let report = verify(&tables);
    assert_eq!(report.count(), report.count_of(DifferenceKind::Unreadable), "{report}");
    assert!(report.differences.iter().any(|one| one.address.row_key() == "empid_000007"), "{report}");
}

#[test]
fn rows_that_workers_have_not_written_yet_lag_and_are_not_broken() {
    let tables = tables();
    let lazy = tables.with_deferred_updates();
    let b = lazy.blocking();
    let mut stored = b.get(&Employee::point("Sales", 7)).unwrap().unwrap();
    stored.age = 44;
    b.replace(&stored).unwrap();
    b.delete_at(Employee::point("Sales", 8)).unwrap();
    let report = verify(&tables);
    assert!(report.is_clean(), "{report}");
    // For 7: by age at both keys and by badge. For 8: by age, by badge and by phone.
    assert_eq!(report.lagging, 6, "{report}");
    pollster::block_on(tables.catch_up()).unwrap();
    assert_eq!(verify(&tables).lagging, 0);
}

#[test]
fn it_goes_on_at_its_cursor_after_each_page() {
    let tables = tables();
    delete(&tables, "Employees", "Sales", "email_e7@contoso.com");
    delete(&tables, "EmployeesByAge", "030", "Sales_000009");
    let (mut cursor, mut found, mut entities, mut rows) = (None::<String>, 0, 0, 0);
    for _ in 0..1_000 {
        // As after a restart: only the text is preserved.
        let mut verify = tables.verify::<Employee>().page_size(3);
        if let Some(text) = &cursor {
            verify = verify.resume(text.parse().unwrap());
        }
        let more = pollster::block_on(verify.step()).unwrap();
        found += verify.report().count();
        entities += verify.report().entities;
        rows += verify.report().rows;
        cursor = verify.cursor().map(|cursor| cursor.to_string());
        assert_eq!(more, cursor.is_some());
        if !more {
            break;
        }
    }
    assert_eq!((cursor, found, entities, rows), (None, 2, 20, 99));
}

#[test]
fn a_cursor_of_something_else_is_refused() {
    let tables = tables();
    let page = tables.blocking().page(&Employee::rows("Sales").page_size(2)).unwrap();
    let mut verify = tables.verify::<Employee>().resume(page.cursor.unwrap());
    assert!(matches!(pollster::block_on(verify.step()), Err(Error::Cursor(_))));
}

/// Rows of another type and rows without an index, at keys that entity 7 requires and at keys that no entity requires.
#[test]
fn rows_of_others_at_the_keys_of_a_far_index_are_reported_and_left() {
    let note: (&'static str, Value) = ("note", "mine".into());
    let other_key = |name: &str| ("_src", format!(r#"["{name}","Sales","memo_7"]"#).into());
    let foreign: [Vec<(&'static str, Value)>; 3] = [
        vec![note.clone()],
        vec![note.clone(), ("_st", "l".into()), other_key("Employees")],
        vec![note, ("_st", "l".into()), other_key("Memos")],
    ];
    for properties in foreign {
        for (table, partition_key, row_key) in
            [("EmployeesByAge", "030", "Sales_000007"), ("Employees", "badge_Sales", "00001007_000007")]
        {
            let tables = tables();
            delete(&tables, table, partition_key, row_key);
            execute(&tables, table, &Operation::Insert(row(partition_key, row_key, &properties)));
            let unrelated = row("031", "Sales_000099", &properties);
            execute(&tables, "EmployeesByAge", &Operation::Insert(unrelated));
            let before = layout(&tables);
            let found = verify(&tables);
            assert_eq!(found.count_of(DifferenceKind::Taken), 1, "{found}");
            let is_orphan = |one: &table_patterns::Difference| one.what == DifferenceKind::Orphaned;
            assert!(!found.differences.iter().any(is_orphan), "{found}");
            let repaired = repair(&tables);
            assert_eq!(repaired.repaired, 0, "{repaired}");
            assert!(repaired.differences.iter().all(|one| matches!(one.repair, RepairStatus::Left)));
            let filled = tables.blocking().sweep(tables.reindex::<Employee>("by_age")).unwrap();
            assert_eq!(filled.written, 0);
            assert_eq!(layout(&tables), before, "nothing is changed");
        }
    }
}

/// Another entity type of the table.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "ctr_{id:06}")]
struct Contractor {
    department: String,
    id: u32,
}

/// A row of a type that is not registered may require the index rows, so they are left.
#[test]
fn rows_of_an_entity_replaced_by_another_registered_type_are_orphaned() {
    let tables = tables();
    let contractor = row("Sales", "empid_000007", &[("EntityType", "Contractor".into())]);
    execute(&tables, "Employees", &Operation::Replace(contractor, Condition::Exists));
    assert!(verify(&tables).is_clean());

    tables.register_entity::<Contractor>();
    let found = verify(&tables);
    assert_eq!((found.count(), found.count_of(DifferenceKind::Orphaned)), (6, 6), "{found}");
    let repaired = repair(&tables);
    assert_eq!(repaired.repaired, 6, "{repaired}");
    assert!(verify(&tables).is_clean());
    let left = layout(&tables).into_iter().filter(|row| row.contains("000007") || row.contains("e7@"));
    assert_eq!(left.count(), 1, "only the row of the other type");
}

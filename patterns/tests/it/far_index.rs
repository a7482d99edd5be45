//! Indexes in other partitions and tables (P2): rows that follow the entity.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two indexes for words said twice")]

use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(
    by_badge,
    partition = "badge_{department}",
    row = "{badge:08}_{id:06}",
    copy(first_name, age)
))]
#[table(index(by_age, table = "EmployeesByAge", partition = "{age:03}", row = "{department}_{id:06}", when = active))]
struct Employee {
    department: String,
    id: u32,
    first_name: String,
    email: String,
    badge: u32,
    age: u16,
    active: bool,
}

fn employee(id: u32) -> Employee {
    Employee {
        department: "Sales".into(),
        id,
        first_name: format!("Name{id}"),
        email: format!("e{id}@contoso.com"),
        badge: 1000 + id,
        age: 30,
        active: true,
    }
}

/// Returns the keys of all rows of a table.
fn keys(tables: &Tables, table: &str) -> Vec<(String, String)> {
    let table = table_model::TableName::new(table).unwrap();
    let query = table_model::Query::default();
    let segment = pollster::block_on(tables.service().query(&table, query));
    let Ok(segment) = segment else { return Vec::new() };
    segment
        .rows
        .iter()
        .map(|row| (row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned()))
        .collect()
}

fn text(keys: &[(String, String)]) -> Vec<String> {
    keys.iter().map(|(partition, row)| format!("{partition}/{row}")).collect()
}

#[test]
fn rows_elsewhere_follow_an_insert_a_change_and_a_delete() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(1)).unwrap();
    assert_eq!(
        text(&keys(&tables, "Employees")),
        ["Sales/email_e1@contoso.com", "Sales/empid_000001", "badge_Sales/00001001_000001"]
    );
    assert_eq!(text(&keys(&tables, "EmployeesByAge")), ["030/Sales_000001"]);
    let badge = b.get(&Employee::by_badge("Sales", 1001, 1)).unwrap().unwrap();
    assert_eq!((badge.id, badge.badge, badge.age, badge.first_name.as_str()), (1, 1001, 30, "Name1"));
    let whole = b.all(&Employee::by_age_rows(30)).unwrap();
    assert_eq!((whole.len(), &*whole[0]), (1, &employee(1)));

    let mut stored = pollster::block_on(whole[0].load(&tables)).unwrap().unwrap();
    stored.age = 31;
    stored.badge = 7;
    b.replace(&stored).unwrap();
    assert_eq!(text(&keys(&tables, "EmployeesByAge")), ["031/Sales_000001"]);
    assert!(b.get(&Employee::by_badge("Sales", 1001, 1)).unwrap().is_none());
    assert_eq!(b.get(&Employee::by_badge("Sales", 7, 1)).unwrap().unwrap().age, 31);

    let mut stored = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    b.merge(stored.patch().first_name("Jo".into())).unwrap();
    assert_eq!(b.get(&Employee::by_badge("Sales", 7, 1)).unwrap().unwrap().first_name, "Jo");
    stored = b.get(&Employee::by_email("Sales", "e1@contoso.com")).unwrap().unwrap();
    stored.active = false;
    b.replace(&stored).unwrap();
    assert_eq!(keys(&tables, "EmployeesByAge"), []);
    b.delete_at(Employee::point("Sales", 1)).unwrap();
    assert_eq!(keys(&tables, "Employees"), []);
}

#[test]
fn what_is_left_to_workers_can_be_waited_for() {
    let tables = Tables::in_memory().unwrap();
    let later = tables.with_deferred_updates();
    let written = later.blocking().insert(&employee(1)).unwrap();
    let by_badge = Employee::by_badge("Sales", 1001, 1);
    assert!(tables.blocking().get(&by_badge).unwrap().is_none());
    let lag = pollster::block_on(tables.lag()).unwrap();
    assert_eq!((lag.pending, lag.dead_lettered), (Some(1), 0));
    assert_eq!(lag.oldest, Some(written.timestamp));
    // A reader can require that it sees its write.
    assert!(tables.blocking().get(&by_badge.after(&written)).unwrap().is_some());
    later.blocking().insert(&employee(2)).unwrap();
    let all = Employee::by_badge_rows("Sales");
    assert_eq!(tables.blocking().all(&all).unwrap().len(), 1);
    let pass = pollster::block_on(tables.catch_up()).unwrap();
    assert_eq!((pass.followed, pass.left), (1, 0));
    assert_eq!(tables.blocking().all(&all).unwrap().len(), 2);
    assert_eq!(pollster::block_on(tables.catch_up()).unwrap(), table_patterns::CatchUpReport::default());
}

#[test]
fn another_process_follows_what_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("company.tables");
    {
        let tables = Tables::open(&file).unwrap();
        let report = tables.with_deferred_updates();
        let all: Vec<_> = (0..250).map(employee).collect();
        report.blocking().run(report.bulk().insert_all(&all)).unwrap().into_result().unwrap();
    }
    let tables = Tables::open(&file).unwrap();
    let pass = pollster::block_on(tables.catch_up()).unwrap();
    assert_eq!(pass.followed, 0);
    assert!(pass.left > 0);
    tables.register_entity::<Employee>();
    let pass = pollster::block_on(tables.catch_up()).unwrap();
    assert_eq!(pass.left, 0);
    assert_eq!(tables.blocking().all(&Employee::by_badge_rows("Sales")).unwrap().len(), 250);
    assert_eq!(tables.blocking().all(&Employee::by_age_rows(30)).unwrap().len(), 250);
    let lag = pollster::block_on(tables.lag()).unwrap();
    assert_eq!((lag.pending, lag.oldest, lag.dead_lettered), (Some(0), None, 0));
}

/// Puts a row directly, bypassing the library.
fn plant(tables: &Tables, partition: &str, row: &str, properties: &[(&'static str, table_model::Value)]) {
    let mut entity = table_model::Entity::new(partition, row);
    for (name, value) in properties {
        entity = entity.with(*name, value.clone());
    }
    let table = table_model::TableName::new("Employees").unwrap();
    let insert = table_model::Operation::Insert(entity);
    pollster::block_on(tables.service().execute(&table, &insert)).unwrap();
}

fn settle(tables: &Tables) -> table_patterns::CatchUpReport {
    pollster::block_on(tables.catch_up()).unwrap()
}

#[test]
fn what_cannot_be_followed_is_parked_with_its_reason_and_hinders_nobody() {
    let tables = Tables::in_memory().unwrap();
    let later = tables.with_deferred_updates();
    let b = tables.blocking();
    b.insert(&employee(9)).unwrap();
    // A row without an owner occupies the key of an index row.
    plant(&tables, "badge_Sales", "00001001_000001", &[("first_name", "Nobody".into())]);
    later.blocking().insert(&employee(1)).unwrap();
    later.blocking().insert(&employee(2)).unwrap();
    let pass = settle(&tables);
    assert_eq!((pass.followed, pass.left, pass.dead_lettered), (1, 1, 0));
    let mut dead_lettered = 0;
    for _ in 0..4 {
        dead_lettered += settle(&tables).dead_lettered;
    }
    assert_eq!(dead_lettered, 1);
    assert_eq!(settle(&tables), table_patterns::CatchUpReport::default());
    let lag = pollster::block_on(tables.lag()).unwrap();
    assert_eq!((lag.pending, lag.dead_lettered), (Some(0), 1));
    let left = keys(&tables, "Employees").into_iter().find(|(_, row)| row.starts_with("!x_")).unwrap();
    let bag = b.get(&DynamicEntity::point("Employees", &left.0, &left.1)).unwrap().unwrap();
    let reason = bag.get::<String>("_err").unwrap().unwrap();
    assert!(reason.contains("written outside the library"), "{reason}");
    // The other commits have been applied, and this commit is applied after its cause is removed.
    assert!(b.get(&Employee::by_badge("Sales", 1002, 2)).unwrap().is_some());
    b.delete_at(DynamicEntity::point("Employees", "badge_Sales", "00001001_000001")).unwrap();
    assert_eq!(pollster::block_on(tables.retry_dead_letters()).unwrap(), 1);
    assert_eq!(settle(&tables).followed, 1);
    assert!(b.get(&Employee::by_badge("Sales", 1001, 1)).unwrap().is_some());
    let lag = pollster::block_on(tables.lag()).unwrap();
    assert_eq!((lag.pending, lag.oldest, lag.dead_lettered), (Some(0), None, 0));
}

#[test]
fn a_record_that_cannot_be_read_is_parked_at_once() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&employee(1)).unwrap();
    let garbage = table_model::Value::Binary(vec![9, 9, 9]);
    plant(&tables, "Sales", "!o_0000000000000000000000000A", &[("_k", "c".into()), ("_tt0", garbage)]);
    let pass = settle(&tables);
    assert_eq!((pass.followed, pass.left, pass.dead_lettered), (0, 0, 1));
    // The abort record of an attempt is not a commit record.
    plant(&tables, "Sales", "!o_0000000000000000000000000B", &[("_k", "a".into())]);
    assert_eq!(settle(&tables), table_patterns::CatchUpReport::default());
}

#[test]
fn a_row_moves_from_one_entity_to_another_in_one_transaction() {
    // Two entities swap their indexed values, so each takes the key of the other.
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(1)).unwrap();
    b.insert(&employee(2)).unwrap();
    let mut one = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    let mut two = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    (one.badge, two.badge) = (two.badge, one.badge);
    b.commit(tables.transact().replace(&one).replace(&two)).unwrap();
    let badges: Vec<_> =
        b.all(&Employee::by_badge_rows("Sales")).unwrap().iter().map(|e| (e.badge, e.id)).collect();
    assert_eq!(badges, [(1001, 2), (1002, 1)]);
}

#[test]
fn a_move_within_the_partition_takes_far_rows_along() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(1)).unwrap();
    let mut one = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    one.id = 5;
    b.rekey(&one).unwrap();
    let badges: Vec<_> =
        b.all(&Employee::by_badge_rows("Sales")).unwrap().iter().map(|e| (e.badge, e.id)).collect();
    assert_eq!(badges, [(1001, 5)]);
    assert_eq!(text(&keys(&tables, "EmployeesByAge")), ["030/Sales_000005"]);
}

/// Its index is by another field of the same format as the partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Orders", partition = "{customer}", row = "order_{number:04}", entity_type = "Order")]
#[table(index(by_code, partition = "{code}", row = "code_{customer}_{number:04}"))]
struct Order {
    customer: String,
    number: u32,
    code: String,
}

#[test]
fn partitions_of_another_field_are_other_partitions() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let order =
        |customer: &str, code: &str| Order { customer: customer.into(), number: 1, code: code.into() };
    b.insert(&order("contoso", "fabrikam")).unwrap();
    // The row of the index is in the partition of the other customer, or in its own.
    b.insert(&order("fabrikam", "contoso")).unwrap();
    b.insert(&order("same", "same")).unwrap();
    for (customer, code) in [("contoso", "fabrikam"), ("fabrikam", "contoso"), ("same", "same")] {
        let found = b.all(&Order::by_code_rows(code)).unwrap();
        assert_eq!(found.iter().map(|row| row.customer.as_str()).collect::<Vec<_>>(), [customer]);
        assert_eq!(b.all(&Order::rows(customer)).unwrap().len(), 1);
        let mut stored = b.get(&Order::point(customer, 1)).unwrap().unwrap();
        stored.code = format!("{code}2");
        b.replace(&stored).unwrap();
        assert!(b.all(&Order::by_code_rows(code)).unwrap().is_empty());
        let stored = b.get(&Order::point(customer, 1)).unwrap().unwrap();
        b.delete(&stored).unwrap();
    }
    // Only placeholders of the deleted index rows can remain.
    let report = pollster::block_on(tables.verify::<Order>().run()).unwrap();
    assert!(report.is_clean(), "{report:?}");
}

//! Rows of lists of entities in two versions: a list contains keys only, so an entity that remains in it does not change
//! it, and an upgrade sets the version that its rows name.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two lookups for words said twice")]

use std::collections::BTreeMap;

use table_model::{Condition, Entity as Row, Operation, Properties, Query as StoreQuery, TableName, Value};
use table_patterns::{RewriteReport, prelude::*};

/// Lists in the partition of the entity, as rows and in one row, and in other tables, as rows and in one row.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{customer}", row = "order_{number}", entity_type = "Order")]
#[table(lookup(near_rows, on = status, row = "near_{status}"))]
#[table(lookup(near_list, on = status, row = "list_{status}", ids = "Orders"))]
#[table(lookup(far_rows, on = status, place = table, table = "ByStatus"))]
#[table(lookup(far_list, on = status, place = table, table = "Lists", ids = "Orders"))]
#[table(lookup(beside, on = status, place = table, table = "Orders", partition = "of_{status}", ids = "Orders"))]
struct OrderV1 {
    customer: String,
    number: String,
    status: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{customer}", row = "order_{number}", version = 2, from(OrderV1))]
#[table(lookup(near_rows, on = status, row = "near_{status}"))]
#[table(lookup(near_list, on = status, row = "list_{status}", ids = "Orders"))]
#[table(lookup(far_rows, on = status, place = table, table = "ByStatus"))]
#[table(lookup(far_list, on = status, place = table, table = "Lists", ids = "Orders"))]
#[table(lookup(beside, on = status, place = table, table = "Orders", partition = "of_{status}", ids = "Orders"))]
struct Order {
    customer: String,
    number: String,
    status: String,
    channel: String,
}

impl From<OrderV1> for Order {
    fn from(OrderV1 { customer, number, status }: OrderV1) -> Self {
        Self { customer, number, status, channel: "web".into() }
    }
}

const TABLES: [&str; 3] = ["Orders", "ByStatus", "Lists"];

/// Returns a number. Of 40 with 460 characters, some do not fit into a list in the partition.
fn number(number: u32) -> String {
    format!("{number:0>460}")
}

/// Returns a store with `orders` of the older version. Lists in other tables have room for two.
fn filled(orders: u32) -> Tables {
    let tables = Tables::in_memory().unwrap().with_list_room(1_200);
    for order in 0..orders {
        let order = OrderV1 { customer: "a".into(), number: number(order), status: "shipped".into() };
        tables.blocking().insert(&order).unwrap();
    }
    settle(&tables);
    assert!(pollster::block_on(tables.verify::<OrderV1>().run()).unwrap().is_clean());
    tables
}

fn settle(tables: &Tables) {
    pollster::block_on(tables.catch_up()).unwrap();
}

/// Returns the number of rows with each `EntityType` in each table.
fn types(tables: &Tables) -> BTreeMap<(&'static str, String), usize> {
    let mut types = BTreeMap::new();
    for table in TABLES {
        let name = TableName::new(table).unwrap();
        let found = pollster::block_on(tables.service().query(&name, StoreQuery::default())).unwrap();
        assert!(found.continuation.is_none());
        for row in &found.rows {
            if let Some(value) = row.properties.get("EntityType") {
                let Value::String(of) = value.to_value() else { panic!("{value:?}") };
                *types.entry((table, of)).or_default() += 1;
            }
        }
    }
    types
}

fn upgraded(tables: &Tables) -> RewriteReport {
    let report = pollster::block_on(tables.upgrade::<Order>().page_size(7).run()).unwrap();
    assert!(report.failed.is_empty(), "{report:?}");
    settle(tables);
    report
}

fn assert_clean(tables: &Tables) {
    settle(tables);
    let report = pollster::block_on(tables.verify::<Order>().run()).unwrap();
    assert!(report.is_clean(), "{report}");
}

/// Asserts that all rows with a type have the newest version.
fn assert_newest(tables: &Tables) {
    let types = types(tables);
    assert!(types.keys().all(|(_, of)| of == "Order.v2"), "{types:?}");
    assert_eq!(types.len(), TABLES.len(), "{types:?}");
}

fn members(tables: &Tables) -> [usize; 5] {
    let b = tables.blocking();
    [
        b.all(&Order::near_rows("a", "shipped")).unwrap().len(),
        b.all(&Order::near_list("a", "shipped")).unwrap().len(),
        b.all(&Order::far_rows("shipped")).unwrap().len(),
        b.all(&Order::far_list("shipped")).unwrap().len(),
        b.all(&Order::beside("shipped")).unwrap().len(),
    ]
}

#[test]
fn after_an_upgrade_no_row_of_a_list_names_an_older_version() {
    let tables = filled(40);
    let before = types(&tables);
    // 40 entities with a row of `near_rows` each; the lists of `near_list` and `beside` are full, and have member rows.
    assert!(before[&("Orders", "Order".to_owned())] > 40 + 40 + 1 + 1 + 40, "{before:?}");
    assert_eq!(before[&("ByStatus", "Order".to_owned())], 40);
    assert!(before[&("Lists", "Order".to_owned())] > 2, "{before:?}");
    let report = upgraded(&tables);
    assert_eq!(report.written, 40);
    assert_eq!(report.list_rows, before.values().sum::<usize>() as u64 - 40 - 40);
    assert_newest(&tables);
    assert_clean(&tables);
    assert_eq!(members(&tables), [40; 5]);
    let again = upgraded(&tables);
    assert_eq!((again.written, again.list_rows), (0, 0));
}

/// Each write by the newest version, of an entity that remains in its lists. The lists are right without a write; an
/// upgrade finds their rows although it finds no older entity.
#[test]
fn lists_are_right_after_each_write_of_an_older_entity() {
    type Put = fn(&Tables, Stored<Order>);
    let writes: [(&str, Put); 4] = [
        ("replace", |tables, mut order| {
            order.channel = "shop".into();
            tables.blocking().replace(&order).map(drop).unwrap();
        }),
        ("update", |tables, order| {
            let point = Order::point("a", &order.number);
            tables.blocking().update(point, |order| order.channel = "shop".into()).unwrap();
        }),
        ("patch", |tables, order| {
            tables.blocking().merge(order.patch().channel("shop".into())).map(drop).unwrap();
        }),
        ("upsert", |tables, order| {
            let order = Order { channel: "shop".into(), ..Order::clone(&order) };
            tables.blocking().upsert(&order).map(drop).unwrap();
        }),
    ];
    for (name, write) in writes {
        let tables = filled(4);
        for order in 0..4 {
            let order = tables.blocking().get(&Order::point("a", number(order))).unwrap().unwrap();
            write(&tables, order);
        }
        assert_clean(&tables);
        assert_eq!(members(&tables), [4; 5], "{name}");
        let report = upgraded(&tables);
        assert_eq!(report.written, 0, "{name}");
        assert!(report.list_rows > 0, "{name}");
        assert_newest(&tables);
        assert_clean(&tables);
    }
}

/// A missing member row, a list row without a member: the newest version writes them, and the others remain right.
#[test]
fn a_repair_writes_rows_of_lists_in_the_newest_version() {
    let tables = filled(4);
    assert_eq!(upgraded(&tables).written, 4);
    for table in ["ByStatus", "Lists"] {
        let name = TableName::new(table).unwrap();
        let found = pollster::block_on(tables.service().query(&name, StoreQuery::default())).unwrap();
        let row = found.rows.get(found.rows.len() - 1).unwrap();
        let (partition_key, row_key) =
            (row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned());
        let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
        pollster::block_on(tables.service().execute(&name, &delete)).unwrap();
    }
    let report = pollster::block_on(tables.verify::<Order>().repair().run()).unwrap();
    assert_eq!(report.repaired, 2, "{report}");
    assert_newest(&tables);
    assert_clean(&tables);
}

/// Rows that another program wrote, one of them with the keys of a member, may be entities.
#[test]
fn an_upgrade_leaves_rows_that_are_no_rows_of_a_list() {
    let tables = filled(1);
    let name = TableName::new("ByStatus").unwrap();
    for row_key in ["farrows!a!order_x", "other"] {
        let mut properties = Properties::new();
        properties.set("EntityType", "Order");
        let row = Row { partition_key: "shipped".into(), row_key: row_key.into(), properties };
        pollster::block_on(tables.service().execute(&name, &Operation::Insert(row))).unwrap();
    }
    let report = upgraded(&tables);
    assert_eq!(report.written, 1);
    assert_eq!(types(&tables)[&("ByStatus", "Order".to_owned())], 2);
}

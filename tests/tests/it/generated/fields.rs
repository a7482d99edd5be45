//! Entities written and queried by the values of their fields: the rows and the requests are those of the generated types.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use pollster::block_on;
use table_patterns::{
    DesignedEntities, FieldTest, FieldValues, Query as _, RunStats, Stored, Tables, Timestamp, Value,
    testing::{TestClock, TestTables},
};
use table_schema::language::Comparison;
use table_store::{Query, TableName};
use table_tests::generated::orders::{Order, OrderStatus};

const DESIGN: &str = include_str!("../../../../table-codegen/tests/schemas/orders.toml");

fn tables() -> Tables {
    let clock = TestClock::new("2030-01-01T00:00:00Z".parse().unwrap());
    TestTables::new().clock(&clock).seed(7).open().unwrap()
}

fn order(number: u64) -> Order {
    let placed: Timestamp = "2029-01-01T00:00:00Z".parse().unwrap();
    Order {
        customer: 7,
        number,
        reference: format!("r{number}"),
        status: OrderStatus::Open,
        placed: placed.saturating_add(std::time::Duration::from_secs(number)),
        total: 100,
        note: (number == 1).then(|| "fragile".to_owned()),
    }
}

fn fields(order: &Order) -> FieldValues {
    let number = |number: u64| Value::Int64(number.try_into().unwrap());
    let mut fields: FieldValues = [
        ("customer", number(order.customer.into())),
        ("number", number(order.number)),
        ("reference", Value::from(order.reference.as_str())),
        ("status", Value::from("open")),
        ("placed", Value::DateTime(order.placed)),
        ("total", Value::Int64(order.total)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    fields.extend(order.note.as_deref().map(|note| ("note".to_owned(), Value::from(note))));
    fields
}

fn changes(field: &str, value: &str) -> FieldValues {
    [(field.to_owned(), Value::from(value))].into()
}

/// Returns keys and properties of all rows.
fn rows(tables: &Tables) -> Vec<String> {
    let table = TableName::new("Orders").unwrap();
    let rows = block_on(tables.service().query(&table, Query::new())).unwrap().rows;
    let text = |row: table_store::RowRef<'_>| {
        format!("{:?} {:?} {:?}", row.partition_key, row.row_key, row.properties.to_properties())
    };
    rows.iter().map(text).collect()
}

fn both() -> (Tables, Tables, DesignedEntities) {
    let schema = table_codegen::read(DESIGN, "orders.toml").unwrap();
    let (typed, untyped) = (tables(), tables());
    let entities = untyped.design(&schema, "Order").unwrap().entities().unwrap();
    (typed, untyped, entities)
}

fn stored(tables: &Tables, number: u64) -> Stored<Order> {
    block_on(Order::point(7, number).get(tables)).unwrap().unwrap()
}

#[test]
fn writes_by_fields_leave_the_rows_of_the_type() {
    let (typed, untyped, entities) = both();
    let b = typed.blocking();
    for number in 1..=3 {
        b.insert(&order(number)).unwrap();
        block_on(entities.insert(&fields(&order(number)))).unwrap();
    }
    assert_eq!(rows(&untyped), rows(&typed));
    assert_eq!(rows(&typed).len(), 9);

    // A merge, which an index row in the partition contains too.
    let entity = |number| block_on(entities.get(&fields(&order(number)))).unwrap().unwrap();
    assert_eq!(*entity(1).fields(), fields(&order(1)));
    b.merge(stored(&typed, 1).patch().status(OrderStatus::Paid)).unwrap();
    block_on(entities.update(&entity(1), &changes("status", "paid"))).unwrap();
    assert_eq!(rows(&untyped), rows(&typed));

    // A replacement, which moves a reservation to another partition.
    let mut other = stored(&typed, 2);
    other.reference = "other".to_owned();
    b.replace(&other).unwrap();
    let outdated = entity(2);
    block_on(entities.update(&outdated, &changes("reference", "other"))).unwrap();
    assert!(block_on(entities.update(&outdated, &changes("note", "late"))).unwrap_err().is_conflict());
    assert_eq!(rows(&untyped), rows(&typed));

    b.delete(&stored(&typed, 3)).unwrap();
    block_on(entities.delete(&entity(3))).unwrap();
    assert_eq!(rows(&untyped), rows(&typed));
    assert_eq!(rows(&typed).len(), 6);
    let unknown = block_on(entities.insert(&changes("color", "red"))).unwrap_err();
    assert!(unknown.to_string().contains("color"), "{unknown}");
}

#[test]
fn queries_by_fields_send_the_requests_of_the_generated_functions() {
    let (typed, _, entities) = both();
    for number in 1..=30 {
        typed.blocking().insert(&order(number)).unwrap();
        block_on(entities.insert(&fields(&order(number)))).unwrap();
    }
    let counts = |stats: RunStats| (stats.requests, stats.read, stats.returned);
    let customer = || FieldTest::equal("customer", 7_i64);
    let by_fields = |path: &str, tests: &[FieldTest], most: u64| {
        block_on(entities.query(path, tests).unwrap().take(most).report()).unwrap()
    };

    let point = block_on(Order::order(7, 3).report(&typed)).unwrap();
    let found = by_fields("primary", &[customer(), FieldTest::equal("number", 3_i64)], 1);
    assert_eq!((counts(found.stats), found.items), (counts(point.stats), vec![fields(&order(3))]));

    // A point is read without a filter, and tested afterwards.
    for (status, count) in [("open", 1), ("paid", 0)] {
        let tests = [customer(), FieldTest::equal("number", 3_i64), FieldTest::equal("status", status)];
        assert_eq!(by_fields("primary", &tests, 10).items.len(), count);
    }

    let newest = block_on(Order::newest_orders(7).report(&typed)).unwrap();
    let select = ["number", "status", "total"].map(str::to_owned);
    let query = entities.query("newest", &[customer()]).unwrap().take(20).select(&select);
    let found = block_on(query.report()).unwrap();
    assert_eq!(counts(found.stats), counts(newest.stats));
    let numbers: Vec<_> = found.items.iter().filter_map(|item| item.get("number").cloned()).collect();
    assert_eq!(
        numbers,
        newest.items.iter().map(|row| Value::Int64(row.number.try_into().unwrap())).collect::<Vec<_>>()
    );

    let open = block_on(Order::open_orders(OrderStatus::Open).report(&typed)).unwrap();
    let found = by_fields("primary", &[FieldTest::equal("status", "open")], 100);
    assert_eq!(counts(found.stats), counts(open.stats));

    // Fields that the path lacks are read from the entities.
    let found = by_fields("by_reference", &[FieldTest::equal("reference", "r5")], 100);
    assert_eq!((counts(found.stats), found.items), ((2, 2, 1), vec![fields(&order(5))]));

    let several = FieldTest {
        field: "number".to_owned(),
        comparison: Comparison::In,
        values: vec![Value::Int64(4), Value::Int64(2)],
    };
    let found = by_fields("primary", &[customer(), several], 100);
    assert_eq!((counts(found.stats), found.items), ((2, 2, 2), vec![fields(&order(4)), fields(&order(2))]));
    assert!(entities.query("by_color", &[]).is_err());
}

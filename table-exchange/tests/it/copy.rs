//! Copies of tables between services.

#![expect(clippy::panic, clippy::indexing_slicing, reason = "a helper of a test fails as a test does")]

mod accounts;
mod hooked;

use std::collections::BTreeMap;

use pollster::block_on;
use table_exchange::copy::{Copied, DifferenceKind, Subject, TableCopy};
use table_model::{
    Condition, Entity, ErrorCode, Operation, Properties, Query, TableError, TableName, TableService,
    Timestamp, Value, split_mix::SplitMix64,
};
use table_store::Store;

use hooked::Hooked;

fn people() -> TableName {
    "People".parse().unwrap()
}

fn write(store: &Store, operation: &Operation) {
    block_on(store.execute(&people(), operation)).unwrap();
}

/// Returns the entities of a table by their keys.
fn content(service: &dyn TableService) -> BTreeMap<(String, String), Properties> {
    let (mut all, mut query) = (BTreeMap::new(), Query::new());
    loop {
        let segment = block_on(service.query(&people(), query)).unwrap();
        for entity in segment.rows.into_iter().filter_map(table_model::Row::into_entity) {
            all.insert((entity.partition_key, entity.row_key), entity.properties);
        }
        let Some(next) = segment.continuation else { return all };
        query = Query::new().continuation(next);
    }
}

fn run(copy: TableCopy<'_>) -> Copied {
    block_on(copy.run(async |_| ())).unwrap()
}

/// Returns a store with an empty table.
fn store() -> Store {
    let store = Store::in_memory().unwrap();
    block_on(store.create_table(&people())).unwrap();
    store
}

/// Returns a store with `count` rows in partitions of 150.
fn store_of(count: u32) -> Store {
    let store = store();
    for first in (0..count).step_by(50) {
        let entity = |row: u32| Entity::new(format!("p{:05}", row / 150), format!("{row:06}")).with("Age", 7);
        let rows: Vec<_> = (first..count.min(first + 50)).map(|row| Operation::Insert(entity(row))).collect();
        block_on(store.transact(&people(), &rows)).unwrap();
    }
    store
}

/// Writes a random row, or deletes one.
fn change(store: &Store, random: &mut SplitMix64) {
    // U+10000 sorts before U+FFFF in UTF-16, and after it in UTF-8.
    let keys = ["", "a", "b", "\u{ffff}", "\u{10000}"];
    let mut key = || keys[usize::try_from(random.draw() % 5).unwrap()];
    let (partition, row) = (key(), key());
    let operation = match random.draw() % 4 {
        0 => Operation::Delete {
            partition_key: partition.to_owned(),
            row_key: row.to_owned(),
            condition: Condition::Exists,
        },
        value => Operation::InsertOrReplace(
            Entity::new(partition, row).with("Value", i32::try_from(value).unwrap()),
        ),
    };
    match block_on(store.execute(&people(), &operation)) {
        Err(error) if error.code() != ErrorCode::ResourceNotFound => panic!("{error}"),
        _ => {}
    }
}

#[test]
fn random_tables_are_equal_after_a_copy() {
    for seed in 0..300 {
        let (mut random, from, to) = (SplitMix64(seed), store(), store());
        for _ in 0..random.draw() % 40 {
            change(&from, &mut random);
        }
        for _ in 0..random.draw() % 40 {
            change(&to, &mut random);
        }
        let (source, target) = (content(&from), content(&to));
        let table = people();
        let copy = TableCopy::new(&from, &to, &table).deleting_extra(true);

        let compared = run(copy.comparing(true));
        let missing = source.keys().filter(|key| !target.contains_key(*key)).count();
        let extra = target.keys().filter(|key| !source.contains_key(*key)).count();
        let different = source.iter().filter(|(key, row)| target.get(*key).is_some_and(|with| with != *row));
        let counts = [missing, different.count(), extra].map(|count| u64::try_from(count).unwrap());
        assert_eq!([compared.missing, compared.different, compared.extra], counts, "seed {seed}");
        assert_eq!((compared.remaining(), content(&to)), (compared.found(), target), "seed {seed}");

        let copied = run(copy);
        assert_eq!((copied.found(), copied.remaining()), (compared.found(), 0), "seed {seed}");
        assert_eq!((&content(&to), &content(&from)), (&source, &source), "seed {seed}");
        assert_eq!(run(copy).found(), 0, "seed {seed}");
    }
}

#[test]
fn extra_rows_remain_and_are_listed() {
    let (from, to) = (store_of(3), store_of(5));
    let table = people();
    let copied = run(TableCopy::new(&from, &to, &table));
    assert_eq!((copied.extra, copied.remaining()), (2, 2));
    let listed: Vec<_> = copied.listed.iter().map(|row| (row.kind, row.subject.clone())).collect();
    assert_eq!(
        listed,
        ["000003", "000004"].map(|row| {
            let (partition_key, row_key) = ("p00000".to_owned(), row.to_owned());
            (DifferenceKind::Extra, Subject::Entity { partition_key, row_key })
        })
    );
    assert_eq!(content(&to).len(), 5);
}

#[test]
fn a_pass_reads_each_row_once_and_writes_transactions() {
    for count in [2_000, 8_000] {
        let (from, to) = (Hooked::new(store_of(count)), Hooked::new(Store::in_memory().unwrap()));
        let table = people();
        let copy = TableCopy::new(&from, &to, &table);
        assert_eq!(run(copy).resolved, u64::from(count));
        assert_eq!((from.take_read(), to.take_read()), (u64::from(count), 0));
        // Partitions of 150 rows are two transactions each.
        assert_eq!(to.take_requests(), u64::from(count.div_ceil(150) * 2) - u64::from(count % 150 <= 100));
        assert_eq!(run(copy).found(), 0);
        assert_eq!(
            (from.take_read(), to.take_read(), to.take_requests()),
            (u64::from(count), u64::from(count), 0)
        );
    }
}

#[test]
fn concurrent_writes_at_the_target_are_read_before_they_are_replaced() {
    let (from, below) = (store_of(300), store_of(300));
    for row in ["000005", "000160"] {
        write(
            &below,
            &Operation::InsertOrReplace(Entity::new(if row < "000150" { "p00000" } else { "p00001" }, row)),
        );
    }
    for row in 290..295 {
        let (partition_key, row_key) = ("p00001".to_owned(), format!("{row:06}"));
        write(&below, &Operation::Delete { partition_key, row_key, condition: Condition::Exists });
    }
    // Another client writes each of these rows between the read and the write.
    let to = Hooked::new(below).before(|below, operation| {
        assert!(!matches!(
            operation,
            Operation::InsertOrReplace(_) | Operation::Replace(_, Condition::Exists)
        ));
        let found =
            block_on(below.get(&people(), operation.partition_key(), operation.row_key(), None)).unwrap();
        if found.is_none_or(|row| row.properties.get("Other").is_none()) {
            let other = Entity::new(operation.partition_key(), operation.row_key()).with("Other", true);
            write(below, &Operation::InsertOrReplace(other));
        }
        Ok(())
    });
    let table = people();
    let copied = run(TableCopy::new(&from, &to, &table));
    assert_eq!((copied.different, copied.missing, copied.remaining()), (2, 5, 0));
    assert_eq!(content(&to), content(&from));
}

#[test]
fn rejected_rows_are_listed_and_all_others_are_copied() {
    let from = store_of(300);
    let to = Hooked::new(store()).before(|_, operation| match operation.row_key() {
        "000007" | "000170" => Err(TableError::new(ErrorCode::KeyValueTooLarge)),
        _ => Ok(()),
    });
    let table = people();
    for found in [300, 2] {
        let copied = run(TableCopy::new(&from, &to, &table));
        assert_eq!((copied.missing, copied.remaining()), (found, 2));
        let mut listed: Vec<_> = copied.listed.iter().map(ToString::to_string).collect();
        listed.sort();
        let reason = ErrorCode::KeyValueTooLarge.message();
        assert_eq!(
            listed,
            [
                format!("missing   (PartitionKey='p00000',RowKey='000007'): KeyValueTooLarge: {reason}"),
                format!("missing   (PartitionKey='p00001',RowKey='000170'): KeyValueTooLarge: {reason}"),
            ]
        );
        assert_eq!(content(&to).len(), 298);
    }
}

#[test]
fn recent_rows_are_copied_without_a_read_of_the_target() {
    let (from, to) = (Hooked::new(store_of(1_000)), Hooked::new(Store::in_memory().unwrap()));
    let table = people();
    let copy = TableCopy::new(&from, &to, &table).deleting_extra(true);
    let newest = run(copy).newest.unwrap();
    for row in 500..502 {
        write(
            from.below(),
            &Operation::InsertOrReplace(Entity::new("p00003", format!("{row:06}")).with("Age", 8)),
        );
    }
    write(from.below(), &Operation::Insert(Entity::new("new", "1")));
    let deleted = Operation::Delete {
        partition_key: "p00000".to_owned(),
        row_key: "000000".to_owned(),
        condition: Condition::Exists,
    };
    write(from.below(), &deleted);
    from.take_read();
    to.take_read();

    let since = Timestamp::from_ticks(newest.ticks() + 1).unwrap();
    let copied = block_on(copy.run_since(since, async |_| ())).unwrap();
    assert_eq!((copied.read, copied.missing, copied.different, copied.resolved), (3, 1, 2, 3));
    assert_eq!((from.take_read(), to.take_read()), (3, 0));

    // The deletion is found by a complete pass.
    let copied = run(copy);
    assert_eq!((copied.found(), copied.extra, copied.remaining()), (1, 1, 0));
    assert_eq!(content(&to), content(&from));
}

#[test]
fn order_sign_of_zero_and_nan_make_no_difference() {
    let table = people();
    let of = |properties: &[(&'static str, Value)]| {
        let store = store();
        let entity = properties
            .iter()
            .fold(Entity::new("p", "r"), |entity, (name, value)| entity.with(*name, value.clone()));
        write(&store, &Operation::Insert(entity));
        store
    };
    let found =
        |left: &[_], right: &[_]| run(TableCopy::new(&of(left), &of(right), &table).comparing(true)).found();
    let (a, b) = (("A", Value::from(1)), ("B", Value::from("1")));
    let double = |value: f64| ("D", Value::Double(value));
    assert_eq!(found(&[a.clone(), b.clone()], &[b.clone(), a.clone()]), 0);
    assert_eq!(found(&[double(0.0)], &[double(-0.0)]), 0);
    assert_eq!(found(&[double(f64::NAN)], &[double(-f64::NAN)]), 0);
    assert_eq!(found(&[double(1.0)], &[double(2.0)]), 1);
    assert_eq!(found(std::slice::from_ref(&a), &[a.clone(), b.clone()]), 1);
    assert_eq!(found(std::slice::from_ref(&a), &[("A", Value::from(1_i64))]), 1);
    assert_eq!(found(&[a], &[("a", Value::from(1))]), 1);
}

#[test]
fn a_table_that_is_not_in_key_order_is_not_copied() {
    let (from, to) = (Hooked::new(store_of(10)).backward(), store_of(10));
    let table = people();
    let copy = TableCopy::new(&from, &to, &table).deleting_extra(true);
    let error = block_on(copy.run(async |_| ())).unwrap_err();
    assert!(error.message().contains("in key order"), "{error}");
    assert_eq!(content(&to), content(&from));
}

#[test]
fn a_missing_source_is_an_error_and_a_missing_target_is_empty() {
    let (full, empty) = (store_of(3), Store::in_memory().unwrap());
    let table = people();
    let copy = TableCopy::new(&empty, &full, &table).comparing(true);
    assert_eq!(block_on(copy.run(async |_| ())).unwrap_err().code(), ErrorCode::TableNotFound);
    assert_eq!(run(TableCopy::new(&full, &empty, &table).comparing(true)).missing, 3);
    assert_eq!(run(TableCopy::new(&full, &empty, &table)).resolved, 3);
}

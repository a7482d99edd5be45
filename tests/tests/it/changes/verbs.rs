//! Every verb leaves one record for each entity that it changes.

use pollster::block_on;
use table_patterns::{ChangeKind, Error, prelude::*};

use super::{Entry, Order, all, entry, kinds, order};

use ChangeKind::{Delete, Insert, Update};

#[test]
fn changes_arrive_in_order_with_the_state_after_each() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&order("jo", 1, 5)).unwrap();
    b.merge(Order::patch("jo", 1).total(6)).unwrap();
    let mut stored = b.get(&Order::point("jo", 1)).unwrap().unwrap();
    stored.note = Some("gift".into());
    b.replace(&stored).unwrap();
    b.merge(b.get(&Order::point("jo", 1)).unwrap().unwrap().patch().total(7)).unwrap();
    b.upsert(&order("jo", 1, 8)).unwrap();
    b.upsert(&order("jo", 2, 1)).unwrap();
    b.replace_any(&order("jo", 2, 2)).unwrap();
    b.delete(&b.get(&Order::point("jo", 1)).unwrap().unwrap()).unwrap();
    b.delete_at(Order::point("jo", 2)).unwrap();
    let changes = all::<Order>(&tables);
    let seen: Vec<_> = changes
        .iter()
        .map(|change| {
            let new = change.new().map(|order| (order.total, order.note.as_deref()));
            (change.sequence(), change.kind(), change.address().row_key(), new)
        })
        .collect();
    assert_eq!(
        seen,
        [
            (1, Insert, "000001", Some((5, None))),
            (2, Update, "000001", Some((6, None))),
            (3, Update, "000001", Some((6, Some("gift")))),
            (4, Update, "000001", Some((7, Some("gift")))),
            (5, Update, "000001", Some((8, None))),
            (6, Insert, "000002", Some((1, None))),
            (7, Update, "000002", Some((2, None))),
            (8, Delete, "000001", None),
            (9, Delete, "000002", None),
        ]
    );
    assert!(changes.iter().all(|change| change.old().is_none()));
    assert!(changes.windows(2).all(|pair| pair[0].time() <= pair[1].time()));
}

#[test]
fn previous_state_is_recorded_on_request() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&entry(1, 5)).unwrap();
    b.merge(Entry::patch("jo", 1).total(6)).unwrap();
    let mut stored = b.get(&Entry::point("jo", 1)).unwrap().unwrap();
    stored.total = 7;
    b.replace(&stored).unwrap();
    b.delete_at(Entry::point("jo", 1)).unwrap();
    let seen: Vec<_> = all::<Entry>(&tables)
        .iter()
        .map(|change| (change.old().map(|entry| entry.total), change.new().map(|entry| entry.total)))
        .collect();
    assert_eq!(seen, [(None, Some(5)), (Some(5), Some(6)), (Some(6), Some(7)), (Some(7), None)]);
}

#[test]
fn rejected_write_leaves_no_record() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&order("jo", 1, 5)).unwrap();
    let stored = b.get(&Order::point("jo", 1)).unwrap().unwrap();
    b.merge(Order::patch("jo", 1).total(6)).unwrap();
    let error = b.insert(&order("jo", 1, 9)).unwrap_err();
    assert!(error.is_conflict() && error.to_string().contains("RowKey='"), "{error}");
    assert!(b.replace(&stored).unwrap_err().is_conflict());
    assert!(b.merge(stored.patch().total(9)).unwrap_err().is_conflict());
    assert!(b.delete(&stored).unwrap_err().is_conflict());
    assert!(b.merge(Order::patch("jo", 2).total(9)).unwrap_err().is_not_found());
    assert!(b.delete_at(Order::point("jo", 2)).unwrap_err().is_not_found());
    assert_eq!(kinds::<Order>(&tables), [(Insert, 1), (Update, 2)]);
}

#[test]
fn verb_that_cannot_record_is_refused() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let refused = b.overwrite(&order("jo", 1, 5)).unwrap_err();
    assert!(matches!(&refused, Error::OverwriteUnsupported { .. }), "{refused}");
    let refused = b.upsert_merge(Order::patch("jo", 1).total(6)).unwrap_err();
    assert!(matches!(&refused, Error::PartialUpsertUnsupported { .. }), "{refused}");
    assert_eq!(kinds::<Order>(&tables), []);

    // An untyped entity does not know the feed.
    b.insert(&order("jo", 1, 5)).unwrap();
    let stored = b.get(&DynamicEntity::point("Orders", "jo", "000001")).unwrap().unwrap();
    let refused = b.replace(&stored).unwrap_err();
    assert!(matches!(&refused, Error::IndexedEntity { .. }), "{refused}");
    assert_eq!(kinds::<Order>(&tables), [(Insert, 1)]);
}

#[test]
fn transaction_leaves_its_records_in_its_order() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&order("jo", 1, 5)).unwrap();
    let transaction = tables
        .transact()
        .insert(&order("jo", 3, 1))
        .merge(Order::patch("jo", 1).total(6))
        .insert(&order("jo", 2, 1));
    block_on(transaction.commit()).unwrap();
    let seen: Vec<_> = all::<Order>(&tables).iter().map(|change| change.key().number).collect();
    assert_eq!(seen, [1, 3, 1, 2]);

    // 49 entities, their records, and the head.
    let many = |first: u32, count: u32| {
        (first..first + count).fold(tables.transact(), |some, number| some.insert(&order("jo", number, 0)))
    };
    block_on(many(100, 49).commit()).unwrap();
    let Error::Transaction(error) = block_on(many(200, 50).commit()).unwrap_err() else { panic!() };
    assert!(error.to_string().contains("50"), "{error}");
    assert_eq!(all::<Order>(&tables).len(), 53);
}

#[test]
fn bulk_is_split_with_its_records() {
    let tables = Tables::in_memory().unwrap();
    let orders: Vec<Order> = (0..120).map(|number| order("jo", number, 1)).collect();
    let report = block_on(tables.bulk().insert_all(&orders).run()).unwrap();
    assert_eq!(report.groups.iter().map(|group| group.indexes.len()).collect::<Vec<_>>(), [49, 49, 22]);
    let patches =
        (0..120).fold(tables.bulk(), |bulk, number| bulk.merge(Order::patch("jo", number).total(2)));
    block_on(patches.run()).unwrap().into_result().unwrap();
    let changes = all::<Order>(&tables);
    assert!(changes.iter().zip(1..).all(|(change, number)| change.sequence() == number));
    let totals = |some: &[table_patterns::ChangeEvent<Order>]| {
        some.iter().map(|change| (change.key().number, change.new().unwrap().total)).collect::<Vec<_>>()
    };
    assert_eq!(totals(&changes[..120]), (0..120).map(|number| (number, 1)).collect::<Vec<_>>());
    assert_eq!(totals(&changes[120..]), (0..120).map(|number| (number, 2)).collect::<Vec<_>>());
}

#[test]
fn move_within_a_partition_is_a_delete_and_an_insert() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&entry(1, 5)).unwrap();
    let mut stored = b.get(&Entry::point("jo", 1)).unwrap().unwrap();
    stored.number = 2;
    block_on(tables.rekey(&stored)).unwrap();
    let changes = all::<Entry>(&tables);
    let seen: Vec<_> = changes
        .iter()
        .map(|change| (change.kind(), change.key().number, change.old().map(|entry| entry.number)))
        .collect();
    assert_eq!(seen, [(Insert, 1, None), (Delete, 1, Some(1)), (Insert, 2, None)]);
}

#[test]
fn queries_do_not_return_records() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for number in 0..3 {
        b.insert(&order("jo", number, 1)).unwrap();
    }
    let keys = |orders: Vec<Stored<Order>>| orders.iter().map(|order| order.number).collect::<Vec<_>>();
    assert_eq!(keys(block_on(Order::rows("jo").all(&tables)).unwrap()), [0, 1, 2]);
    assert_eq!(keys(block_on(Order::scan_partition("jo").all(&tables)).unwrap()), [0, 1, 2]);
    assert_eq!(keys(block_on(Order::scan_table().all(&tables)).unwrap()), [0, 1, 2]);
    let report = block_on(tables.verify::<Order>().run()).unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(kinds::<Order>(&tables).len(), 3);
}

#[test]
fn record_that_is_too_large_is_refused_before_it_is_sent() {
    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Documents", partition = "{owner}", row = "{number:06}", changes)]
    struct Document {
        owner: String,
        number: u32,
        #[table(series)]
        values: [Option<i32>; 249],
    }

    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let document = |count: usize| Document {
        owner: "jo".into(),
        number: 1,
        values: std::array::from_fn(|at| (at < count).then_some(1)),
    };
    let refused = b.insert(&document(249)).unwrap_err();
    let Error::Changes(error) = &refused else { panic!("{refused}") };
    assert!(error.to_string().contains("253 properties"), "{error}");
    b.insert(&document(248)).unwrap();
    assert_eq!(kinds::<Document>(&tables), [(Insert, 1)]);
}

//! Tests that all contenders do the same work.

use redb::{Builder, ReadableDatabase as _};

use crate::{
    bench::{load, orders},
    contender::{Contender, Kind},
    contenders::ours::Ours,
    engine_file::{EngineFile, RECORDS},
    order::{Order, ROWS, Seen, Size},
    record,
};

/// All stores of this build.
fn stores() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| kind.is_built() && *kind != Kind::Probe)
}

#[test]
fn all_contenders_read_what_all_have_written() {
    for kind in stores() {
        let dir = tempfile::tempdir().unwrap();
        let store = kind.open(dir.path()).unwrap();
        load(&*store, Size::Small, 3 * ROWS).unwrap();
        let mut writer = store.writer().unwrap();
        writer.upsert(Order::of(7, 1, Size::Small)).unwrap();
        writer.transact((1000..1100).map(|number| Order::of(number, 1, Size::Small)).collect()).unwrap();
        writer.upsert(Order::of(3 * ROWS, 0, Size::Small)).unwrap();

        let mut reader = store.reader().unwrap();
        let name = kind.title();
        assert_eq!(reader.get(1, 9).unwrap(), Seen::of_rows([9]), "{name}");
        assert_eq!(reader.get(9, 9).unwrap(), Seen::of_rows([]), "{name}");
        assert_eq!(reader.range(2, 10, 25).unwrap(), Seen::of_rows(10..35), "{name}");
        assert_eq!(reader.visit(2, 10, 25).unwrap(), Seen::of_rows(10..35), "{name}");
        let level = 42;
        let kept = (0..ROWS).filter(|row| Seen::of_rows([*row]).levels == i64::from(level));
        assert_eq!(reader.filter(1, level).unwrap(), Seen::of_rows(kept), "{name}");
        assert_eq!(reader.levels(1).unwrap(), Seen::of_rows(0..ROWS), "{name}");
        assert_eq!(reader.pages().unwrap(), Seen::of_rows(0..=3 * ROWS), "{name}");
    }
}

#[test]
fn what_was_dropped_is_gone() {
    for kind in stores() {
        let dir = tempfile::tempdir().unwrap();
        let store = kind.open(dir.path()).unwrap();
        load(&*store, Size::Small, ROWS).unwrap();
        store.drop_table().unwrap();
        store.swept().unwrap();
        let found = store.reader().and_then(|mut reader| reader.get(0, 1));
        assert!(found.is_err() || found.is_ok_and(|seen| seen == Seen::default()), "{}", kind.title());
    }
}

#[test]
fn a_record_has_the_size_that_was_asked_for() {
    for size in [Size::Small, Size::Large] {
        for number in [0, 999, 1_234_567] {
            let order = Order::of(number, u64::from(number), size);
            assert_eq!(record::value(&order).len(), size.bytes());
            assert_eq!(record::level(&record::value(&order)), Some(order.level));
            assert_eq!(
                record::order(&record::key(order.zone, order.row), &record::value(&order)),
                Some(order)
            );
        }
    }
}

/// The store record differs only in the time of the write and the checksum.
#[test]
fn bare_redb_keeps_the_bytes_that_the_store_keeps() {
    let dir = tempfile::tempdir().unwrap();
    let store = Ours::open(dir.path()).unwrap();
    let orders = orders(0..3, Size::Small);
    store.load(orders.clone()).unwrap()().unwrap();
    drop(store);
    let file = EngineFile::open(&dir.path().join(Ours::FILE)).unwrap();
    let database = Builder::new().create_with_backend(file).unwrap();
    let records = database.begin_read().unwrap().open_table(RECORDS).unwrap();
    for order in orders {
        let stored = records.get(record::key(order.zone, order.row).as_slice()).unwrap().unwrap();
        let (stored, ours) = (stored.value(), record::value(&order));
        assert_eq!(stored.len(), ours.len());
        assert_eq!(stored[..1], ours[..1]);
        assert_eq!(stored[9..stored.len() - 4], ours[9..ours.len() - 4]);
    }
}

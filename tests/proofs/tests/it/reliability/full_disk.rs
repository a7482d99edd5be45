//! A disk without free space: reads continue, writes are rejected with a specific error, and continue when space is
//! available.

use table_proofs::reliability::{Contents, SimClock, SimDisk, history};
use table_store::{Durability, Entity, Operation, StorageFault, TableName};

fn row(number: usize) -> Operation {
    Operation::Insert(Entity::new("p", format!("{number:06}")).with("Bytes", vec![7; 20_000]))
}

#[test]
fn a_full_disk_stops_writes_only_and_only_while_it_is_full() {
    let disk = SimDisk::default();
    let options = history::options(&SimClock::default(), Durability::Full);
    let store = options.open_disk(disk.clone()).expect("a store").blocking();
    let table = TableName::new("Staff").expect("a name");
    store.create_table(&table).expect("a table");
    disk.limit(Some(4 << 20));
    let mut written = 0;
    for round in 1..=3 {
        let error = loop {
            match store.execute(&table, row(written)) {
                Ok(_) => written += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error.fault(), Some(StorageFault::DiskFull { .. })), "{error}");
        assert!(written > 50 * round, "only {written} rows fit");
        // Again, to verify that the state is permanent.
        let error = store.execute(&table, row(written)).expect_err("it is still full");
        assert!(matches!(error.fault(), Some(StorageFault::DiskFull { .. })), "{error}");
        let contents = Contents::of(&store).expect("reads go on");
        assert_eq!(contents.rows(&table).map(std::collections::BTreeMap::len), Some(written));
        disk.limit(Some((4 << 20) << round));
    }
    store.execute(&table, row(written)).expect("there is room");
    let shown = Contents::of(&store).expect("reads go on");
    store.close().expect("it closes");
    let stored = Contents::of(&options.open_disk(disk).expect("it opens").blocking()).expect("it reads");
    assert_eq!(shown, stored);
}

#[test]
fn a_full_disk_can_be_emptied() {
    let disk = SimDisk::default();
    let options = history::options(&SimClock::default(), Durability::Full);
    let store = options.open_disk(disk.clone()).expect("a store").blocking();
    let table = TableName::new("Staff").expect("a name");
    store.create_table(&table).expect("a table");
    disk.limit(Some(4 << 20));
    let written = (0..1_000).take_while(|number| store.execute(&table, row(*number)).is_ok()).count();
    store.delete_table(&table).expect("a table can be deleted on a full disk");
    store.swept().expect("and swept");
    store.create_table(&table).expect("its name is free");
    let again = (0..1_000).take_while(|number| store.execute(&table, row(*number)).is_ok()).count();
    assert!(again > written / 2, "{again} rows fit after {written} were deleted");
}

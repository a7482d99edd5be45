//! Duplicates in a bulk: each fails alone, with its address, and the other writes are done in their order.

#![allow(clippy::unwrap_used, reason = "tests")]

use table_patterns::{BulkReport, prelude::*};
use table_store::{Store, TableService};
use table_tests::forward;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Items", partition = "{shop}", row = "{id:06}")]
struct Item {
    shop: String,
    id: u32,
    price: i32,
}

/// An entity with a unique index in its partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Logins", partition = "{tenant}", row = "u_{id:06}")]
#[table(index(by_mail, row = "m_{mail}", unique))]
struct Login {
    tenant: String,
    id: u32,
    mail: String,
}

/// The store as a service that does not keep the order of requests, such as a remote one.
#[derive(Debug)]
struct Remote(Store, table_store::Capabilities);

impl TableService for Remote {
    forward!(self, to self.0 => create_table delete_table list_tables find query execute transact);

    fn capabilities(&self) -> &table_store::Capabilities {
        &self.1
    }
}

fn handles() -> [Tables; 2] {
    let (store, remote) = (Store::in_memory().unwrap(), Store::in_memory().unwrap());
    let mut capabilities = remote.capabilities().clone();
    capabilities.keeps_order = false;
    [Tables::new(store), Tables::new(Remote(remote, capabilities))]
}

fn item(id: u32) -> Item {
    Item { shop: "a".into(), id, price: 0 }
}

fn login(id: u32) -> Login {
    Login { tenant: "a".into(), id, mail: format!("m{id}") }
}

fn duplicates(report: &BulkReport) -> Vec<(usize, String)> {
    report.duplicates().map(|(input, address)| (input, address.row_key().to_owned())).collect()
}

fn run<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}

#[test]
fn duplicates_fail_alone() {
    for tables in handles() {
        let existing: Vec<_> = [3, 50, 51, 52, 53, 199].into_iter().map(item).collect();
        run(tables.bulk().insert_all(&existing).run()).unwrap().into_result().unwrap();
        let all: Vec<_> = (0..200).map(item).collect();
        let report = run(tables.bulk().insert_all(&all).run()).unwrap();
        let expected = existing.iter().map(|item| (item.id as usize, format!("{:06}", item.id)));
        assert_eq!(duplicates(&report), expected.collect::<Vec<_>>());
        assert_eq!(report.written(), 194);
        let mut inputs: Vec<_> = report.groups.iter().flat_map(|group| group.indexes.clone()).collect();
        inputs.sort_unstable();
        assert_eq!(inputs, (0..200).collect::<Vec<_>>());
        assert_eq!(run(Item::rows("a").count(&tables)).unwrap(), 200);
    }
}

#[test]
fn a_second_insert_of_one_bulk_is_a_duplicate() {
    for tables in handles() {
        let report = run(tables.bulk().insert(&item(1)).insert(&item(2)).insert(&item(1)).run()).unwrap();
        assert_eq!(duplicates(&report), [(2, "000001".to_owned())]);
    }
}

#[test]
fn a_taken_unique_key_fails_alone() {
    for tables in handles() {
        run(tables.insert(&login(7))).unwrap();
        let taken = Login { mail: "m7".into(), ..login(2) };
        let report = run(tables.bulk().insert(&login(1)).insert(&taken).insert(&login(3)).run()).unwrap();
        assert_eq!(duplicates(&report), [(1, "u_000002".to_owned())]);
        assert_eq!(run(Login::rows("a").count(&tables)).unwrap(), 3);
    }
}

/// The rest of a rejected group is sent after the following groups. It must not undo their writes.
#[test]
fn a_later_write_of_the_same_entity_is_not_undone() {
    for tables in handles() {
        run(tables.bulk().insert(&item(0)).insert(&item(500)).run()).unwrap().into_result().unwrap();
        for round in 0..20 {
            let mut bulk = tables.bulk().insert(&item(0));
            bulk = bulk.overwrite(&Item { price: 1, ..item(1) });
            for price in 2..10 {
                bulk = bulk.overwrite(&Item { price: price + round, ..item(1) });
            }
            let report = run(bulk.run()).unwrap();
            assert_eq!(duplicates(&report).len(), 1);
            assert_eq!(run(Item::point("a", 1).get(&tables)).unwrap().unwrap().price, 9 + round);
        }
    }
}

//! Request counts of lists in other partitions, as documented.

use table_patterns::prelude::*;
use table_store::{OpenOptions, Store};
use table_tests::counting::{Calls, Counting};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "InRows", partition = "{team}", row = "id_{id:06}")]
#[table(lookup(by_name, on = name, place = table))]
struct InRows {
    team: String,
    id: u32,
    name: String,
    note: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "InLists", partition = "{team}", row = "id_{id:06}")]
#[table(lookup(by_name, on = name, place = table, ids = "Details"))]
struct InLists {
    team: String,
    id: u32,
    name: String,
}

fn counted() -> (Tables, Counting<Store>) {
    let service = Counting::new(OpenOptions::new().in_memory().unwrap());
    (Tables::new(service.clone()), service)
}

fn calls(finds: u64, queries: u64, writes: u64, transactions: u64) -> Calls {
    Calls { finds, queries, writes, transactions, ..Calls::default() }
}

#[test]
fn a_row_for_each_member_costs_what_its_page_says() {
    let (tables, service) = counted();
    let b = tables.blocking();
    let row = |id| InRows { team: "Red".into(), id, name: "Jones".into(), note: String::new() };
    b.insert(&row(1)).unwrap();
    service.take();
    b.insert(&row(2)).unwrap();
    assert_eq!(service.take(), calls(2, 0, 3, 1), "version, entity; stub, row, record; transaction");
    let mut stored = b.get(&InRows::point("Red", 2)).unwrap().unwrap();
    service.take();
    stored.note = "new".into();
    let written = b.replace(&stored).unwrap();
    assert_eq!(service.take(), calls(0, 0, 1, 0), "the list is the same");
    let mut stored = stored.written(&written);
    stored.name = "Smith".into();
    b.replace(&stored).unwrap();
    assert_eq!(service.take(), calls(3, 0, 4, 1), "two versions, entity; stub, two rows, record");
    assert_eq!(b.all(&InRows::by_name("Jones")).unwrap().len(), 1);
    assert_eq!(service.take(), calls(1, 1, 0, 0), "the list, then each member");
    b.delete_at(InRows::point("Red", 1)).unwrap();
    assert_eq!(service.take(), calls(3, 0, 2, 1), "the entity first; version, entity; row, record");
}

#[test]
fn one_row_for_a_list_costs_what_its_page_says() {
    let (tables, service) = counted();
    let b = tables.blocking();
    let row = |id| InLists { team: "Red".into(), id, name: "Jones".into() };
    b.insert(&row(1)).unwrap();
    service.take();
    b.insert(&row(2)).unwrap();
    assert_eq!(service.take(), calls(2, 0, 2, 1), "list, entity; list, record");
    let mut stored = b.get(&InLists::point("Red", 2)).unwrap().unwrap();
    service.take();
    stored.name = "Smith".into();
    b.replace(&stored).unwrap();
    assert_eq!(service.take(), calls(3, 0, 4, 1), "two lists, entity; an empty list, two lists, record");
    assert_eq!(b.all(&InLists::by_name("Jones")).unwrap().len(), 1);
    assert_eq!(service.take(), calls(1, 1, 0, 0), "the list, then each member");
    // All members of one transaction in one list are added by one write.
    let many: Vec<InLists> = (10..60).map(row).collect();
    pollster::block_on(tables.bulk().insert_all(&many).run()).unwrap().into_result().unwrap();
    let took = service.take();
    assert_eq!((took.transactions, took.finds, took.writes), (1, 1 + 50, 2), "list, entities; list, record");
}

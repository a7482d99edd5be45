use table_model::{TableName, Timestamp, token::TokenKey};

use super::*;
use crate::{
    MapStorage,
    engine::{MemoryEngine, Persist, Verdict, Write},
    record,
};

const TABLE: TableId = TableId(16);

fn row(id: TableId, name: &str, state: TableState) -> TableRow {
    TableRow { id, name: TableName::new(name).unwrap(), state }
}

fn put_entity(write: &mut dyn Write, table: TableId, row_key: &str) {
    let key = table.entity_key("p", row_key);
    let properties = [("A", 1)].into_iter().collect();
    let time = Timestamp::MIN_STORED;
    write.put(&key, &record::encode(&key, time, &properties).unwrap()).unwrap();
}

/// Returns the damages of a store with the table `Live` (16) and a deleted table (17) after `work` has changed it.
fn damages(work: impl Fn(&mut dyn Write)) -> Vec<String> {
    let engine = MemoryEngine::new(MapStorage::default());
    engine::commit(&engine, |write| {
        meta::create(write, &TokenKey([7; 32]))?;
        meta::put_next_table(write, TableId(20))?;
        catalog::put(write, &row(TABLE, "Live", TableState::Live))?;
        catalog::put(write, &row(TableId(17), "Gone", TableState::Deleted))?;
        put_entity(write, TABLE, "1");
        put_entity(write, TABLE, "2");
        put_entity(write, TableId(17), "1");
        work(write);
        Ok(Verdict::Commit(Persist::Now))
    })
    .unwrap();
    let mut walk = Walk::default();
    while walk.step(&engine).unwrap() {}
    let report = walk.into_report();
    assert_eq!(report.is_sound(), report.damage.is_empty());
    report.damage.iter().map(ToString::to_string).collect()
}

#[test]
fn a_store_in_order_has_no_damage_and_is_counted() {
    assert_eq!(damages(|_| ()), [""; 0]);
}

#[test]
fn records_of_no_table_are_counted_under_their_id() {
    let found = damages(|write| {
        for row_key in ["1", "2", "3"] {
            put_entity(write, TableId(18), row_key);
        }
        put_entity(write, TableId(6), "1");
    });
    let not_there = "which is missing in the catalog";
    assert_eq!(
        found,
        [format!("table #6, {not_there}: 1 records"), format!("table #18, {not_there}: 3 records")]
    );
}

/// Only the damaged record is reported, not each of its entities as belonging to no table.
#[test]
fn a_damaged_record_of_the_catalog_is_told_once() {
    let found = damages(|write| write.put(&TableId::CATALOG.key(b"live"), b"nothing").unwrap());
    assert_eq!(found, ["the catalog record of table `live`: it does not match its checksum"]);
}

#[test]
fn the_catalog_is_held_against_itself() {
    let put = |row: TableRow| move |write: &mut dyn Write| catalog::put(write, &row).unwrap();
    let found = damages(put(row(TABLE, "Twin", TableState::Live)));
    assert_eq!(found, ["the catalog record of table `live`: another table has the same id"]);
    let found = damages(put(row(TableId(20), "Later", TableState::Live)));
    assert_eq!(found, ["the catalog record of table `later`: its id was never allocated"]);
    let found = damages(|write| {
        let key = TableId::CATALOG.key(b"other");
        let body = [&[1], &18_u32.to_le_bytes()[..], b"Name"].concat();
        checksum::put(write, &key, &body).unwrap();
    });
    assert_eq!(found, ["the catalog record of table `other`: it belongs to another table"]);
}

#[test]
fn the_stores_own_records_are_complete_and_of_their_length() {
    let found = damages(|write| {
        write.remove(&TableId::META.key(b"clock")).unwrap();
        checksum::put(write, &TableId::META.key(b"token-key"), &[1; 31]).unwrap();
        checksum::put(write, &TableId::META.key(b"surprise"), &[]).unwrap();
    });
    assert_eq!(
        found,
        [
            "the internal record `clock`: it is missing",
            "the internal record `surprise`: its name is unknown",
            "the internal record `token-key`: its length is invalid",
        ]
    );
}

#[test]
fn an_entity_needs_a_key_a_checksum_and_a_layout() {
    let found = damages(|write| {
        checksum::put(write, &TABLE.entity_key("p", "3"), b"\x01 no layout").unwrap();
        checksum::put(write, &TABLE.key(b"no end"), b"").unwrap();
        // Six bytes for one character: valid as UTF-16, but not the canonical encoding.
        checksum::put(write, &TABLE.key(b"\xf0\x90\x80\x80\x001"), b"").unwrap();
        write.put(&TABLE.entity_key("p", "4"), b"").unwrap();
    });
    let entity = |row_key: &str| format!("table Live, PartitionKey `p`, RowKey `{row_key}`");
    assert_eq!(
        found,
        [
            "table Live, an entity with an invalid key: its key is not a valid entity key".to_owned(),
            format!("{}: its layout is invalid", entity("3")),
            format!("{}: it is too short", entity("4")),
            "table Live, an entity with an invalid key: its key is not a valid entity key".to_owned(),
        ]
    );
}

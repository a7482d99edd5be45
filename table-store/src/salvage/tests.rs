use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::{
    BlockingStore, Entity, LogMode, MemoryDisk, Metadata, Operation, Query, Row,
    blob::{BlobAddress, PutBlob, ReadBlob},
    queue::PutMessage,
};

const BLOCK: usize = 4096;
const TABLES: [&str; 2] = ["Staff", "Orders"];
/// Id of the first of them.
const FIRST_ID: u32 = TableId::FIRST.0;

type Rows = BTreeMap<(String, String, String), Row>;

/// Returns the rows of all tables. A table whose name is lost is called `Recovered` with its id.
fn rows(store: &BlockingStore) -> Rows {
    let mut rows = Rows::new();
    for (table, id) in TABLES.into_iter().zip(FIRST_ID..) {
        for name in [table.to_owned(), format!("Recovered{id}")] {
            let mut query = Query::new();
            while let Ok(segment) = store.query(&name.parse().unwrap(), query) {
                for row in segment.rows {
                    let keys = (row.partition_key.clone().unwrap(), row.row_key.clone().unwrap());
                    rows.insert((table.to_owned(), keys.0, keys.1), row);
                }
                match segment.continuation {
                    Some(next) => query = Query::new().continuation(next),
                    None => break,
                }
            }
        }
    }
    rows
}

fn blob(number: usize) -> (BlobAddress, Vec<u8>) {
    let content = (0..3000 + 997 * number).map(|at| u8::try_from((at * number) % 251).unwrap()).collect();
    (BlobAddress::new("photos", format!("{number:03}").as_str()).unwrap(), content)
}

/// Creates a store with rows, messages and blobs. Without a close, its last rows are in the log.
fn specimen(closed: bool) -> (MemoryDisk, Rows) {
    let disk = MemoryDisk::new();
    let store = OpenOptions::new().log_mode(LogMode::Inline).open_disk(disk.clone()).unwrap().blocking();
    for (number, table) in TABLES.iter().enumerate() {
        let table: TableName = table.parse().unwrap();
        store.create_table(&table).unwrap();
        for partition in ["east", "west"] {
            let row = |row: usize| {
                let text = format!("{table} {partition} {row} ").repeat(8);
                Operation::Insert(Entity::new(partition, format!("{row:05}")).with("Text", text.as_str()))
            };
            let rows: Vec<_> = (0..600 + 200 * number).map(row).collect();
            rows.chunks(100).for_each(|part| drop(store.transact(&table, part).unwrap()));
        }
    }
    let queue = "orders".parse().unwrap();
    store.create_queue(&queue, Metadata::new()).unwrap();
    (0..20)
        .for_each(|number| drop(store.put_message(&queue, PutMessage::new(format!("m{number}"))).unwrap()));
    store.create_container(&"photos".parse().unwrap(), Metadata::new()).unwrap();
    for (at, content) in (0..20).map(blob) {
        store.put_blob(&at, content.into(), PutBlob::new()).unwrap();
    }
    // After the blobs, which fill the log.
    for table in TABLES {
        let row = |row| Operation::Insert(Entity::new("south", format!("{row:05}")).with("Number", row));
        store.transact(&table.parse().unwrap(), (0..80).map(row).collect::<Vec<_>>()).unwrap();
    }
    let rows = rows(&store);
    if closed {
        store.close().unwrap();
        return (disk, rows);
    }
    (disk.copied(), rows)
}

fn salvaged(disk: &MemoryDisk) -> Result<(Salvage, BlockingStore), Refusal> {
    let new = MemoryDisk::new();
    let source: Arc<dyn Disk> = Arc::new(disk.clone());
    let salvage = super::disk(&OpenOptions::new(), &source, Arc::new(new.clone()))?;
    Ok((salvage, OpenOptions::new().open_disk(new).unwrap().blocking()))
}

#[test]
fn a_sound_store_is_copied_completely_with_its_log() {
    for closed in [true, false] {
        let (disk, expected) = specimen(closed);
        let before = disk.bytes();
        let (salvage, store) = salvaged(&disk).unwrap();
        assert!(salvage.is_complete(), "{closed}: {salvage:?}");
        assert!(rows(&store) == expected);
        let peeked = store.peek_messages(&"orders".parse().unwrap(), 1).unwrap();
        assert_eq!(peeked.first().map(|message| message.text.as_str()), Some("m0"));
        for (at, content) in (0..20).map(blob) {
            assert!(store.get_blob(&at, ReadBlob::new()).unwrap() == content);
        }
        assert!(disk.bytes() == before, "the damaged store is not changed");
    }
}

/// Returns the keys of the rows that are only in the log.
fn logged((disk, expected): &(MemoryDisk, Rows)) -> BTreeSet<(String, String, String)> {
    let file = disk.copied();
    file.log().unwrap().set_len(0).unwrap();
    let found = rows(&salvaged(&file).unwrap().1);
    expected.keys().filter(|key| !found.contains_key(*key)).cloned().collect()
}

/// Reason of a range for a lost position in the log.
const POSITION: &str = "the position up to which the file contains it cannot be read";

fn covers(range: &LostRange, (table, partition, row): &(String, String, String)) -> bool {
    let id = |name: &str| {
        FIRST_ID + u32::try_from(TABLES.iter().position(|table| *table == name).unwrap()).unwrap()
    };
    let key = (id(table), partition.as_str(), row.as_str());
    let of = |at: &KeyPosition| (at.id, at.partition_key.clone(), at.row_key.clone());
    let above = range.from.as_ref().is_none_or(|from| {
        let from = of(from);
        (from.0, from.1.as_str(), from.2.as_str()) <= key
    });
    let below = range.to.as_ref().is_none_or(|to| {
        let to = of(to);
        key <= (to.0, to.1.as_str(), to.2.as_str())
    });
    above && below
}

#[test]
fn what_is_returned_is_true_and_what_is_missing_is_listed() {
    let specimens = [specimen(true), specimen(false)];
    let logged = logged(&specimens[1]);
    assert!(logged.len() >= 160 && logged.len() < specimens[1].1.len() / 2, "{}", logged.len());
    let (mut missing, mut total, mut complete, mut unnamed) = (0, 0, 0, 0);
    for seed in 1..60_u64 {
        let is_open = seed % 2 == 1;
        let (disk, expected) = &specimens[usize::from(is_open)];
        let mut dice = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut roll = |sides: usize| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            usize::try_from(dice % sides as u64).unwrap()
        };
        let copy = disk.copied();
        let blocks = copy.bytes().len() / BLOCK;
        let mut damaged = BTreeSet::new();
        for _ in 0..=roll(4) {
            // Also the nodes of the checksums; not the header and its copies.
            let block = 6 + roll(blocks - 6);
            damaged.insert(block * BLOCK);
            let content = if roll(2) == 0 { vec![0; BLOCK] } else { vec![0x5a; BLOCK] };
            copy.write((block * BLOCK) as u64, &content).unwrap();
        }
        let (salvage, store) = salvaged(&copy).unwrap_or_else(|refusal| panic!("seed {seed}: {refusal:?}"));
        let found = rows(&store);
        assert!(found.iter().all(|(key, row)| expected.get(key) == Some(row)), "seed {seed}: a wrong row");
        // The range of the lost position in the log has no limits. It does not stand for a page of rows, but for the rows
        // of the log, which are then all lost.
        let (logs, pages): (Vec<_>, Vec<_>) =
            salvage.lost.iter().partition(|range| range.what.contains(POSITION));
        unnamed += usize::from(
            TABLES.iter().any(|table| store.query(&table.parse().unwrap(), Query::new()).is_err()),
        );
        let without_log = is_open && !logs.is_empty();
        for key in expected.keys().filter(|key| !found.contains_key(*key)) {
            missing += 1;
            assert!(
                pages.iter().any(|range| covers(range, key)) || without_log && logged.contains(key),
                "seed {seed}: {key:?} in {:?}",
                salvage.lost
            );
        }
        for range in &salvage.lost {
            let named = damaged.iter().any(|at| range.what.contains(&format!("page at byte {at} of")));
            // A damaged page can contain the position in the log, without any other record.
            assert!(named || range.what.contains(POSITION), "seed {seed}: {range}");
        }
        for (at, content) in (0..20).map(blob) {
            if let Ok(read) = store.get_blob(&at, ReadBlob::new()) {
                assert!(read == content, "seed {seed}: {at:?}");
            }
        }
        total += expected.len();
        complete += usize::from(salvage.is_complete());
    }
    assert!(
        missing > 200 && missing < total / 10 && complete > 5 && unnamed > 0,
        "{missing} of {total}, {complete} complete, {unnamed} without names"
    );
}

#[test]
fn tables_without_names_get_one_and_lost_metadata_is_replaced() {
    let disk = MemoryDisk::new();
    let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
    let table = "Staff".parse().unwrap();
    store.create_table(&table).unwrap();
    store.execute(&table, Operation::Insert(Entity::new("p", "r").with("Number", 1))).unwrap();
    let mut kept = Kept::default();
    kept.used.insert(16);
    kept.ticks = 77;
    drop(store);
    let engine = FileEngine::create(Arc::new(MemoryDisk::new()), 1 << 20, true).unwrap();
    kept.complete(&OpenOptions::new(), &engine).unwrap();
    engine::view(&engine, |read| {
        assert_eq!(meta::next_table(read)?, TableId(17));
        let tables = catalog::all(read)?;
        assert_eq!(tables.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["Recovered16"]);
        assert!(meta::read(read)?.clock > 77);
        Ok(())
    })
    .unwrap();
}

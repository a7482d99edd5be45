//! Damage at the bounds of scans: a record with a damaged key sorts outside of its range, so no scan reaches it. Every
//! bit of such records is flipped, and every read must return correct data or report the damage. The stores have no
//! checksums of pages, as those of earlier versions, so the damage reaches the reads.

use std::{fmt::Debug, fs};

use table_store::{
    BlockingStore, Entity, Filter, MemoryDisk, Metadata, OpenError, OpenOptions, Operation, Query, Result,
    StorageFault, TableService,
    blob::{BlobAddress, BlockId, ContainerName, ListBlobs, ListContainers, PutBlob, PutBlock},
    queue::{ListQueues, PutMessage, QueueName},
    service::OutboxKind,
};

const PARTITIONS: [&str; 3] = ["Alpha", "Sales", "Zulu"];
const ROWS: usize = 5;

/// Returns a closed store with every kind of data.
fn bytes() -> Vec<u8> {
    let store = OpenOptions::new().page_sums(false).in_memory().unwrap().blocking();
    for name in ["Early", "Employees", "Late"] {
        let table = name.parse().unwrap();
        store.create_table(&table).unwrap();
        for partition in PARTITIONS {
            for row in 0..ROWS {
                let is_last = (name, partition, row) == ("Employees", "Zulu", ROWS - 1);
                let text = if is_last { "canary" } else { "plain" };
                let entity = Entity::new(partition, format!("{name}-{row}")).with("Text", text);
                store.execute(&table, Operation::Insert(entity)).unwrap();
            }
        }
    }
    let record = Entity::new("Sales", "!o_record").with("_k", "w");
    store.execute(&"Employees".parse().unwrap(), Operation::Insert(record)).unwrap();
    for name in ["containera", "containerb", "containerc"] {
        let container: ContainerName = name.parse().unwrap();
        store.create_container(&container, Metadata::new()).unwrap();
        for blob in ["blob-one", "blob-two", "folder/blob-three", "tail/blob-four"] {
            let at = BlobAddress::new(name, blob).unwrap();
            store.put_blob(&at, vec![7; 100].into(), PutBlob::new()).unwrap();
        }
    }
    for name in ["queue-a", "queue-b", "queue-c"] {
        let queue: QueueName = name.parse().unwrap();
        store.create_queue(&queue, Metadata::new()).unwrap();
        for text in ["first", "second", "third"] {
            store.put_message(&queue, PutMessage::new(text)).unwrap();
        }
    }
    copy(&store)
}

/// Returns the bytes of a backup: it contains each record once, while the file of the store also contains pages of
/// earlier commits.
fn copy(store: &BlockingStore) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.tables");
    store.backup(&path).unwrap();
    fs::read(path).unwrap()
}

/// A read that returns its result as a string.
type Look = fn(&BlockingStore) -> Result<String>;

fn shown<T: Debug>(found: Result<T>) -> Result<String> {
    found.map(|found| format!("{found:?}"))
}

fn pages(store: &BlockingStore, query: &Query) -> Result<String> {
    let (mut rows, mut continuation) = (Vec::new(), None);
    loop {
        let mut page = query.clone();
        page.continuation = continuation;
        let segment = store.query(&"Employees".parse().unwrap(), page)?;
        rows.extend(segment.rows);
        continuation = segment.continuation;
        if continuation.is_none() {
            return Ok(format!("{rows:?}"));
        }
    }
}

fn filtered(store: &BlockingStore, filter: &str, top: Option<u32>) -> Result<String> {
    let mut query = Query::new().filter(Filter::parse(filter).unwrap());
    query.top = top;
    pages(store, &query)
}

const OF_ENTITIES: [(&str, Look); 9] = [
    ("the table", |store| pages(store, &Query::new())),
    ("the table, by pages", |store| pages(store, &Query::new().top(1))),
    ("the table, by pages of 2", |store| pages(store, &Query::new().top(2))),
    ("a partition", |store| filtered(store, "PartitionKey eq 'Sales'", None)),
    ("a partition, by pages", |store| filtered(store, "PartitionKey eq 'Sales'", Some(2))),
    ("a range of rows", |store| {
        filtered(
            store,
            "PartitionKey eq 'Sales' and RowKey ge 'Employees-2' and RowKey le 'Employees-4'",
            None,
        )
    }),
    ("several ranges", |store| {
        filtered(store, "PartitionKey eq 'Zulu' or PartitionKey eq 'Sales' and RowKey lt 'Employees-3'", None)
    }),
    ("a filter", |store| filtered(store, "Text eq 'plain' or Text eq 'canary'", Some(3))),
    ("a point", |store| {
        let found = store.get(&"Employees".parse().unwrap(), "Sales", "Employees-4", None);
        shown(found)
    }),
];

const OF_BLOBS: [(&str, Look); 6] = [
    ("containers", |store| shown(store.list_containers(ListContainers::new()))),
    ("containers, one", |store| shown(store.list_containers(ListContainers::new().max_results(1)))),
    ("blobs", |store| shown(store.list_blobs(&"containerb".parse().unwrap(), ListBlobs::new()))),
    ("blobs, by a delimiter", |store| {
        shown(store.list_blobs(&"containerb".parse().unwrap(), ListBlobs::new().delimiter("/")))
    }),
    ("blobs, by a prefix", |store| {
        shown(store.list_blobs(&"containerb".parse().unwrap(), ListBlobs::new().prefix("blob")))
    }),
    ("blobs, one", |store| {
        shown(store.list_blobs(&"containerb".parse().unwrap(), ListBlobs::new().max_results(1)))
    }),
];

const OF_QUEUES: [(&str, Look); 3] = [
    ("queues", |store| shown(store.list_queues(ListQueues::new()))),
    ("queues, one", |store| shown(store.list_queues(ListQueues::new().max_results(1)))),
    ("messages", |store| shown(store.peek_messages(&"queue-b".parse().unwrap(), 32))),
];

const OF_RECORDS: [(&str, Look); 1] = [("commit records", |store| {
    shown(pollster::block_on(store.store().list_outbox(OutboxKind::Commits, None, 100)))
})];

/// Flips each bit of each occurrence of these bytes, and around them, and reads. Returns the number of reports.
fn flip(bytes: &[u8], needle: &[u8], around: (usize, usize), looks: &[(&str, Look)]) -> usize {
    let options = OpenOptions::new().verify_up_to(0);
    let open =
        |bytes: Vec<u8>| options.open_disk(MemoryDisk::with_bytes(bytes)).map(|store| store.blocking());
    let sound = open(bytes.to_vec()).unwrap();
    let truths: Vec<String> = looks.iter().map(|(_, look)| look(&sound).unwrap()).collect();
    let mut reported = 0;
    let places = bytes.windows(needle.len()).enumerate().filter(|(_, window)| *window == needle);
    for (place, _) in places {
        for bit in (place - around.0) * 8..(place + around.1) * 8 {
            let mut changed = bytes.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            // A key that became an internal key is reported when the store is opened.
            let store = match open(changed) {
                Ok(store) => store,
                Err(error) => {
                    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
                    reported += 1;
                    continue;
                }
            };
            for ((name, look), truth) in looks.iter().zip(&truths) {
                match look(&store) {
                    Ok(found) => assert_eq!(&found, truth, "{name}: byte {} bit {}", bit / 8, bit % 8),
                    Err(error) => {
                        let known = matches!(error.fault(), Some(StorageFault::Corrupt { .. }));
                        assert!(known, "{name}: byte {} bit {}: {error}", bit / 8, bit % 8);
                        reported += 1;
                    }
                }
            }
        }
    }
    reported
}

/// Entity keys consist of a four-byte id, the PartitionKey, a zero byte and the RowKey. In a page, the records follow
/// the keys.
#[test]
fn no_bit_of_an_entity_hides_it() {
    let bytes = bytes();
    for (partition, row) in [("Sales", 0), ("Sales", ROWS - 1), ("Alpha", 0), ("Zulu", ROWS - 1), ("Zulu", 0)]
    {
        let key = format!("{partition}\0Employees-{row}");
        let reported = flip(&bytes, key.as_bytes(), (4, key.len()), &OF_ENTITIES);
        assert!(reported > 100, "{key}: {reported}");
    }
    // Keys of the adjacent tables, at which scans of this table end.
    for key in ["Zulu\0Early-4", "Alpha\0Late-0"] {
        assert!(flip(&bytes, key.as_bytes(), (4, key.len()), &OF_ENTITIES) > 0, "{key}");
    }
}

#[test]
fn no_bit_of_an_entitys_content_changes_a_read() {
    let bytes = bytes();
    assert!(flip(&bytes, b"canary", (20, 18), &OF_ENTITIES[..4]) > 500);
}

#[test]
fn no_bit_of_a_listed_name_hides_it() {
    let bytes = bytes();
    for (key, before, looks) in [
        ("containerc", 4, &OF_BLOBS[..]),
        ("containerb", 4, &OF_BLOBS),
        ("blob-one", 12, &OF_BLOBS),
        ("tail/blob-four", 12, &OF_BLOBS),
        ("queue-a", 4, &OF_QUEUES),
        ("queue-c", 4, &OF_QUEUES),
        ("!o_record", 15, &OF_RECORDS),
    ] {
        let reported = flip(&bytes, key.as_bytes(), (before, key.len()), looks);
        assert!(reported > 10, "{key}: {reported}");
    }
}

#[test]
fn no_bit_of_a_staged_block_hides_it() {
    let store = OpenOptions::new().page_sums(false).in_memory().unwrap().blocking();
    store.create_container(&"container".parse().unwrap(), Metadata::new()).unwrap();
    let at = BlobAddress::new("container", "blob").unwrap();
    for id in ["block-a", "block-b", "block-c"] {
        store
            .put_block(&at, &BlockId::new(id.as_bytes()).unwrap(), vec![7; 10].into(), PutBlock::new())
            .unwrap();
    }
    let bytes = copy(&store);
    let look: Look = |store| shown(store.block_list(&BlobAddress::new("container", "blob").unwrap()));
    for id in ["block-a", "block-c"] {
        assert!(flip(&bytes, id.as_bytes(), (12, id.len()), &[("blocks", look)]) > 10);
    }
}

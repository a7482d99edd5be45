//! Request counts of operations on values in blobs: requests to tables, queues and blobs together.

#![allow(clippy::unwrap_used, reason = "tests")]

use pollster::block_on;
use table_patterns::prelude::*;
use table_proofs::simulation::{Faults, Unreliable, UnreliableQueues, World};
use table_store::{MapStorage, OpenOptions};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Notes", partition = "{user}", row = "n_{id:02}")]
struct Note {
    user: String,
    id: u8,
    count: i32,
    #[table(blob, inline = 4)]
    text: Blob,
}

fn note(id: u8, text: &'static str) -> Note {
    Note { user: "u".into(), id, count: 0, text: Blob::new(text) }
}

#[test]
fn a_value_in_a_blob_costs_its_requests_and_one_in_the_row_none() {
    let world = World::new(1, Faults::default());
    let service = Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone());
    let queues = UnreliableQueues::new(world.clone());
    let tables = &Tables::new(service.clone()).with_queues(queues).with_blobs(service);
    let cost = |what: &str, expected: u64, work: &mut dyn FnMut()| {
        let before = world.calls();
        work();
        assert_eq!(world.calls() - before, expected, "{what}");
    };
    // Creates the table, the container and the queue.
    block_on(tables.insert(&note(0, "a long text"))).unwrap();

    cost("insert in the row", 1, &mut || drop(block_on(tables.insert(&note(1, "abc"))).unwrap()));
    // Put the wake-up message, put the blob, transact, delete the record, delete the message.
    cost("insert", 5, &mut || drop(block_on(tables.insert(&note(2, "a long text"))).unwrap()));
    let mut stored = block_on(Note::point("u", 2).get(tables)).unwrap().unwrap();
    cost("a page", 1, &mut || assert_eq!(block_on(Note::rows("u").all(tables)).unwrap().len(), 3));
    cost("read the value", 1, &mut || drop(block_on(stored.text.read(tables)).unwrap()));
    stored.count = 1;
    cost("replace another field", 1, &mut || drop(block_on(tables.replace(&stored)).unwrap()));
    cost("patch another field", 1, &mut || {
        drop(block_on(tables.merge(Note::patch("u", 2).count(2))).unwrap());
    });

    let mut stored = block_on(Note::point("u", 2).get(tables)).unwrap().unwrap();
    stored.text = Blob::new("another long text");
    // In addition to the requests of an insert: read the entity again, delete the old blob.
    cost("replace", 7, &mut || drop(block_on(tables.replace(&stored)).unwrap()));
    cost("upsert", 8, &mut || drop(block_on(tables.upsert(&note(2, "a third text"))).unwrap()));
    cost("upsert of the same", 2, &mut || drop(block_on(tables.upsert(&note(2, "a third text"))).unwrap()));
    let stored = block_on(Note::point("u", 2).get(tables)).unwrap().unwrap();
    cost("patch", 7, &mut || {
        drop(block_on(tables.merge(stored.patch().text(Blob::new("a fourth text")))).unwrap());
    });
    let stored = block_on(Note::point("u", 2).get(tables)).unwrap().unwrap();
    // Transact, read the entity again, delete the blob, delete the record.
    cost("delete", 4, &mut || block_on(tables.delete(&stored)).unwrap());
}

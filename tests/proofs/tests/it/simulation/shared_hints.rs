//! Three commits to one partition, on a service that lists no commit records. The second commit puts a wake-up message,
//! and the third relies on it. A worker applies the second commit, and the writer crashes after the third.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use pollster::block_on;
use table_patterns::prelude::*;
use table_proofs::simulation::{Faults, Stepped, Unreliable, UnreliableQueues, World};
use table_store::{MapStorage, OpenOptions, Query as StoreQuery, TableName, TableService};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{club}", row = "m_{id:02}")]
#[table(index(by_team, partition = "team_{team}", row = "{club}_{id:02}"))]
struct Member {
    club: String,
    id: u8,
    team: String,
}

fn member(id: u8) -> Member {
    Member { club: "c".into(), id, team: "a".into() }
}

/// Returns whether the partition contains a commit record.
fn has_record(service: &Unreliable) -> bool {
    let table = TableName::new("Members").unwrap();
    let rows = block_on(service.store().query(&table, StoreQuery::default()));
    rows.is_ok_and(|rows| rows.rows.iter().any(|row| row.row_key.unwrap().starts_with("!o_")))
}

#[test]
fn shared_hint_outlives_its_first_record() {
    let world = World::new(1, Faults::default());
    let service = Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone())
        .without_marks();
    let queues = UnreliableQueues::new(world.clone());
    let tables = || Tables::new(service.clone()).with_queues(queues.clone());
    let (writer, worker) = (tables(), tables());
    worker.register_entity::<Member>();
    let insert = |id| {
        let writer = &writer;
        Stepped::new(async move {
            writer.insert(&member(id)).await.unwrap();
        })
    };

    insert(0).finish();
    let mut second = insert(1);
    assert!(second.advance_until(|| has_record(&service)));
    assert_eq!(block_on(worker.catch_up()).unwrap().followed, 1);
    second.finish();
    let mut third = insert(2);
    assert!(third.advance_until(|| has_record(&service)));
    drop(third);

    // In a calm world, received messages become visible again.
    world.calm();
    block_on(worker.catch_up()).unwrap();
    assert!(!has_record(&service));
    assert_eq!(worker.blocking().all(&Member::by_team_rows("a")).unwrap().len(), 3);
}

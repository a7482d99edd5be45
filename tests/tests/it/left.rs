//! Commits that a worker cannot apply: they are counted and reported, never ignored silently.

#![allow(clippy::unwrap_used, reason = "a broken promise ends the test")]
#![allow(clippy::duplicated_attributes, clippy::similar_names, reason = "keys of rows are alike")]

use pollster::block_on;
use table_patterns::{CatchUpReport, LeftReason, prelude::*};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Players", partition = "{club}", row = "p_{id:03}")]
#[table(index(by_badge, partition = "badge_{badge:04}", row = "{club}_{id:03}"))]
struct Player {
    club: String,
    id: u16,
    badge: u16,
}

mod newer {
    use table_patterns::prelude::*;

    /// The same type in a later version of the program, with an additional index.
    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Players", partition = "{club}", row = "p_{id:03}")]
    #[table(index(by_badge, partition = "badge_{badge:04}", row = "{club}_{id:03}"))]
    #[table(index(by_id, partition = "id_{id:03}", row = "{club}_{id:03}"))]
    pub(super) struct Player {
        pub(super) club: String,
        pub(super) id: u16,
        pub(super) badge: u16,
    }
}

/// Returns another handle on the same services, without registered entities.
fn other_process(tables: &Tables) -> Tables {
    let (queues, blobs) = (tables.queues().unwrap().clone(), tables.blobs().unwrap().clone());
    Tables::from_services(tables.service().clone(), Some(queues), Some(blobs))
}

/// Writes three players and defers their rows in other partitions to workers.
fn written() -> Tables {
    let tables = Tables::in_memory().unwrap();
    for id in 1..=3 {
        let player = Player { club: "c".into(), id, badge: 7 };
        tables.with_deferred_updates().blocking().insert(&player).unwrap();
    }
    tables
}

fn at_badge(tables: &Tables) -> usize {
    tables.blocking().all(&Player::by_badge_rows(7)).unwrap().len()
}

fn reasons(pass: &CatchUpReport) -> Vec<(LeftReason, &str, Option<&str>, usize)> {
    let left = |left: &'_ table_patterns::LeftCommits| left.commits;
    pass.reasons.iter().map(|of| (of.reason, of.entity.as_str(), of.index.as_deref(), left(of))).collect()
}

#[test]
fn worker_applies_commits_of_types_of_its_handle() {
    let tables = other_process(&written());
    tables.register_entity::<Player>();
    let worked = block_on(tables.worker().pass()).unwrap();
    assert_eq!((worked.commits.followed, worked.commits.left), (3, 0));
    assert_eq!(at_badge(&tables), 3);

    // Also for a type that is registered later.
    let tables = other_process(&written());
    let worker = tables.worker();
    tables.register_entity::<Player>();
    assert_eq!(block_on(worker.pass()).unwrap().commits.followed, 3);
}

#[test]
fn commits_of_unknown_types_are_reported_by_name() {
    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Others", partition = "{club}", row = "o_{id:03}")]
    struct Other {
        club: String,
        id: u16,
    }
    let tables = other_process(&written());
    // Also by a worker without any registered type, such as a worker that only runs tasks.
    let worked = block_on(tables.worker().pass()).unwrap();
    assert_eq!(reasons(&worked.commits), [(LeftReason::UnregisteredEntity, "Player", None, 3)]);
    let worked = block_on(tables.worker().register_entity::<Other>().pass()).unwrap();
    assert_eq!((worked.commits.followed, worked.commits.left), (0, 3));
    assert_eq!(reasons(&worked.commits), [(LeftReason::UnregisteredEntity, "Player", None, 3)]);
    let text = worked.commits.reasons[0].to_string();
    assert!(text.contains("register_entity::<Player>()"), "{text}");
    assert_eq!(reasons(&block_on(tables.catch_up()).unwrap()), reasons(&worked.commits));
    let partition = block_on(tables.catch_up_partition(&Player::rows("c"))).unwrap();
    assert_eq!(reasons(&partition), reasons(&worked.commits));
}

#[test]
fn commits_of_unknown_indexes_are_reported_by_name() {
    let tables = Tables::in_memory().unwrap();
    let player = newer::Player { club: "c".into(), id: 1, badge: 7 };
    tables.with_deferred_updates().blocking().insert(&player).unwrap();
    let old = other_process(&tables);
    old.register_entity::<Player>();
    let pass = block_on(old.catch_up()).unwrap();
    assert_eq!(reasons(&pass), [(LeftReason::UnknownIndex, "Player", Some("by_id"), 1)]);
    let message = &pass.reasons[0].message;
    assert!(message.contains("a program version that defines this index"), "{message}");
}

#[test]
fn commits_outside_of_the_registry_are_reported() {
    let tables = written();
    let registered = tables.with_registry();
    registered.register_entity::<Player>();
    let pass = block_on(registered.catch_up()).unwrap();
    assert_eq!((pass.followed, pass.left), (0, 3));
    assert_eq!(reasons(&pass), [(LeftReason::Registry, "Player", None, 3)]);
    assert!(pass.reasons[0].message.contains("tables.register::<Player>()"), "{pass:?}");
    let worked = block_on(registered.worker().pass()).unwrap();
    assert_eq!(worked.commits.reasons, pass.reasons);
    let swept = block_on(registered.sweep().run()).unwrap();
    assert_eq!((swept.left, &swept.reasons), (3, &pass.reasons));

    // The remedy in the message.
    block_on(registered.register::<Player>()).unwrap();
    assert_eq!(block_on(registered.worker().pass()).unwrap().commits.followed, 3);
    assert_eq!(at_badge(&tables), 3);
}

#[test]
fn failed_commits_are_reported_until_they_are_parked() {
    let tables = Tables::in_memory().unwrap();
    let table = table_store::TableName::new("Players").unwrap();
    block_on(tables.create::<Player>()).unwrap();
    let row = table_store::Entity::new("badge_0007", "c_001").with("name", "of no entity");
    block_on(tables.service().execute(&table, &table_store::Operation::Insert(row))).unwrap();
    tables.blocking().insert(&Player { club: "c".into(), id: 1, badge: 7 }).unwrap();
    let pass = block_on(tables.catch_up()).unwrap();
    assert_eq!(reasons(&pass), [(LeftReason::Failed, "Player", None, 1)]);
    assert!(pass.reasons[0].message.contains("c_001"), "{pass:?}");
    for _ in 0..4 {
        block_on(tables.catch_up()).unwrap();
    }
    assert_eq!(block_on(tables.catch_up()).unwrap(), CatchUpReport::default());
}

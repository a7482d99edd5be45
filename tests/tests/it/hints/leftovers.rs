//! The findings of a sweep.

use std::time::Duration;

use pollster::block_on;
use table_patterns::prelude::*;
use table_store::{
    Entity as Row, Operation, Properties, QueueService, TableName, TableService, queue::QueueName,
};

use super::place::{Place, Staff, staff};

const DAY: u64 = 24 * 60 * 60;

fn put(place: &Place, partition_key: &str, row_key: &str, said: &[(&'static str, &str)]) {
    let mut properties = Properties::new();
    for (name, value) in said {
        properties.set(*name, *value);
    }
    let row = Row { partition_key: partition_key.into(), row_key: row_key.into(), properties };
    block_on(place.store().execute(&TableName::new("Staff").unwrap(), &Operation::Insert(row))).unwrap();
}

#[test]
fn a_sweep_follows_what_a_lost_queue_pointed_at() {
    let place = Place::new();
    for id in 1..=5 {
        place.tables.with_deferred_updates().blocking().insert(&staff("Blue", id, 7)).unwrap();
    }
    block_on(place.store().clear_messages(&QueueName::new("tables-outbox").unwrap())).unwrap();
    assert_eq!(block_on(place.tables.catch_up()).unwrap().followed, 0, "nobody looks");
    let swept = block_on(place.tables.sweep().run()).unwrap();
    assert_eq!((swept.followed, swept.left, swept.dead_lettered), (5, 0, 0));
    assert_eq!(place.at_desk(7), 5);
}

#[test]
fn markers_and_stubs_go_when_they_are_old_and_steps_when_it_is_asked_for() {
    let place = Place::new();
    put(&place, "Blue", "!o_1", &[("_k", "a")]);
    put(&place, "desk_007", "Blue_001", &[("_st", "s")]);
    put(&place, "desk_007", "Blue_002", &[("_st", "l")]);
    put(&place, "Blue", "!m_task_step", &[("_k", "m")]);
    let sweep = || block_on(place.tables.sweep().run()).unwrap();
    assert_eq!(sweep(), table_patterns::SweepReport::default());
    place.pass(DAY);
    let swept = sweep();
    assert_eq!((swept.aborted, swept.stubs, swept.steps), (0, 1, 0));
    place.pass(7 * DAY);
    let swept = sweep();
    assert_eq!((swept.aborted, swept.stubs, swept.steps), (1, 0, 0));
    let steps = place.tables.sweep().expire_step_records_older_than(Duration::from_secs(8 * DAY - 60));
    assert_eq!(block_on(steps.run()).unwrap().steps, 1);
    let left = place.rows(|row| row.row_key.unwrap().starts_with('!'));
    assert_eq!(left, 0);
}

#[test]
fn a_sweep_goes_on_at_its_cursor_in_another_process() {
    let place = Place::new();
    for id in 1..=5 {
        place.tables.with_deferred_updates().blocking().insert(&staff("Blue", id, 7)).unwrap();
    }
    let mut sweep = place.tables.sweep().page_size(2);
    assert!(block_on(sweep.step()).unwrap());
    assert_eq!(sweep.report().followed, 2);
    let cursor: Cursor = sweep.cursor().unwrap().to_string().parse().unwrap();
    let other = Tables::new(place.store().clone());
    other.register_entity::<Staff>();
    assert_eq!(block_on(other.sweep().resume(cursor).run()).unwrap().followed, 3);
}

#[test]
fn a_value_that_was_reserved_for_an_attempt_that_ended_is_free_again() {
    let place = Place::new();
    let source = r#"["Staff","Blue","id_001"]"#;
    put(&place, "desk_007", "Blue_001", &[("_st", "p"), ("_tk", "01"), ("_src", source)]);
    let sweep = || block_on(place.tables.sweep().run()).unwrap();
    assert_eq!(sweep().reservations, 0, "somebody may be at it");
    place.pass(DAY);
    assert_eq!(sweep().reservations, 1);
    assert_eq!(place.rows(|row| row.partition_key == Some("desk_007")), 0);
    // The attempt can no longer be committed.
    assert_eq!(place.rows(|row| row.row_key == Some("!o_01")), 1);
}

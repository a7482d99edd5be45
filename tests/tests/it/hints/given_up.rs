//! Invalid wake-up messages, and records that cannot be applied.

use pollster::block_on;
use table_store::{
    Condition, Entity, Operation, Properties, QueueService, TableName, TableService, Value,
    queue::{PutMessage, QueueName},
};

use super::place::{Place, staff};

#[test]
fn what_is_no_hint_is_put_aside_and_others_go_on() {
    let place = Place::new();
    let queue = QueueName::new("tables-outbox").unwrap();
    block_on(place.store().put_message(&queue, PutMessage::new("hello"))).unwrap();
    place.tables.with_deferred_updates().blocking().insert(&staff("Blue", 1, 7)).unwrap();
    assert_eq!(block_on(place.tables.catch_up()).unwrap().followed, 1);
    assert_eq!((place.messages("tables-outbox"), place.messages("tables-outbox-poison")), (0, 1));
    let aside =
        block_on(place.store().peek_messages(&QueueName::new("tables-outbox-poison").unwrap(), 1)).unwrap();
    assert!(aside[0].text.contains("invalid wake-up message"), "{}", aside[0].text);
    assert_eq!(block_on(place.tables.lag()).unwrap().dead_lettered, 1);
}

#[test]
fn a_record_that_is_parked_can_be_taken_up_again_without_reading_tables() {
    let place = Place::new();
    place.tables.with_deferred_updates().blocking().insert(&staff("Blue", 1, 7)).unwrap();
    let touches = damage(&place, None);
    assert_eq!(block_on(place.tables.catch_up()).unwrap().dead_lettered, 1);
    assert_eq!(place.at_desk(7), 0);
    let lag = block_on(place.tables.lag()).unwrap();
    assert_eq!(lag.dead_lettered, 1, "{lag:?}");

    // Another client repairs it.
    damage(&place, Some(touches));
    place.take();
    assert_eq!(block_on(place.tables.retry_dead_letters()).unwrap(), 1);
    let (tables, queues) = place.take();
    assert_eq!(tables.queries, 1, "the partition is known");
    assert_eq!(queues.gets, 1, "no message is requested beyond those that were there");
    assert_eq!(block_on(place.tables.catch_up()).unwrap().followed, 1);
    assert_eq!(place.at_desk(7), 1);
    assert_eq!(block_on(place.tables.lag()).unwrap().dead_lettered, 0);
}

#[test]
fn a_hint_that_nobody_can_do_anything_about_is_given_up_and_can_be_taken_up_again() {
    let place = Place::new();
    place.tables.with_deferred_updates().blocking().insert(&staff("Blue", 1, 7)).unwrap();
    let stranger = place.stranger();
    let mut looks = 0;
    while place.messages("tables-outbox") > 0 {
        looks += 1;
        assert_eq!(block_on(stranger.catch_up()).unwrap().left, 1);
        place.pass(301);
    }
    assert_eq!(looks, 51);
    assert_eq!(block_on(stranger.lag()).unwrap().dead_lettered, 1);
    // The record is at its original key, and a program with the entity type applies it.
    assert_eq!(block_on(place.tables.retry_dead_letters()).unwrap(), 0, "no record was parked");
    assert_eq!(block_on(place.tables.catch_up()).unwrap().followed, 1);
    assert_eq!((place.at_desk(7), place.messages("tables-outbox-poison")), (1, 0));
}

#[test]
fn messages_about_a_deleted_table_are_taken_up_without_records() {
    let place = Place::new();
    place.tables.with_deferred_updates().blocking().insert(&staff("Blue", 1, 7)).unwrap();
    damage(&place, None);
    assert_eq!(block_on(place.tables.catch_up()).unwrap().dead_lettered, 1);
    block_on(place.store().delete_table(&TableName::new("Staff").unwrap())).unwrap();
    assert_eq!(block_on(place.tables.retry_dead_letters()).unwrap(), 0);
    assert_eq!(place.messages("tables-outbox-poison"), 0);
}

/// Modifies the record of `Blue`, dead-lettered or not. Returns its previous value.
fn damage(place: &Place, touches: Option<Value>) -> Value {
    let table = TableName::new("Staff").unwrap();
    let rows = block_on(place.store().query(&table, table_store::Query::default())).unwrap().rows;
    let row = rows.iter().find(|row| row.row_key.unwrap().starts_with('!')).unwrap();
    let said = row.properties.to_properties().get("_tt0").cloned().unwrap();
    let mut properties = Properties::new();
    properties.set("_tt0", touches.unwrap_or(Value::Binary(vec![9])));
    let (partition_key, row_key) = (row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned());
    let merge = Operation::Merge(Entity { partition_key, row_key, properties }, Condition::Exists);
    block_on(place.store().execute(&table, &merge)).unwrap();
    said
}

//! A large number of wake-up messages, counted in requests.

use pollster::block_on;
use table_store::{
    QueueService,
    queue::{PutMessage, QueueName, TimeToLive},
};
use table_tests::counting::{Calls, QueueCalls};

use super::place::{Place, staff};

/// `BACKLOG=100000` for more.
fn backlog() -> u64 {
    std::env::var("BACKLOG").ok().and_then(|text| text.parse().ok()).unwrap_or(5_000)
}

#[test]
fn a_backlog_takes_a_request_for_32_hints_and_a_look_and_a_deletion_for_each() {
    let hints = backlog();
    let place = Place::new();
    let queue = QueueName::new("tables-outbox").unwrap();
    for number in 0..hints {
        let text = format!(
            r#"{{"version":1,"entity":"Staff","table":"Staff","partition_key":"p{number}","token":"{number}","until":"1970-01-01T00:04:00Z"}}"#
        );
        let message = PutMessage::new(text).time_to_live(TimeToLive::Forever);
        block_on(place.store().put_message(&queue, message)).unwrap();
    }
    place.tables.with_deferred_updates().blocking().insert(&staff("p7", 1, 7)).unwrap();
    // All deadlines have passed.
    place.pass(600);
    place.take();
    let pass = block_on(place.tables.catch_up()).unwrap();
    assert_eq!((pass.followed, pass.left), (1, 0));
    let (calls, queues) = place.take();
    // One of the partitions has two messages; if a record was found, a second query checks that no record is left.
    assert_eq!(calls, Calls { queries: hints + 2, finds: 2, writes: 3, ..Calls::default() });
    let gets = (hints + 1).div_ceil(32);
    assert_eq!(queues, QueueCalls { queues: 1, gets, deletes: hints + 1, ..QueueCalls::default() });
    assert_eq!(place.messages("tables-outbox"), 0);
}

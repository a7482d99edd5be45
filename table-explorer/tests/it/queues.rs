//! Pages of queues, and what is wrong at a place.

use table_model::{
    Entity, Metadata, QueueService, TableService,
    queue::{PutMessage, QueueName},
};
use table_store::Store;

use crate::{client::Served, store, table};

/// Creates a queue with messages.
fn put(store: &Store, queue: &str, messages: &[&str]) -> QueueName {
    let queue: QueueName = queue.parse().unwrap();
    pollster::block_on(async {
        store.create_queue(&queue, Metadata::new()).await.unwrap();
        for message in messages {
            store.put_message(&queue, PutMessage::new(*message)).await.unwrap();
        }
    });
    queue
}

#[test]
fn messages_are_peeked_and_readable() {
    let store = store([]);
    let long = "x".repeat(5_000);
    let messages = ["{\"a\":9007199254740993}", "aGVsbG8=", "<script>alert(1)</script>", &long];
    let queue = put(&store, "jobs", &messages);
    let served = Served::read_only(&store);
    let page = served.get("/q/jobs");
    page.is(200)
        .has("≈ 4 messages")
        .has("4 visible messages, peeked in 2 requests")
        .has("JSON")
        .has("9007199254740993")
        .has("text in Base64")
        .has("<bdi>hello</bdi>")
        .has("&lt;script&gt;")
        .lacks("<script>")
        .lacks(&long);
    let whole = page.text.split("/q/jobs?message=").nth(1).unwrap().split('"').next().unwrap();
    served.get(&format!("/q/jobs?message={whole}")).is(200).has(&long).lacks("hello");
    served.get("/q/jobs?message=x").is(404).has("no longer visible");
    for path in ["/q/other", "/q/A"] {
        served.get(path).is(404);
    }
    let peeked = pollster::block_on(store.peek_messages(&queue, 4)).unwrap();
    assert!(peeked.iter().all(|message| message.dequeue_count == 0), "none was received");
}

#[test]
fn a_poison_message_has_its_reason_and_its_row() {
    let store = store([]);
    let hint = "{\\\"version\\\":1,\\\"entity\\\":\\\"Employee\\\",\\\"table\\\":\\\"Employees\\\",\\\"partition_key\\\":\\\"Sales\\\",\
                \\\"token\\\":\\\"01J0\\\",\\\"until\\\":\\\"1970-01-01T00:04:00Z\\\",\\\"holds\\\":240}";
    let message = format!(
        "{{\"reason\":\"no <b> such index\",\"queue\":\"tables-outbox\",\"dequeued\":5,\
         \"at\":\"2026-01-01T00:00:00Z\",\"message\":\"{hint}\"}}"
    );
    put(&store, "tables-outbox-poison", &[&message]);
    put(&store, "empty-poison", &[]);
    let served = Served::read_only(&store);
    served
        .get("/q/tables-outbox-poison")
        .is(200)
        .has("no &lt;b&gt; such index")
        .has("received 5 times")
        .has("href=\"/t/Employees/e?pk=Sales&amp;rk=%21o_01J0\"")
        .has("href=\"/q/tables-outbox\"")
        .has("retry_dead_letters")
        .has("<bdi>tables-outbox-poison</bdi><span class=\"error\">1</span>");
    let home = served.get("/");
    home.has("What is wrong now")
        .has("1 message in <a href=\"/q/tables-outbox-poison\">")
        .lacks("in <a href=\"/q/empty-poison\">");
    assert!(home.text.find("What is wrong now") < home.text.find("<h2>Tables</h2></header>"), "it is first");
}

#[test]
fn follow_ups_that_failed_are_wrong_and_pending_ones_are_not() {
    let store = store([]);
    let served = Served::read_only(&store);
    served.get("/").has("Nothing is wrong").has("checked: messages of 0 queues, follow-ups, damage");
    let record = |key: &str| Entity::new("Sales", key).with("_k", "c");
    let write = |entity| {
        let insert = table_model::Operation::Insert(entity);
        pollster::block_on(store.execute(&table(), &insert)).unwrap();
    };
    write(record("!o_01"));
    served.get("/").has("Nothing is wrong").has("1 pending follow-up.").has("rk=%21o_01");
    write(record("!x_02"));
    served.get("/").has("What is wrong now").has("1 parked follow-up.").has("rk=%21x_02");
}

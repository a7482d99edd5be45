//! Follow-ups: their ages and reasons, and the retry of parked ones.

use table_designs::schema::Schema;
use table_explorer::{Explorer, Place};
use table_model::{Entity, TableService, Timestamp, outbox::OutboxKind};
use table_store::Store;

use crate::{client::Served, service::Remote, store};

const PAGE: &str = "/design/follow-ups";

/// Returns a store with a pending record and a parked one, as writers and workers leave them.
fn outbox() -> Store {
    let record = |key: &str| Entity::new("Sales", key).with("_k", "c");
    let ago = Timestamp::now().saturating_sub(std::time::Duration::from_secs(7_205));
    store([
        record("!o_01").with("_at", ago).with("_tries", 3).with("_err", "no table <Badges>"),
        record("!x_02").with("_tries", 9).with("_err", "the index is full"),
    ])
}

fn listed(store: &Store, kind: OutboxKind) -> Vec<String> {
    let rows = pollster::block_on(store.list_outbox(kind, None, 10)).unwrap();
    rows.into_iter().map(|row| row.row_key).collect()
}

#[test]
fn records_are_shown_with_age_tries_and_reason() {
    let served = Served::read_only(&outbox());
    let page = served.get(PAGE);
    page.is(200)
        .has("!o_01")
        .has("<td class=\"n\">2 h</td><td class=\"n\">3</td>")
        .has("no table &lt;Badges&gt;");
    page.has("!x_02").has("the index is full").has("Employees").lacks("method=\"post\"");
    served.get("/").has("1 parked follow-up").has("href=\"/design/follow-ups\"");
}

#[test]
fn a_record_that_is_older_than_the_design_expects_is_late() {
    let schema = Schema::default();
    let late = Served::start(Explorer::new(Place::of_store("a", outbox())).design(schema.clone())).get(PAGE);
    late.is(200).has("1 late").has("2 h, late").has("applied within");
    let mut patient = schema;
    patient.targets.lag = 9_000.0;
    Served::start(Explorer::new(Place::of_store("a", outbox())).design(patient))
        .get(PAGE)
        .is(200)
        .lacks("late");
}

#[test]
fn parked_records_are_retried() {
    let store = outbox();
    let served = Served::writable(&store);
    let reply = served.submit(&served.get(PAGE), "follow-ups", |_| ());
    assert_eq!((reply.status, reply.header("location")), (303, Some(PAGE)));
    assert_eq!(listed(&store, OutboxKind::DeadLetters), Vec::<String>::new());
    assert_eq!(listed(&store, OutboxKind::Commits), ["!o_01", "!o_02"]);
    served.get(PAGE).has("1 follow-up is pending again").lacks("Retry all").lacks("the index is full");
}

#[test]
fn a_read_only_explorer_retries_nothing() {
    let store = outbox();
    let served = Served::start(Explorer::new(Place::of_store("company.tables", store.clone())));
    served.post(PAGE, &[]).is(403);
    assert_eq!(listed(&store, OutboxKind::DeadLetters), ["!x_02"]);
}

#[test]
fn a_service_without_a_list_of_records_is_said_so() {
    Remote::new(&outbox())
        .serve()
        .get(PAGE)
        .is(200)
        .has("This service cannot list commit records")
        .lacks("!o_01");
}

//! The spans of operations: one for each, without keys and values.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, Once},
};

use futures_util::TryStreamExt;
use table_patterns::{
    prelude::*,
    testing::{Faults, TestTables},
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Pilots", partition = "{base}", row = "{id:04}")]
#[table(index(by_name, row = "n_{name}_{id:04}"))]
struct Pilot {
    base: String,
    id: u32,
    name: String,
}

/// The index is in other partitions than the entities.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Pilots", partition = "{base}", row = "l_{id:04}")]
#[table(index(by_badge, partition = "badge_{badge:08}", row = "{base}_{id:04}", copy()))]
struct Licensed {
    base: String,
    id: u32,
    badge: u32,
}

fn licensed(id: u32) -> Licensed {
    Licensed { base: "canary-base".into(), id, badge: 7 }
}

fn pilot(id: u32) -> Pilot {
    Pilot { base: "canary-base".into(), id, name: format!("canary-name-{id}") }
}

type Fields = BTreeMap<String, String>;

/// The spans in the order of their starts.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<(&'static str, Fields)>>>);

/// The field with the name of a linked span.
const LINK: &str = "link";

struct Into<'f>(&'f mut Fields);

impl Visit for Into<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").replace('"', ""));
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span()
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        attributes.record(&mut Into(&mut fields));
        let mut spans = self.0.lock().unwrap();
        spans.push((attributes.metadata().name(), fields));
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let at = usize::try_from(span.into_u64()).unwrap() - 1;
        values.record(&mut Into(&mut self.0.lock().unwrap()[at].1));
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        let mut spans = self.0.lock().unwrap();
        let [span, follows] = [span, follows].map(|id| usize::try_from(id.into_u64()).unwrap() - 1);
        let name = spans[follows].0.to_owned();
        spans[span].1.insert(LINK.to_owned(), name);
    }

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Creates a span of each kind. While there is one subscriber, `tracing` asks the current thread whether anything records a
/// span that is new to it, and keeps the answer: that of a test without a subscriber would be no, for all threads. So there
/// is a second one, which is never dropped.
fn register_spans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::mem::forget(tracing::Dispatch::new(Spans::default()));
        let tables = Tables::in_memory().unwrap();
        tables.blocking().insert(&pilot(0)).unwrap();
        tables.blocking().insert(&licensed(0)).unwrap();
        pollster::block_on(Pilot::rows("canary-base").all(&tables)).unwrap();
    });
}

/// Returns the spans of an operation.
fn spans<T>(operation: impl Future<Output = T>) -> Vec<(&'static str, Fields)> {
    register_spans();
    let spans = Spans::default();
    tracing::subscriber::with_default(spans.clone(), || pollster::block_on(operation));
    let spans = std::mem::take(&mut *spans.0.lock().unwrap());
    for (name, fields) in &spans {
        assert!(!format!("{fields:?}").contains("canary"), "{name}: {fields:?}");
        assert_eq!(
            (fields["db.system.name"].as_str(), fields["otel.kind"].as_str()),
            ("azure.tables", if *name == "follow" { "internal" } else { "client" })
        );
        assert_eq!(fields["db.collection.name"], "Pilots");
    }
    spans
}

/// Returns the fields of the only span.
fn one<T>(name: &str, operation: impl Future<Output = T>) -> Fields {
    let mut spans = spans(operation);
    assert_eq!(spans.len(), 1, "{spans:?}");
    let (found, fields) = spans.remove(0);
    assert_eq!(found, name);
    fields
}

fn contains(fields: &Fields, expected: &[(&str, &str)]) {
    for (name, value) in expected {
        assert_eq!(fields.get(*name).map(String::as_str), Some(*value), "{name} in {fields:?}");
    }
}

#[test]
fn each_query_has_one_span_with_its_cost() {
    let tables = Tables::in_memory().unwrap();
    let all: Vec<_> = (0..25).map(pilot).collect();
    pollster::block_on(tables.bulk().insert_all(&all).run()).unwrap().into_result().unwrap();
    let rows = Pilot::rows("canary-base").page_size(10);
    let page = one("query", rows.page(&tables));
    contains(
        &page,
        &[
            ("db.operation.name", "QueryEntities"),
            ("tables.entity", "Pilot"),
            ("tables.class", "row-range"),
            ("tables.requests", "1"),
            ("tables.read", "10"),
            ("tables.returned", "10"),
        ],
    );
    let stream = one("query", rows.stream(&tables).try_collect::<Vec<_>>());
    contains(&stream, &[("tables.requests", "3"), ("tables.returned", "25")]);
    let found = one("query", Pilot::point("canary-base", 1).get(&tables));
    contains(&found, &[("tables.class", "point"), ("tables.returned", "1")]);
    let missing = one("query", Pilot::point("canary-base", 99).get(&tables));
    contains(&missing, &[("tables.returned", "0")]);
}

#[test]
fn each_write_has_one_span_with_its_result() {
    let faults = Faults::new();
    let tables = TestTables::new().faults(&faults).open().unwrap();
    let inserted = one("write", tables.insert(&pilot(1)));
    contains(
        &inserted,
        &[("db.operation.name", "InsertEntity"), ("tables.entity", "Pilot"), ("tables.outcome", "settled")],
    );
    assert!(!inserted.contains_key("error.type") && !inserted.contains_key("db.operation.batch.size"));
    let again = one("write", tables.insert(&pilot(1)));
    contains(&again, &[("error.type", "EntityAlreadyExists"), ("tables.outcome", "settled")]);

    // It reads the row first. A concurrent writer changes it before the write.
    faults.fail_nth(2, ErrorCode::UpdateConditionNotSatisfied);
    let upserted = one("write", tables.upsert(&pilot(1)));
    contains(&upserted, &[("db.operation.name", "InsertOrReplaceEntity"), ("tables.attempts", "2")]);

    let transaction = tables.transact().insert(&pilot(2)).insert(&pilot(3));
    let sent = one("write", transaction.commit());
    contains(&sent, &[("db.operation.name", "EntityGroupTransaction"), ("db.operation.batch.size", "2")]);

    let deleted = one("write", tables.delete(Pilot::point("canary-base", 2)));
    contains(&deleted, &[("db.operation.name", "DeleteEntity")]);
}

#[test]
fn an_unknown_outcome_is_recorded() {
    let faults = Faults::new();
    let tables = TestTables::new().faults(&faults).open().unwrap();
    pollster::block_on(tables.insert(&pilot(1))).unwrap();
    let entity = DynamicEntity::new("Pilots", "canary-base", "canary-row").unwrap();
    faults.lose_nth(1);
    let lost = one("write", tables.overwrite(&entity));
    contains(&lost, &[("tables.outcome", "unknown")]);
    assert!(lost.contains_key("error.type"), "{lost:?}");
}

#[test]
fn a_commit_record_has_a_span_with_the_token_of_its_write() {
    let tables = Tables::in_memory().unwrap();
    let [(write, written), (follow, followed)] = &*spans(tables.insert(&licensed(1))) else { panic!() };
    assert_eq!((*write, *follow), ("write", "follow"));
    let tx = written["tables.tx"].as_str();
    assert_eq!(tx.len(), 26);
    contains(
        followed,
        &[
            ("otel.name", "follow by_badge"),
            ("tables.index", "by_badge"),
            ("tables.tx", tx),
            ("tables.tries", "0"),
            ("tables.outcome", "settled"),
            (LINK, "write"),
        ],
    );
    // A worker knows the token and the time of the commit.
    let deferred = tables.with_deferred_updates();
    let written = one("write", deferred.insert(&licensed(2)));
    let followed = one("follow", deferred.catch_up());
    contains(&followed, &[("tables.tx", &written["tables.tx"]), ("tables.outcome", "settled")]);
    assert!(followed.contains_key("tables.age_seconds") && !followed.contains_key(LINK), "{followed:?}");
    // Without rows in other partitions, there is no record.
    assert!(!one("write", deferred.insert(&pilot(1))).contains_key("tables.tx"));
}

//! Spans and lines of requests: the trace of the caller, the time of each stage, and slow requests.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use std::{collections::BTreeSet, time::Duration};

use serde_json::Value;
use table_model::{Entity, Operation};
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    server::{
        Limits, ServedAccount, Server, SlowLog, SlowRequests,
        telemetry::{REQUEST_FIELDS, SLOW_FIELDS},
    },
};
use table_store::{OpenOptions, Store};

use crate::{
    hostile::site::{Answer, Site},
    lines::Lines,
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";
const JSON: &str = "Accept: application/json\r\nContent-Type: application/json\r\n";

fn text<'v>(fields: &'v Value, name: &str) -> Option<&'v str> {
    fields.get(name)?.as_str()
}

/// Starts a server whose table has entities in two partitions. Keys and values contain `canary`.
async fn site(slow: SlowLog) -> Site {
    site_that_keeps(slow, SlowRequests::default()).await
}

async fn site_that_keeps(slow: SlowLog, kept: SlowRequests) -> Site {
    let store: Store = OpenOptions::new().in_memory().unwrap();
    let people = "people".parse().unwrap();
    let blocking = store.clone().blocking();
    blocking.create_table(&people).unwrap();
    for (row, partition) in (1..).zip(["canaryP", "canaryP", "canaryQ", "canaryQ"]) {
        let row = format!("canary{row}");
        let entity = Entity::new(partition, row).with("Text", "canary-value").with("Age", 7);
        blocking.execute(&people, Operation::Insert(entity)).unwrap();
    }
    let account = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], store);
    // A body that does not arrive is not waited for after the response.
    let limits = Limits { unwanted_bytes: 0, ..Limits::default() };
    let server = Server::builder().limits(limits).slow_log(slow).slow_requests(kept);
    Site::running(server.account(account)).await
}

async fn send(site: &Site, method: &str, path: &str, lines: &str, body: &str) -> Answer {
    let lines = format!("{JSON}{lines}Content-Length: {}\r\nConnection: close\r\n", body.len());
    let head = Site::head(ServiceKind::Table, method, path, &lines);
    let mut answers = site.say(ServiceKind::Table, &format!("{head}\r\n{body}")).await;
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

const QUERY: &str =
    "/people()?$filter=PartitionKey%20eq%20%27canaryP%27%20and%20Text%20eq%20%27canary-value%27";
const INSERT: &str = r#"{"PartitionKey":"canaryN","RowKey":"canary","Text":"canary-value"}"#;

#[tokio::test]
async fn requests_belong_to_the_trace_of_their_caller() {
    let site = site(SlowLog::default()).await;
    let (lines, _guard) = Lines::capture_spans();
    let trace = format!("traceparent: 00-{TRACE}-{PARENT}-01\r\ntracestate: a=1\r\ntracestate: b=2\r\n");
    let answer = send(&site, "GET", QUERY, &trace, "").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let span = lines.span();
    assert_eq!(text(&span, "trace_id"), Some(TRACE));
    assert_eq!(text(&span, "parent_id"), Some(PARENT));
    assert_eq!((text(&span, "trace_flags"), text(&span, "trace_state")), (Some("01"), Some("a=1,b=2")));
    // The response has the ID of the server.
    assert_eq!(text(&span, "id"), answer.header("x-ms-request-id"));
    assert_eq!(answer.header("traceparent"), None);

    lines.clear();
    let headers = format!("{JSON}{trace}Connection: close\r\n");
    let head = Site::head(ServiceKind::Table, "GET", "/people", &headers).replace("GET", "DELETE");
    let [answer] = &*site.say(ServiceKind::Table, &format!("{head}\r\n")).await else { panic!("no answer") };
    assert_eq!(answer.status, 403);
    let [line] = &*lines.with_message("request not permitted") else { panic!("{}", lines.text()) };
    assert_eq!(text(line, "trace_id"), Some(TRACE));

    for invalid in [
        format!("traceparent: 00-{TRACE}-{PARENT}-01-x\r\ntracestate: a=1\r\n"),
        format!("traceparent: 00-{}-{PARENT}-01\r\n", "0".repeat(32)),
        format!("traceparent: 00-{TRACE}-{PARENT}-01\r\ntraceparent: 00-{TRACE}-{PARENT}-01\r\n"),
    ] {
        lines.clear();
        assert_eq!(send(&site, "GET", QUERY, &invalid, "").await.status, 200, "{invalid}");
        let span = lines.span();
        for name in ["trace_id", "parent_id", "trace_flags", "trace_state"] {
            assert_eq!(span.get(name), None, "{invalid}");
        }
    }
}

#[tokio::test]
async fn spans_have_names_of_opentelemetry_and_the_time_of_each_stage() {
    let site = site(SlowLog::default()).await;
    let (lines, _guard) = Lines::capture_spans();
    send(&site, "GET", QUERY, "", "").await;
    let span = lines.span();
    for (name, value) in [
        ("db.system.name", "azure.tables"),
        ("db.namespace", "devstoreaccount1"),
        ("db.collection.name", "people"),
        ("db.operation.name", "QueryEntities"),
        ("db.response.status_code", "200"),
        ("http.request.method", "GET"),
        ("http.response.status_code", "200"),
        ("server.address", "127.0.0.1"),
        ("tables.class", "partition-scan"),
        ("tables.ranges", "1"),
        ("tables.read", "2"),
        ("tables.returned", "2"),
    ] {
        let found = span.get(name).map(|found| found.to_string().replace('"', ""));
        assert_eq!(found.as_deref(), Some(value), "{name} in {span}");
    }
    let stages = |span: &Value| -> BTreeSet<String> {
        let names = span.as_object().unwrap().keys();
        names.filter_map(|name| name.strip_suffix("_micros").map(str::to_owned)).collect()
    };
    assert_eq!(stages(&span), BTreeSet::from(["auth", "plan", "queue", "read"].map(str::to_owned)));
    assert_eq!(span.get("error.type"), None);

    lines.clear();
    assert_eq!(send(&site, "POST", "/people", "", INSERT).await.status, 201);
    assert_eq!(stages(&lines.span()), BTreeSet::from(["auth", "commit_wait"].map(str::to_owned)));

    lines.clear();
    assert_eq!(send(&site, "POST", "/people", "", INSERT).await.status, 409);
    let span = lines.span();
    assert_eq!(text(&span, "error.type"), Some("EntityAlreadyExists"));
    for name in span.as_object().unwrap().keys().filter(|name| *name != "name") {
        assert!(REQUEST_FIELDS.contains(&&**name), "{name}");
    }
    assert!(!lines.text().contains("canary"), "{}", lines.text());
}

#[tokio::test]
async fn slow_requests_have_one_line_without_stored_data() {
    let none = Duration::from_secs(3600);
    let site = site(SlowLog { time: Some(none), read: Some(1) }).await;
    let (lines, _guard) = Lines::capture_spans();
    // One entity is not more than the limit.
    send(&site, "GET", "/people(PartitionKey='canaryP',RowKey='canary1')", "", "").await;
    assert_eq!(lines.with_message("slow request"), Vec::<Value>::new());
    let trace = format!("traceparent: 00-{TRACE}-{PARENT}-01\r\n");
    let answer = send(&site, "GET", QUERY, &trace, "").await;
    let [line] = &*lines.with_message("slow request") else { panic!("{}", lines.text()) };
    assert_eq!(text(line, "id"), answer.header("x-ms-request-id"));
    let length = answer.body.len().to_string();
    for (name, value) in [
        ("trace_id", TRACE),
        ("operation", "QueryEntities"),
        ("table", "people"),
        ("class", "partition-scan"),
        ("ranges", "1"),
        ("filter", "Text eq ?"),
        ("read", "2"),
        ("returned", "2"),
        ("status", "200"),
        ("bytes", &length),
    ] {
        let found = line.get(name).map(|found| found.to_string().replace('"', ""));
        assert_eq!(found.as_deref(), Some(value), "{name} in {line}");
    }
    let partition = text(line, "partition").unwrap().to_owned();
    assert_eq!(partition.len(), 16);
    lines.clear();
    // Another query of the partition has the same hash, and one of another partition has another one.
    for (key, is_same) in [("canaryP", true), ("canaryQ", false)] {
        // A scan has none.
        assert_eq!(send(&site, "GET", "/people", "", "").await.status, 200);
        let path = format!("/people()?$filter=PartitionKey%20eq%20%27{key}%27%20and%20Age%20ge%201");
        send(&site, "GET", &path, "", "").await;
        let found = lines.with_message("slow request");
        assert_eq!(found.len(), 2, "{found:?}");
        let hashes: Vec<_> = found.iter().filter_map(|line| text(line, "partition")).collect();
        assert_eq!(hashes == [partition.as_str()], is_same, "{found:?}");
        lines.clear();
    }
}

#[tokio::test]
async fn slow_writes_and_failures_are_logged_and_kept_without_stored_data() {
    let kept = SlowRequests::default();
    let site = site_that_keeps(SlowLog { time: Some(Duration::ZERO), read: None }, kept.clone()).await;
    let (lines, _guard) = Lines::capture_spans();
    let mut seen = BTreeSet::new();
    let insert = send(&site, "POST", "/people", "", INSERT).await;
    let merge = send(&site, "MERGE", "/people(PartitionKey='canaryN',RowKey='canary')", "", INSERT).await;
    let exists = send(&site, "POST", "/people", "", INSERT).await;
    let invalid = send(&site, "GET", "/people()?$filter=Text%20eq%20canary-value", "", "").await;
    let statuses = [insert.status, merge.status, exists.status, invalid.status];
    assert_eq!(statuses, [201, 204, 409, 400]);
    let found = lines.with_message("slow request");
    let shown: Vec<_> = found.iter().map(|line| (text(line, "operation"), text(line, "code"))).collect();
    assert_eq!(
        shown,
        [
            (Some("InsertEntity"), None),
            (Some("InsertOrMergeEntity"), None),
            (Some("InsertEntity"), Some("EntityAlreadyExists")),
            (Some("QueryEntities"), Some("InvalidInput")),
        ]
    );
    // The partition of an insert is in its body.
    let [first, second, ..] = &*found else { panic!("{found:?}") };
    assert!(text(first, "partition").is_some());
    assert_eq!(text(first, "partition"), text(second, "partition"));
    for line in &found {
        seen.extend(line.as_object().unwrap().keys().filter(|name| *name != "message").cloned());
    }
    // The server keeps the same requests, the newest first.
    let kept = serde_json::to_value(&kept).unwrap();
    for (request, line) in kept.as_array().unwrap().iter().rev().zip(&found) {
        let (mut request, mut line) = (request.clone(), line.clone());
        assert!(request.as_object_mut().unwrap().remove("time").is_some(), "{request}");
        line.as_object_mut().unwrap().remove("message");
        assert_eq!(request, line);
    }
    assert_eq!(kept.as_array().unwrap().len(), found.len());
    for name in &seen {
        assert!(SLOW_FIELDS.contains(&&**name), "{name}");
    }
    assert!(!lines.text().contains("canary"), "{}", lines.text());
}

#[tokio::test]
async fn requests_whose_time_expires_have_an_operation() {
    let site = site(SlowLog { time: Some(Duration::ZERO), read: None }).await;
    let (lines, _guard) = Lines::capture_spans();
    let headers = format!("{JSON}Content-Length: 100\r\n");
    let head = Site::head(ServiceKind::Table, "POST", "/people?timeout=1", &headers);
    let answers = site.say(ServiceKind::Table, &format!("{head}\r\n{{")).await;
    assert!(matches!(&*answers, [one] if one.status == 500), "{answers:?}");
    for message in ["request not served", "slow request"] {
        let [line] = &*lines.with_message(message) else { panic!("{}", lines.text()) };
        assert_eq!(text(line, "operation"), Some("InsertEntity"), "{line}");
        assert_eq!(text(line, "code"), Some("OperationTimedOut"), "{line}");
    }
}

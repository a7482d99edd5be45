//! Metrics and lines of the server, compared with the book and the board.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_json::Value;
use table_store::{Entity, Metadata, Operation, Store, queue::PutMessage};

use super::{
    COMPANY, SECRET,
    client::{self, Client},
    process::Running,
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// Metrics that appear after an event for which no test waits.
const LATE: [&str; 1] = ["tables_last_scrub_timestamp_seconds"];

#[derive(Debug, Default, PartialEq, Eq)]
struct Metric {
    kind: String,
    labels: BTreeSet<String>,
    help: String,
}

fn repository(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

/// Returns the metrics that the book lists.
fn documented() -> BTreeMap<String, Metric> {
    let page = repository("docs/guide/observability.md");
    let (_, table) = page.split_once("\n## Metrics\n").unwrap();
    let (table, _) = table.split_once("\n#").unwrap();
    let quoted =
        |cell: &str| -> BTreeSet<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let [name, kind, labels, help] =
            row.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>().try_into().unwrap();
        let metric = Metric { kind: kind.to_owned(), labels: quoted(labels), help: help.to_owned() };
        (name.trim_matches('`').to_owned(), metric)
    })
    .collect()
}

/// Returns the metrics of a page.
fn shown(page: &str) -> BTreeMap<String, Metric> {
    let mut metrics: BTreeMap<String, Metric> = BTreeMap::new();
    for line in page.lines().filter_map(|line| line.strip_prefix("# ")) {
        let (what, rest) = line.split_once(' ').unwrap();
        let (name, value) = rest.split_once(' ').unwrap();
        let metric = metrics.entry(name.to_owned()).or_default();
        let field = if what == "HELP" { &mut metric.help } else { &mut metric.kind };
        value.clone_into(field);
    }
    for line in page.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (series, _) = line.rsplit_once(' ').unwrap();
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        let metric = metrics.get_mut(family(name)).unwrap();
        let labels = labels.trim_end_matches('}').split(',').filter_map(|label| label.split_once('='));
        metric.labels.extend(labels.map(|(label, _)| label.to_owned()).filter(|label| label != "le"));
    }
    metrics
}

/// Returns the name of a metric without the suffix of a part of a histogram.
fn family(name: &str) -> &str {
    ["_bucket", "_sum", "_count"].into_iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name)
}

/// Fills a store with two pending follow-ups, a parked one, and a message that no worker could process.
fn fill(path: &Path) {
    let store = Store::open(path).unwrap().blocking();
    let table = "derived".parse().unwrap();
    store.create_table(&table).unwrap();
    for row in ["!o_01", "!o_02", "!x_01"] {
        let record = Entity::new("canary", row).with("_k", "c");
        store.execute(&table, Operation::Insert(record)).unwrap();
    }
    for queue in ["letters", "letters-poison"] {
        let queue = queue.parse().unwrap();
        store.create_queue(&queue, Metadata::new()).unwrap();
        store.put_message(&queue, PutMessage::new("canary")).unwrap();
    }
    store.close().unwrap();
}

/// Returns the metrics of a server after requests of each kind.
fn page() -> String {
    let directory = tempfile::tempdir().unwrap();
    fill(&directory.path().join("company.tables"));
    let data = directory.path().to_str().unwrap();
    let running = Running::start(&["--data", data, "--account", COMPANY, "--metrics-port", "0"]);
    let mut client = Client::of(&running, "company", SECRET);
    client.create_table("People");
    client.insert("people", "canary", "1");
    assert!(client.has("PEOPLE", "canary", "1"));
    assert!(!client.has("missing", "canary", "1"));
    assert_eq!(
        Client::of(&running, "company", "d3Jvbmcta2V5").try_insert("stranger", "canary", "1"),
        Some(403)
    );
    assert_eq!(Client::of(&running, "nobody", SECRET).try_insert("stranger", "canary", "1"), Some(403));
    let response = client::page(running.word("metrics"));
    response.split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[test]
fn the_book_lists_the_metrics_of_the_server() {
    let page = page();
    let (mut documented, shown) = (documented(), shown(&page));
    for late in LATE {
        assert!(documented.contains_key(late));
        if !shown.contains_key(late) {
            documented.remove(late);
        }
    }
    // Only Linux has `/proc`.
    documented.retain(|name, _| cfg!(target_os = "linux") || !name.starts_with("process_"));
    assert_eq!(shown, documented);

    let counted = |name: &str, labels: &[&str], value: &str| {
        page.lines().any(|line| {
            line.starts_with(name)
                && labels.iter().all(|label| line.contains(label))
                && line.ends_with(&format!(" {value}"))
        })
    };
    let insert = ["account=\"company\"", "table=\"people\"", "operation=\"InsertEntity\"", "status=\"204\""];
    assert!(counted("tables_requests_total", &insert, "1"), "{page}");
    assert!(counted("tables_entities_read_total", &["table=\"people\"", "class=\"point\""], "1"), "{page}");
    let missing = ["table=\"other\"", "operation=\"QueryEntity\"", "status=\"404\""];
    assert!(counted("tables_requests_total", &missing, "1"), "{page}");
    let nobody = ["account=\"other\"", "table=\"none\"", "status=\"403\""];
    assert!(counted("tables_requests_total", &nobody, "1"), "{page}");
    assert!(counted("tables_refused_total", &["reason=\"AuthenticationFailed\""], "2"), "{page}");
    assert!(counted("tables_commit_operations_sum", &["account=\"company\""], "2"), "{page}");
    for (name, count) in
        [("tables_followups_pending", "2"), ("tables_followups_parked", "1"), ("tables_poison_messages", "1")]
    {
        assert!(counted(name, &["account=\"company\""], count), "{name}: {page}");
    }
    let oldest = |line: &str| line.starts_with("tables_followup_oldest_seconds{") && !line.ends_with(" 0");
    assert!(page.lines().any(oldest), "{page}");
    // One entity was written and read. Another request read the oldest record.
    let hottest = ["account=\"company\"", "rank=\"1\""];
    assert!(counted("tables_hot_partition_entities", &hottest, "2"), "{page}");
    // Names come from authenticated requests only, and no partition is a label.
    for secret in ["stranger", "nobody", "canary", "missing", SECRET] {
        assert!(!page.contains(secret), "{secret} in {page}");
    }
}

/// Returns the names of metrics in an expression.
fn names(expression: &str) -> impl Iterator<Item = &str> {
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("tables_") || word.starts_with("process_"))
}

#[test]
fn the_board_shows_metrics_that_exist() {
    let shown = shown(&page());
    let board: Value = serde_json::from_str(&repository("deploy/grafana.json")).unwrap();
    let mut found = BTreeSet::new();
    let panels = board.get("panels").unwrap().as_array().unwrap();
    for target in panels.iter().flat_map(|panel| panel.get("targets").unwrap().as_array().unwrap()) {
        let expression = target.get("expr").unwrap().as_str().unwrap();
        assert!(names(expression).next().is_some(), "{expression}");
        found.extend(names(expression).map(|name| family(name).to_owned()));
    }
    for name in &found {
        assert!(shown.contains_key(name) || LATE.contains(&&**name), "{name}");
    }
    let missing: Vec<_> = shown.keys().filter(|name| !found.contains(*name)).collect();
    assert!(missing.is_empty(), "no panel shows {missing:?}");
}

/// Returns a JSON document of the port of the metrics.
fn document(running: &Running, path: &str) -> Value {
    let response = client::page(&running.word("metrics").replace("/metrics", path));
    assert!(response.contains("content-type: application/json"), "{response}");
    serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn slow_requests_and_hot_partitions_are_documents() {
    for (keys, has_keys) in [("hashed", false), ("clear", true), ("off", false)] {
        let options = ["--in-memory", "--metrics-port", "0", "--slow-read", "1", "--hot-keys", keys];
        let running = Running::start(&options);
        let mut client = Client::new(&running).traced(&format!("00-{TRACE}-00f067aa0ba902b7-01"));
        client.create_table("people");
        for (partition, row) in [("canary", "1"), ("canary", "2"), ("other", "1")] {
            client.insert("people", partition, row);
        }
        assert_eq!(client.query("people"), 200);

        let slow = document(&running, "/slow-requests");
        let [request] = &**slow.as_array().unwrap() else { panic!("{slow}") };
        let expected = [("operation", "QueryEntities"), ("table", "people"), ("trace_id", TRACE)];
        for (field, value) in expected {
            assert_eq!(request[field], value, "{slow}");
        }
        assert_eq!((&request["read"], &request["status"]), (&3.into(), &200.into()), "{slow}");

        let hot = document(&running, "/hot-partitions");
        if keys == "off" {
            assert_eq!(hot, Value::Array(Vec::new()));
            continue;
        }
        assert_eq!(hot.to_string().contains("canary"), has_keys, "{hot}");
        assert_eq!(hot[0]["account"], "devstoreaccount1");
        for (window, minutes) in [(0, 1), (1, 5)] {
            let window = &hot[0]["windows"][window];
            assert_eq!(window["minutes"], minutes, "{hot}");
            // A minute can end during the test.
            if minutes == 5 {
                assert_eq!(window["entities"], 6, "{hot}");
                let hottest = &window["partitions"][0];
                assert_eq!((&hottest["table"], &hottest["entities"]), (&"people".into(), &4.into()), "{hot}");
                assert_eq!(hottest["overestimate"], 0, "{hot}");
            }
        }
    }
}

/// Returns the names and fields of the spans of the store that the book lists.
fn documented_spans() -> BTreeMap<String, BTreeSet<String>> {
    let page = repository("docs/guide/observability.md");
    let (_, section) = page.split_once("\n### In the store\n").unwrap();
    let (section, _) = section.split_once("\n#").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let names = |row: &str| row.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    rows.map(|row| {
        let names = names(row);
        let (name, fields) = names.split_first().unwrap();
        (name.clone(), fields.iter().cloned().collect())
    })
    .collect()
}

#[test]
fn the_book_lists_the_spans_of_the_store() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    let options = ["--data", data, "--log", "off,table_store=debug", "--log-format", "json"];
    let running = Running::start(&options);
    let mut client = Client::new(&running);
    client.create_table("canary");
    client.insert("canary", "canary", "1");
    client.delete_table("canary");
    let documented = documented_spans();
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    let log = running.log();
    assert!(!log.contains("canary"), "{log}");
    for line in log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let span = line.get("span").unwrap().as_object().unwrap();
        let name = span.get("name").unwrap().as_str().unwrap().to_owned();
        found.entry(name).or_default().extend(span.keys().filter(|key| *key != "name").cloned());
    }
    for (name, fields) in &found {
        assert!(documented[name].is_superset(fields), "{name}: {fields:?}");
    }
    for name in ["commit", "sync", "sweep", "scrub"] {
        assert!(found.contains_key(name), "{name}: {log}");
    }
    assert!(found["commit"].contains("tables.operations"), "{log}");
}

/// Returns the log of a server without a limit of time, after a query of two entities.
fn log(arguments: &[&str]) -> String {
    let running = Running::start(&[&["--in-memory"], arguments].concat());
    let mut client = Client::new(&running).traced(&format!("00-{TRACE}-00f067aa0ba902b7-01"));
    client.create_table("people");
    for row in ["1", "2"] {
        client.insert("people", "canary", row);
    }
    assert_eq!(client.query("people"), 200);
    running.log()
}

#[test]
fn slow_requests_are_those_above_a_limit() {
    for (most, lines) in [("0", 0), ("1", 1), ("2", 0)] {
        let log = log(&["--slow-read", most]);
        assert_eq!(log.matches("table_rest::slow: slow request").count(), lines, "{most}: {log}");
        assert_eq!(log.matches(&format!("trace_id=\"{TRACE}\"")).count(), lines, "{most}: {log}");
    }
}

#[test]
fn lines_of_text_omit_the_names_of_opentelemetry() {
    let lines = log(&["--log", "info"]);
    assert_eq!(lines.matches("operation=\"InsertEntity\"").count(), 2, "{lines}");
    assert!(lines.contains("commit_wait_micros=") && lines.contains("time.busy="), "{lines}");
    assert!(!lines.contains("db.namespace"), "{lines}");
    let lines = log(&["--log", "info", "--log-format", "json"]);
    assert!(lines.contains("\"db.namespace\":\"devstoreaccount1\""), "{lines}");
}

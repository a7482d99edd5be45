use serde_json::Value;

use super::{file, tables};

/// Returns the path of a workload of the vectors.
fn workload(name: &str) -> String {
    format!("../workloads/{name}.toml")
}

/// Returns a block of the chapter: the first after a line, without its fences.
fn block(after: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/finding-a-design.md");
    let chapter = std::fs::read_to_string(path).unwrap();
    let (_, rest) = chapter.split_once(after).unwrap();
    let (_, block) = rest.split_once("```").unwrap().1.split_once('\n').unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_example_of_the_book_has_the_result_of_the_book() {
    let example = file(&block("## The workload"));
    let answer = tables(&["design", example.path().to_str().unwrap()]);
    assert_eq!(answer.out, block("tables design tickets.toml -o design.toml\n```\n"));
    let tight = file(&block("## The workload").replace("hottest = 1000", "hottest = 5"));
    let answer = tables(&["design", tight.path().to_str().unwrap()]);
    assert_eq!((answer.code, answer.errors), (1, block("the queries that no key supports:")));
}

#[test]
fn a_design_file_costs_what_the_search_says() {
    let output = tempfile::NamedTempFile::new().unwrap();
    let path = output.path().to_str().unwrap();
    let answer = tables(&["design", &workload("orders"), "-o", path, "--json"]);
    let found: Value = serde_json::from_str(&answer.out).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(found["design"], text.as_str());
    assert!(text.contains("# With an index instead of the scan: +$19"), "{text}");
    let advised = tables(&["advise", path, "--servers", "1", "--json"]);
    assert_eq!(advised.code, 0, "{}", advised.errors);
    let report: Value = serde_json::from_str(&advised.out).unwrap();
    let cost = |value: &Value| value.as_f64().unwrap();
    let (usd, month) = (cost(&found["figures"]["usd"]), cost(&report["costs"]["total"]));
    assert!((usd - month).abs() < 1e-9 * usd, "{usd} for {month}");
}

#[test]
fn a_point_of_the_front_is_a_design() {
    let front: Value = serde_json::from_str(&tables(&["design", &workload("feed"), "--json"]).out).unwrap();
    let point: Value =
        serde_json::from_str(&tables(&["design", &workload("feed"), "--point", "1", "--json"]).out).unwrap();
    assert_eq!(point["figures"], front["front"][0]["figures"]);
    assert_eq!(tables(&["design", &workload("feed"), "--point", "9"]).code, 2);
}

#[test]
fn mistakes_of_a_workload_are_told_at_their_places() {
    let wrong = file(
        "tables = 1\nworkload = \"a\"\n[entity.A]\nid = [\"b\"]\npartition = \"{b}\"\n[entity.A.fields]\nb = \"u32\"\n",
    );
    let answer = tables(&["design", wrong.path().to_str().unwrap()]);
    assert_eq!(answer.code, 1);
    assert!(
        answer.errors.starts_with("error[D004]: a workload does not declare `partition`"),
        "{}",
        answer.errors
    );
    assert_eq!(tables(&["design", &workload("feed"), "--slack", "much"]).code, 2);
}

/// Returns the path of the design of the vectors for a workload.
fn existing(name: &str) -> String {
    format!("../workloads/{name}.design.toml")
}

#[test]
fn the_workload_of_a_design_finds_a_design_that_is_not_dearer() {
    for name in ["chat", "orders", "telemetry"] {
        let output = tempfile::NamedTempFile::new().unwrap();
        let path = output.path().to_str().unwrap();
        let answer = tables(&["design", &existing(name), "--workload-only", "-o", path]);
        assert_eq!((answer.code, answer.errors.as_str()), (0, ""), "{name}");
        let with_file = tables(&["design", path, "--from", &existing(name), "--json"]);
        let derived = tables(&["design", "--from", &existing(name), "--json"]);
        assert_eq!(with_file.code, 0, "{name}: {}", with_file.errors);
        let usd = |text: &str| {
            let found: Value = serde_json::from_str(text).unwrap();
            (found["figures"]["usd"].as_f64().unwrap(), found["from"]["usd"].as_f64().unwrap())
        };
        assert_eq!(usd(&with_file.out), usd(&derived.out), "{name}");
        assert!(usd(&derived.out).0 <= usd(&derived.out).1 * (1.0 + 1e-9), "{name}");
    }
}

#[test]
fn a_migration_has_commands_and_costs() {
    let from = existing("tickets");
    let answer = tables(&["design", "--from", &from]);
    assert_eq!(answer.code, 0, "{}", answer.errors);
    for part in [
        "add Ticket.by_status_assignee",
        "remove Ticket.by_assignee",
        "tables reindex Ticket by_status_assignee --design NEW.toml --store STORE",
        "tables migrate --from ../workloads/tickets.design.toml --design NEW.toml --store STORE --dry-run",
    ] {
        assert!(answer.out.contains(part), "{part}: {}", answer.out);
    }
    let kept = tables(&["design", "--from", &from, "--keep", "Ticket", "--json"]);
    let kept: Value = serde_json::from_str(&kept.out).unwrap();
    assert_eq!(kept["migration"], serde_json::json!([]));
    assert_eq!(kept["from"]["unchanged"][0]["reason"], "as requested");
    assert_eq!(kept["from"]["usd"], kept["figures"]["usd"]);
}

#[test]
fn files_of_the_other_kind_are_named() {
    let answer = tables(&["design", &existing("chat")]);
    assert!(answer.errors.contains("use `tables design --from FILE`"), "{}", answer.errors);
    let answer = tables(&["design", "--from", &workload("chat")]);
    assert!(answer.errors.contains("this file is a workload, not a design"), "{}", answer.errors);
    assert_eq!(answer.code, 1);
    let answer = tables(&["design", &workload("feed"), "--from", &existing("chat")]);
    assert!(
        answer.errors.contains("the workload has no entity `Message` of the design"),
        "{}",
        answer.errors
    );
    let answer = tables(&["design", "--from", &existing("chat"), "--keep", "Massage"]);
    assert_eq!(answer.code, 2);
    assert!(answer.errors.contains("expected Message, Member"), "{}", answer.errors);
    assert_eq!(tables(&["design"]).code, 2);
}

#[test]
fn recorded_requests_get_paths_that_the_design_does_not_have() {
    let design = file(
        r#"
tables = 1
design = "tickets"
[entity.Ticket]
table = "Tickets"
partition = "{tenant:05}"
row = "ticket_{number:08}"
[entity.Ticket.fields]
tenant = "u32"
number = "u32"
status = "u32"
[query.ticket]
find = "Ticket"
where = "tenant = ? and number = ?"
rate = "1/s"
[load.Ticket]
count = 6_000_000
values.tenant = { distinct = 8_000 }
values.number = { distinct = 6_000_000 }
values.status = { distinct = 10_000 }
"#,
    );
    let requests: Vec<String> = (0..100)
        .map(|second| {
            let at = format!("2026-01-31T12:{:02}:{:02}Z", second / 60, second % 60);
            let filter = format!("PartitionKey eq '{second:05}' and status eq {second}");
            let query = serde_json::json!({ "at": at, "op": "query", "table": "Tickets", "filter": filter });
            // Without requests, a query has no rate, and a table scan costs nothing.
            let keys = (format!("{second:05}"), format!("ticket_{second:08}"));
            let get =
                serde_json::json!({ "at": at, "op": "get", "table": "Tickets", "pk": keys.0, "rk": keys.1 });
            format!("{query}\n{get}\n")
        })
        .collect();
    let requests = file(&requests.concat());
    let [from, requests] = [&design, &requests].map(|file| file.path().to_str().unwrap());
    let untraced = tables(&["design", "--from", from, "--format", "toml"]);
    assert!(untraced.code == 0 && !untraced.out.contains(".index."), "{untraced:?}");
    let answer = tables(&["design", "--from", from, "--trace", requests, "--format", "html"]);
    assert_eq!(answer.code, 0, "{}", answer.errors);
    assert!(
        answer.errors.contains("note: Queries that the design does not declare: ticket_by_status_tenant.")
    );
    for part in ["[entity.Ticket.index.", "<section id=\"migration\">", "tables reindex Ticket "] {
        assert!(answer.out.contains(part), "{part}: {}", answer.out);
    }
    assert_eq!(tables(&["design", &workload("feed"), "--from", from, "--trace", requests]).code, 2);
}

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
    assert!(text.contains("# With an index instead of the scan: +$18"), "{text}");
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

use serde_json::Value;

use super::{DESIGNS, changed, file, tables};

#[test]
fn a_report_on_a_terminal_reads_as_it_did() {
    insta::assert_snapshot!(tables(&["advise", "company.toml", "--servers", "10"]).out);
}

#[test]
fn a_report_for_a_page_reads_as_it_did() {
    let arguments = ["advise", "company.toml", "--servers", "10", "--format", "markdown"];
    insta::assert_snapshot!(tables(&arguments).out);
}

#[test]
fn lines_of_a_terminal_have_80_columns() {
    for design in DESIGNS {
        for arguments in [
            &["advise", design][..],
            &["advise", design, "--servers", "1"],
            &["simulate", design],
            &["advise", "--explain"],
        ] {
            let answer = tables(arguments);
            // The lines of the file are unchanged.
            let is_source = |line: &&str| line.split_once(" | ").is_some_and(|(number, _)| number.len() < 5);
            for line in answer.out.lines().filter(|line| !is_source(line)) {
                assert!(line.chars().count() <= 80, "{arguments:?}: {line}");
            }
            assert!(!answer.out.contains('\u{1b}'), "colour where nobody sees it");
        }
    }
}

#[test]
fn an_object_has_the_classes_of_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../table-advisor/tests/vectors/classes.json");
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for design in DESIGNS {
        let answer = tables(&["advise", design, "--servers", "1", "--format", "json"]);
        let report: Value = serde_json::from_str(&answer.out).unwrap();
        let (queries, expected) =
            (report["queries"].as_object().unwrap(), vectors[design].as_object().unwrap());
        assert_eq!(queries.len(), expected.len(), "{design}");
        for (name, expected) in expected {
            for (key, expected) in expected.as_object().unwrap() {
                let is = &queries[name][key];
                match (is.as_f64(), expected.as_f64()) {
                    (Some(is), Some(expected)) => {
                        assert!(
                            (is - expected).abs() <= 1e-9 * expected.abs(),
                            "{design} {name} {key}: {is}"
                        );
                    }
                    _ => assert_eq!(is, expected, "{design} {name} {key}"),
                }
            }
        }
        let number = |value: &Value| value.as_f64().unwrap();
        assert!((number(&report["costs"]["total"]) - number(&report["verdict"]["month"])).abs() < 1e-9);
    }
}

#[test]
fn a_design_with_a_warning_fails_only_when_asked_to_be_strict() {
    let of = |arguments: &[&str]| tables(&[&["advise", "--servers", "1"], arguments].concat()).code;
    assert_eq!(of(&["company.toml"]), 0);
    assert_eq!(of(&["company.toml", "--strict"]), 2);
    assert_eq!(of(&["iot.toml", "--strict"]), 0);
}

#[test]
fn an_error_fails_strict_or_not() {
    let design = changed("company.toml", "tables = 1", "tables = 1\nlint = { deny = [\"Q02\"] }");
    let path = design.path().to_str().unwrap();
    for arguments in [&["advise", path][..], &["advise", path, "--strict"]] {
        let answer = tables(arguments);
        assert_eq!(answer.code, 1, "{}", answer.errors);
        assert!(answer.out.contains("error[Q02]"));
    }
}

#[test]
fn all_mistakes_of_a_file_are_told_with_their_places() {
    let design = file(
        "tables = 1\n[entity.Employee]\ntable = \"Employees\"\npartition = \"{departement}\"\nrow = \"{id}\"\n\
         [entity.Employee.fields]\ndepartment = \"string(40)\"\nid = \"u23\"\n",
    );
    let path = design.path().to_str().unwrap();
    let answer = tables(&["advise", path]);
    assert_eq!((answer.code, answer.out.as_str()), (1, ""));
    insta::assert_snapshot!(answer.errors.replace(path, "design.toml"));
}

#[test]
fn a_load_is_laid_over_a_design() {
    let load = file("tables = 1\n[load]\npeak = 30.0\n");
    let answer = tables(&[
        "advise",
        "company.toml",
        "--load",
        load.path().to_str().unwrap(),
        "--servers",
        "1",
        "--format",
        "json",
    ]);
    let usual = tables(&["advise", "company.toml", "--servers", "1", "--format", "json"]);
    let rate = |text: &str| serde_json::from_str::<Value>(text).unwrap()["scale"]["rate"].as_f64().unwrap();
    assert!((rate(&answer.out) - 10.0 * rate(&usual.out)).abs() < 1e-6, "{}", answer.errors);
}

#[test]
fn a_rule_is_explained_without_a_design() {
    insta::assert_snapshot!(tables(&["advise", "--explain", "k10"]).out);
    assert_eq!(tables(&["advise", "--explain", "K99"]).code, 2);
}

#[test]
fn every_rule_is_listed_and_explained() {
    let list = tables(&["advise", "--explain"]);
    assert_eq!((list.code, list.errors.as_str()), (0, ""));
    let codes: Vec<&str> =
        list.out.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert_eq!(codes.len(), table_schema::catalogue::ALL.len());
    for code in codes {
        let rule = tables(&["advise", "--explain", code]).out;
        for heading in ["Condition", "Reason", "Pattern", "Example"] {
            assert!(rule.contains(&format!("\n{heading}")), "{code}: {heading}");
        }
        assert!(rule.lines().all(|line| line.chars().count() <= 100), "{rule}");
    }
}

#[test]
fn a_report_says_whose_prices_it_counts_with() {
    let costs = |path: &str| {
        let answer = tables(&["advise", path, "--servers", "1", "--format", "json"]);
        serde_json::from_str::<Value>(&answer.out).unwrap()["costs"].clone()
    };
    let usual = costs("company.toml");
    assert_eq!((&usual["prices"]["assumed"], &usual["prices"]["date"]), (&Value::Bool(true), &Value::Null));
    let own = changed(
        "company.toml",
        "tables = 1",
        "tables = 1\nprices = { date = \"2026-11-01\", batch_unit = \"operation\" }",
    );
    let own = costs(own.path().to_str().unwrap());
    assert_eq!(
        (&own["prices"]["assumed"], &own["prices"]["date"]),
        (&Value::Bool(false), &Value::from("2026-11-01"))
    );
    // Each shows, next to its own sum, the sum of the other.
    assert_eq!(
        (&own["turned"]["batch_unit"], &own["turned"]["total"]),
        (&Value::from("request"), &usual["total"])
    );
    assert_eq!(usual["turned"]["total"], own["total"]);
}

#[test]
fn a_design_ends_where_its_partitions_do() {
    let answer = tables(&["advise", "company.toml", "--servers", "1", "--rate", "70000", "--format", "json"]);
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    let limit = &report["scale"]["limit"];
    // One of 40 departments has the highest load; each serves 2,000 entities per second.
    assert_eq!(limit["stream"], "employees[{}]");
    let number = |value: &Value| value.as_f64().unwrap();
    assert!((number(&limit["most"]) - 80_000.0).abs() < 1e-6);
    let streams = report["scale"]["streams"].as_array().unwrap();
    let stream = streams.iter().find(|stream| stream["name"] == limit["stream"]).unwrap();
    let (hottest, run) =
        (100.0 * number(&stream["rate"]) / number(&limit["full"]), &report["scale"]["runs"][0]);
    assert!((hottest - number(&run["hottest_percent"])).abs() < 1e-6, "{hottest} {run}");
}

#[test]
fn the_same_design_gives_the_same_report() {
    let arguments = ["advise", "orders.toml", "--servers", "10", "--rate", "1e6", "--format", "json"];
    assert_eq!(tables(&arguments), tables(&arguments));
}

#[test]
fn a_file_that_is_not_there_is_said() {
    let answer = tables(&["advise", "nowhere.toml"]);
    assert_eq!(answer.code, 1);
    assert!(answer.errors.starts_with("error: cannot read nowhere.toml: "), "{}", answer.errors);
}

const CLICKS: &str = "tables = 1\nabout = \"<b>clicks</b> of *links*\"\n[entity.Click]\ntable = \"Clicks\"\npartition = \"{code}\"\nrow = \"{at:ticks}\"\n\
     [entity.Click.fields]\ncode = \"string(8)\"\nat = \"datetime\"\ncountry = \"string(2)\"\nreferrer = \"string\"\n\
     [query.by_country]\nfind = \"Click\"\nwhere = \"code = ? and country = ?\"\nrate = \"100/day\"\n\
     [load.Click]\ncount = 50_000_000_000\n";

#[test]
fn every_default_is_listed_with_its_line() {
    let design = file(CLICKS);
    let answer = tables(&["advise", design.path().to_str().unwrap(), "--servers", "1", "--format", "json"]);
    let report: Value = serde_json::from_str(&answer.out).unwrap();
    let assumed = report["assumed"].as_array().unwrap();
    let lines: Vec<&str> = assumed.iter().filter_map(|one| one["line"].as_str()).collect();
    for line in [
        "[load.Click]  values.code = { distinct = 50_000_000_000 }",
        "[load.Click]  values.at = { distinct = 50_000_000_000 }",
        "[load.Click]  values.country = { distinct = 1_296 }",
        "[load.Click]  values.referrer = { chars = 16 }",
    ] {
        assert!(lines.contains(&line), "{line}: {lines:#?}");
    }
    assert!(!lines.iter().any(|line| line.contains("values.referrer = { distinct")), "nothing depends on it");
}

#[test]
fn a_description_cannot_change_a_report() {
    let design = file(CLICKS);
    let report = |format: &str| {
        tables(&["advise", design.path().to_str().unwrap(), "--servers", "1", "--format", format]).out
    };
    let markdown = report("markdown");
    assert!(
        markdown.contains("\\<b\\>clicks\\<\\/b\\>") && markdown.contains("of \\*links\\*"),
        "{markdown}"
    );
    // The reader rejects control characters, so none reaches a terminal.
    let active = file(&CLICKS.replace("of *links*", "\\u001b[31m"));
    assert_eq!(tables(&["advise", active.path().to_str().unwrap()]).out, "");
}

#[test]
fn a_design_with_a_cause_lists_its_symptoms_below() {
    let design = file(
        "tables = 1\n[entity.Item]\ntable = \"Items\"\npartition = \"{p:02}\"\nrow = \"{at:ticks}_{r:07}\"\n[entity.Item.fields]\np = \"u8\"\nat = \"datetime\"\nr = \"u32\"\n\
         [query.newest]\nfind = \"Item\"\nwhere = \"p = ?\"\nlatest = 50\nrate = \"100/s\"\n[load.Item]\ncount = 2_000_000\nvalues.p = { distinct = 10 }\n",
    );
    let path = design.path().to_str().unwrap();
    let text = tables(&["advise", path, "--servers", "1"]).out;
    assert!(text.contains("\n1 error, 0 warnings, 0 notes\n"), "{text}");
    assert!(text.contains("= with it: error[K01]: "), "{text}");
    assert!(!text.contains("\nerror[K01]"), "{text}");
    let report: Value =
        serde_json::from_str(&tables(&["advise", path, "--servers", "1", "--format", "json"]).out).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let hot = findings.iter().find(|finding| finding["code"] == "K01").unwrap();
    assert_eq!(hot["cause"], serde_json::json!({ "code": "Q08", "subject": "newest" }));
}

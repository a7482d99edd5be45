use std::collections::BTreeSet;

use serde_json::Value;
use table_advisor::{Fact, Finding, Model};
use table_codegen::{Diagnostics, Reading, Schema, Source};
use table_schema::catalogue::Severity;

use super::{DESIGNS, Differences, schema, vectors};

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warn",
        Severity::Note => "info",
    }
}

/// Compares facts to six digits, the precision of the vectors.
fn facts(of: &str, finding: &Finding, expected: &Value, differences: &mut Differences) {
    for (name, wanted) in expected.as_object().expect("facts") {
        let Some((_, fact)) = finding.facts.iter().find(|(known, _)| known == name) else {
            differences.0.push(format!("{of}: no fact `{name}`"));
            continue;
        };
        let same = match fact {
            // The vectors contain `null` if a string is unbounded; the fact is then the average.
            _ if wanted.is_null() => true,
            Fact::Number(is) => {
                wanted.as_f64().is_some_and(|wanted| (is - wanted).abs() <= 1e-6 * wanted.abs())
            }
            Fact::Text(text) => wanted.as_str() == Some(text),
            Fact::List(names) => *wanted == serde_json::json!(names),
            Fact::Shares(shares) => *wanted == serde_json::json!(shares),
        };
        if !same {
            differences.0.push(format!("{of}: {name} is {fact:?} for {wanted}"));
        }
    }
}

#[test]
fn each_design_has_the_findings_of_the_vectors() {
    let vectors = vectors("findings.json");
    let mut differences = Differences::default();
    for design in DESIGNS {
        let schema = schema(design);
        let found = Model::new(&schema).findings();
        let name =
            |finding: &Finding| format!("{}:{}:{}", finding.code, word(finding.severity), finding.subject);
        let expected = vectors["designs"][design].as_array().expect("findings");
        let text = |value: &Value, key: &str| value[key].as_str().expect("a text").to_owned();
        let wanted: Vec<String> = expected
            .iter()
            .map(|value| {
                format!("{}:{}:{}", text(value, "code"), text(value, "severity"), text(value, "subject"))
            })
            .collect();
        assert_eq!(found.iter().map(name).collect::<Vec<_>>(), wanted, "{design}");
        for (finding, expected) in found.iter().zip(expected) {
            facts(&format!("{design} {}", name(finding)), finding, &expected["facts"], &mut differences);
            assert!(!finding.message.is_empty() && !finding.fix.is_empty(), "{}", name(finding));
        }
    }
    differences.end();
}

/// Snippets whose keys do not determine their table (D013). Their findings are computed for the design as read.
const WITHOUT_TABLE: [&str; 2] = ["new tables under load", "period tables without keep"];

/// Returns the design of a snippet if its findings can be computed.
fn advisable(snippet: &Value) -> Result<Schema, Diagnostics> {
    let reading = Reading::of(Source::new("t.toml", snippet["toml"].as_str().expect("a text")), None);
    if !WITHOUT_TABLE.iter().any(|name| snippet["name"] == *name) {
        return reading.whole();
    }
    let codes: Vec<&str> = reading.diagnostics.iter().map(|mistake| mistake.code.as_str()).collect();
    assert_eq!(codes, ["D013"], "{}", snippet["name"]);
    Ok(reading.schema.expect("a design"))
}

/// Returns the codes of the errors of a design, or of its findings if it has no errors.
fn codes(snippet: &Value) -> BTreeSet<String> {
    match advisable(snippet) {
        Err(mistakes) => mistakes
            .0
            .iter()
            .map(|mistake| format!("{}:{}", mistake.code, word(mistake.severity())))
            .collect(),
        Ok(schema) => {
            let found = Model::new(&schema).findings();
            found.iter().map(|finding| format!("{}:{}", finding.code, word(finding.severity))).collect()
        }
    }
}

#[test]
fn each_rule_finds_what_it_is_for_and_nothing_else() {
    let vectors = vectors("findings.json");
    let snippets = vectors["snippets"].as_array().expect("snippets");
    let mut failures = Vec::new();
    for snippet in snippets {
        let found = codes(snippet);
        let wanted: BTreeSet<String> = snippet["all"]
            .as_array()
            .expect("findings")
            .iter()
            .map(|finding| finding.as_str().expect("a text").to_owned())
            .collect();
        if found == wanted {
            check(snippet, &mut failures);
        } else {
            failures.push(format!("{}: {found:?} for {wanted:?}", snippet["name"]));
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(snippets.len(), 60);
}

/// Compares the subjects and facts of findings with the vectors.
fn check(snippet: &Value, failures: &mut Vec<String>) {
    let Ok(schema) = advisable(snippet) else { return };
    let found = Model::new(&schema).findings();
    let mut differences = Differences::default();
    for expected in snippet["findings"].as_array().expect("findings") {
        let (code, subject) = (expected["code"].as_str(), expected["subject"].as_str());
        let known = found.iter().filter(|finding| {
            Some(finding.code.as_str()) == code && Some(finding.subject.as_str()) == subject
        });
        let unlike = known.map(|finding| {
            let mut unlike = Differences::default();
            facts(&finding.code.to_string(), finding, &expected["facts"], &mut unlike);
            unlike.0
        });
        // A rule may report several findings about one subject.
        match unlike.min_by_key(Vec::len) {
            Some(unlike) => differences.0.extend(unlike),
            None => differences.0.push(format!("nothing about {subject:?} by {code:?}")),
        }
    }
    failures.extend(differences.0.into_iter().map(|line| format!("{}: {line}", snippet["name"])));
}

/// The fix of a hot partition is a change that was tested.
#[test]
fn fix_of_a_hot_partition_passes_the_rules() {
    let fixes = |entity: &str, load: &str| {
        let text = format!(
            "tables = 1\n[entity.Item]\ntable = \"Items\"\npartition = \"{{shop}}\"\nrow = \"{{id:06}}\"\n{entity}\n\
             [entity.Item.fields]\nshop = \"string(20)\"\nid = \"u32\"\ncolor = \"string(20)\"\n\
             [load]\npeak = 1.0\n[load.Item]\ncount = 100_000\ninsert = \"30_000/s\"\n{load}"
        );
        let schema = table_codegen::read(&text, "items.toml").expect("a valid schema");
        let found = Model::new(&schema).advice().findings.into_iter();
        let hot = found.filter(|finding| finding.code == table_schema::catalogue::Code::K01);
        hot.map(|finding| finding.fix).collect::<Vec<_>>()
    };
    let few = "values.shop = { distinct = 4 }\n";
    let plain = fixes("", few);
    assert_eq!(
        plain,
        ["[entity.Item]\nshard = { of = \"id\", count = 8 }\npartition = \"{shop}_{shard:02}\""],
        "8 shards leave less than 1,000 entities per second"
    );
    let lookup = "[entity.Item.lookup.by_color]\non = [\"color\"]\nplace = \"table\"\nids = \"Ids\"";
    let of_lists = fixes(lookup, "values.shop = { distinct = 100_000 }\nvalues.color = { distinct = 2 }\n");
    assert_eq!(of_lists, ["# without [entity.Item.lookup.by_color]"], "no query reads the lists");
    // The rules reject a lookup of an entity with shards.
    let near = "lookup.by_color = { on = [\"color\"], place = \"partition\" }";
    let none = "no tested key distributes this load: cache what is read, or write in batches";
    assert_eq!(fixes(near, few), [none]);
}

//! One corpus of designs, read by every front end: the reader of design files, the generator, and the derive, which
//! reads the same entities as Rust. All of them report the same codes with the same messages.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why")]

mod pairs;
mod render;

use std::{collections::BTreeSet, path::Path};

use serde_json::Value;
use table_advisor::explanations::RuleExplanation;
use table_codegen::{
    Reading, Schema, Source, from_sources,
    generate::{Options, generate},
};
use table_designs::check_schema;
use table_schema::catalogue::{ALL, Code, Severity};

/// Codes that a design file can have and Rust cannot: syntax, names in the file, queries, load, types of fields. A
/// design with one of them is read incompletely, so it has no equivalent in Rust.
const OF_FILES: [Code; 17] = [
    Code::D001,
    Code::D002,
    Code::D003,
    Code::D004,
    Code::D005,
    Code::D006,
    Code::D007,
    Code::D014,
    Code::D015,
    Code::D016,
    Code::D017,
    Code::D018,
    Code::D020,
    Code::D023,
    Code::D025,
    Code::D026,
    Code::D036,
];

/// The rule that Rust checks with the types of both entities, when the generated code is compiled.
const OF_TWO_TYPES: Code = Code::D043;

/// A default other than that of the type, which Rust has no attribute for.
const OTHER_DEFAULT: &str = "the default ";

/// Codes and messages.
type Verdict = BTreeSet<(String, String)>;

/// The verdicts of the front ends about one design.
enum Verdicts {
    /// The file violates a rule of design files.
    File,
    /// The reader, the generator, the derive.
    All([Verdict; 3]),
}

fn errors(schema: &Schema) -> Verdict {
    let mistakes = check_schema(schema).into_iter().map(|(_, mistake)| mistake);
    let errors = mistakes.filter(|mistake| mistake.severity() == Severity::Error);
    errors.map(|mistake| (mistake.code.to_string(), mistake.message)).collect()
}

/// Returns the verdicts about a design, with `rust` as its equivalent for the derive.
fn verdicts(text: &str, rust: impl FnOnce(&Schema) -> String) -> Verdicts {
    let Reading { schema, diagnostics, .. } = Reading::of(Source::new("design.toml", text), None);
    let found = diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    let read: Verdict = found.map(|found| (found.code.to_string(), found.message.clone())).collect();
    let Some(schema) = schema else { return Verdicts::File };
    let rules = errors(&schema);
    if let Some((code, message)) = read.difference(&rules).next() {
        let is_of_file = OF_FILES.iter().any(|known| known.as_str() == code);
        assert!(is_of_file, "only the reader reports {code}: {message}\n{text}");
        return Verdicts::File;
    }
    let generated = match generate(&schema, &Options::default()) {
        Ok(generated) => of_rust(&generated.root),
        Err(refused) => refused.0.into_iter().map(|one| (one.code.to_string(), one.message)).collect(),
    };
    Verdicts::All([read, generated, of_rust(&rust(&schema))])
}

/// Returns the verdict about a Rust file: of the derive for each entity, then of the rules between its entities.
fn of_rust(text: &str) -> Verdict {
    let mistakes = match from_sources("design", &[Source::new("entities.rs", text)]) {
        Ok(read) => return errors(&read.schema),
        Err(mistakes) => mistakes,
    };
    let told = mistakes.into_iter().map(|told| {
        let message = told.mistake.message;
        let first = message.lines().next().unwrap_or_default();
        match first.strip_suffix(']').and_then(|first| first.rsplit_once(" [")) {
            Some((message, code)) => (code.to_owned(), message.to_owned()),
            None => ("no code".to_owned(), first.to_owned()),
        }
    });
    told.collect()
}

/// Returns the disagreements about one design, or `None` if it is not comparable.
fn disagreements(text: &str, rust: impl FnOnce(&Schema) -> String) -> Option<Vec<String>> {
    let Verdicts::All([read, generated, derived]) = verdicts(text, rust) else { return None };
    let mut found = Vec::new();
    let expressible = |told: &&(String, String)| {
        let is_of_types = told.0 == OF_TWO_TYPES.as_str() && !derived.contains(told);
        !is_of_types && !told.1.starts_with(OTHER_DEFAULT)
    };
    let in_rust: Verdict = read.iter().filter(expressible).cloned().collect();
    for (name, expected, verdict) in [("generator", &read, &generated), ("derive", &in_rust, &derived)] {
        for (code, message) in expected.symmetric_difference(verdict) {
            let of = if verdict.contains(&(code.clone(), message.clone())) { name } else { "reader" };
            found.push(format!("only the {of} (of reader and {name}) reports {code}: {message}"));
        }
    }
    Some(found)
}

/// Designs by name: the corpus, the examples of the catalog, the vectors, and every pair of patterns.
fn corpus() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut designs = Vec::new();
    for folder in ["corpus", "schemas"] {
        for file in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let path = file.expect("a file").path();
            let text = std::fs::read_to_string(&path).expect("a design");
            designs.push((path.display().to_string(), text));
        }
    }
    for (code, example) in ALL.iter().map(|entry| (entry.code, RuleExplanation::of(entry.code).example)) {
        if !example.is_rust {
            designs.push((format!("{code} before"), example.before()));
            designs.push((format!("{code} after"), example.after()));
        }
    }
    for (file, list) in
        [("vectors/errors.json", "cases"), ("../../table-advisor/tests/vectors/findings.json", "snippets")]
    {
        let vectors = std::fs::read_to_string(root.join(file)).expect("vectors");
        let vectors: Value = serde_json::from_str(&vectors).expect("JSON");
        for (number, case) in vectors.get(list).and_then(Value::as_array).expect("cases").iter().enumerate() {
            let text = case["toml"].as_str().expect("a design").to_owned();
            designs.push((format!("{file} {number}"), text));
        }
    }
    designs.sort();
    designs
}

#[test]
fn front_ends_agree_on_the_corpus() {
    let corpus = corpus();
    let mut compared = 0;
    let mut failures = Vec::new();
    for (name, text) in &corpus {
        let Some(found) = disagreements(text, render::rust) else { continue };
        compared += 1;
        failures.extend(found.into_iter().map(|found| format!("{name}: {found}")));
    }
    assert!(failures.is_empty(), "{} disagreements:\n{}", failures.len(), failures.join("\n"));
    println!("{compared} of {} designs are compared", corpus.len());
    assert!(compared >= 300, "{compared} of {}", corpus.len());
}

/// Each file of the corpus violates the rules that its first line lists.
#[test]
fn corpus_files_state_their_codes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut failures = Vec::new();
    for file in std::fs::read_dir(root).expect("the corpus") {
        let path = file.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a design");
        let stated = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
        let stated: Vec<&str> = stated.split(' ').filter(|code| !code.is_empty()).collect();
        let reading = Reading::of(Source::new("design.toml", text.clone()), None);
        let found: Vec<&str> = reading.diagnostics.iter().map(|found| found.code.as_str()).collect();
        if found != stated {
            failures.push(format!("{}: {found:?} for {stated:?}", path.display()));
        }
        let is_placed = |found: &table_codegen::Diagnostic| !found.excerpt.starts_with("[entity");
        if !reading.diagnostics.iter().all(is_placed) {
            failures.push(format!("{}: marked at the entity\n{}", path.display(), reading.diagnostics[0]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn front_ends_agree_on_every_pair() {
    let (mut pairs, mut rejected) = (0, 0);
    let mut failures = Vec::new();
    for (name, text) in pairs::all() {
        let Some(found) = disagreements(&text, render::rust) else {
            panic!(
                "{name} is not a design:\n{text}\n{}",
                table_codegen::read(&text, "d").expect_err("errors")
            );
        };
        pairs += 1;
        rejected += usize::from(table_codegen::read(&text, "design.toml").is_err());
        failures.extend(found.into_iter().map(|found| format!("{name}: {found}")));
    }
    assert!(failures.is_empty(), "{} disagreements:\n{}", failures.len(), failures.join("\n"));
    assert_eq!((pairs, rejected), (300, 44));
}

#[test]
fn a_disagreement_is_found() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/period_index.toml"));
    let text = text.expect("a design");
    assert_eq!(disagreements(&text, render::rust), Some(Vec::new()));
    let without_index = |schema: &Schema| {
        let mut schema = schema.clone();
        schema.entities[0].indexes.clear();
        render::rust(&schema)
    };
    let found = disagreements(&text, without_index).expect("a comparable design");
    assert_eq!(
        found,
        [
            "only the reader (of reader and derive) reports D037: an index on an entity with a table per period is not supported yet"
        ]
    );
}

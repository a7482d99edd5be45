//! Designs that start from an existing one.

use std::fs;

use table_advisor::{
    Model,
    search::{Improved, Options, improve, workload_of},
};
use table_codegen::{Schema, read_workload};
use table_schema::{
    catalogue::Severity,
    rules::check_schema,
    schema::{Existing, Freedom, Workload},
};

const WORKLOADS: [&str; 6] = ["chat", "feed", "orders", "rubis", "telemetry", "tickets"];

fn text(name: &str) -> String {
    let path = format!("{}/../table-codegen/tests/workloads/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(path).expect("a file")
}

fn design(name: &str) -> Schema {
    table_codegen::read(&text(&format!("{name}.design.toml")), name).unwrap_or_else(|error| panic!("{error}"))
}

fn workload(name: &str) -> Workload {
    read_workload(&text(&format!("{name}.toml")), name).unwrap_or_else(|error| panic!("{error}"))
}

fn from(workload: Workload, schema: Schema) -> Workload {
    Workload { existing: Some(Existing { schema, freedoms: Vec::new() }), ..workload }
}

fn improved(workload: &Workload, most: Option<usize>) -> Improved {
    let improved = improve(workload, &Options::default(), most).expect("a design");
    let errors = check_schema(&improved.designed.schema);
    let errors: Vec<_> = errors.iter().filter(|(_, error)| error.severity() == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    improved
}

fn cost(schema: &Schema) -> f64 {
    Model::new(schema).costs().total()
}

/// Returns a workload with an entity that must not be changed.
fn keeping(workload: &Workload, entity: &str) -> Workload {
    let mut workload = workload.clone();
    let existing = workload.existing.as_mut().expect("a design");
    existing.freedoms.push((entity.to_owned(), Freedom::Nothing));
    workload
}

#[test]
fn designs_of_the_vectors_become_no_dearer() {
    for name in WORKLOADS {
        let schema = design(name);
        let usd = cost(&schema);
        for workload in [workload(name), workload_of(&schema)] {
            let improved = improved(&from(workload, schema.clone()), None);
            let before = improved.before.expect("the design answers the queries").figures.usd;
            assert!((before - usd).abs() <= 1e-9 * usd, "{name}: {before} for {usd}");
            assert!(improved.exceeded.is_empty(), "{name}: {:?}", improved.exceeded);
            assert!(improved.designed.figures.usd <= usd * (1.0 + 1e-9), "{name}: {usd}");
        }
    }
}

#[test]
fn steps_change_one_thing_each_and_save_most_first() {
    let schema = design("rubis");
    let workload = from(workload_of(&schema), schema.clone());
    let (mut least, mut savings) = (cost(&schema), Vec::new());
    for steps in 0..3 {
        let improved = improved(&workload, Some(steps));
        let changed = improved.migrations.len();
        assert!(changed <= steps, "{:?}", improved.migrations);
        let usd = improved.designed.figures.usd;
        savings.extend((steps > 0).then(|| least - usd));
        least = usd;
    }
    assert!(savings[0] > 1.0 && savings[0] >= savings[1] && savings[1] >= 0.0, "{savings:?}");
}

#[test]
fn an_entity_that_is_kept_does_not_change() {
    let schema = design("rubis");
    let workload = from(workload("rubis"), schema.clone());
    let free = improved(&workload, None).designed;
    assert_ne!(free.schema.entity("Item"), schema.entity("Item"));
    for steps in [None, Some(2)] {
        let kept = improved(&keeping(&workload, "Item"), steps);
        assert_eq!(kept.designed.schema.entity("Item"), schema.entity("Item"));
        assert!(kept.designed.figures.usd * 1.01 >= free.figures.usd);
        assert_eq!(kept.kept, [("Item".to_owned(), "as requested".to_owned())]);
    }
}

#[test]
fn features_that_the_search_does_not_know_stay() {
    let text = text("tickets.design.toml").replace(
        "[entity.Ticket.fields]",
        "[entity.Ticket.lookup.of_assignee]\non = [\"assignee\"]\nplace = \"table\"\n[entity.Ticket.fields]",
    );
    let schema = table_codegen::read(&text, "tickets").unwrap_or_else(|error| panic!("{error}"));
    let improved = improved(&from(workload_of(&schema), schema.clone()), None);
    assert_eq!(improved.designed.schema.entity("Ticket"), schema.entity("Ticket"));
    assert_eq!(improved.kept, [("Ticket".to_owned(), "it has lookups".to_owned())]);
    let (usd, before) = (improved.designed.figures.usd, cost(&schema));
    assert!((usd - before).abs() <= 1e-9 * before, "{usd} for {before}");
}

#[test]
fn a_new_index_costs_a_pass_and_pays_back() {
    let text = text("tickets.design.toml").replace("using = \"by_assignee\"\n", "");
    let (start, rest) = text.split_once("[entity.Ticket.index.by_assignee]").expect("an index");
    let (_, rest) = rest.split_once("[entity.Ticket.index.by_tenant_status]").expect("an index");
    let text = format!("{start}[entity.Ticket.index.by_tenant_status]{rest}");
    let schema = table_codegen::read(&text, "tickets").unwrap_or_else(|error| panic!("{error}"));
    let improved = improved(&from(workload("tickets"), schema.clone()), Some(1));
    assert!(improved.before.is_some_and(|before| before.figures.usd < 60.0));
    let [violation] = improved.exceeded.as_slice() else { panic!("{:?}", improved.exceeded) };
    assert_eq!((violation.limit, violation.most), ("hottest", 100.0));
    let [migration] = improved.migrations.as_slice() else { panic!("{:?}", improved.migrations) };
    let [write, verify] = migration.jobs.as_slice() else { panic!("{:?}", migration.jobs) };
    assert_eq!((write.name, write.rows), ("write", 6e6));
    // 24,000,000 rows are read in pages of 1,000, and a request writes each row of the index.
    assert!((write.requests - 6_024_000.0).abs() < 1.0 && verify.requests < 24_001.0, "{migration:?}");
    assert!(migration.saving.is_none(), "a limit requires it: {migration:?}");
}

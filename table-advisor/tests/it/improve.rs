//! Designs that start from an existing one.

use std::fs;

use table_advisor::{
    Model,
    search::{Improved, Options, improve, workload_of},
};
use table_codegen::{Schema, read_workload};
use table_designs::{
    check_schema,
    schema::{Existing, Freedom, Workload},
};
use table_schema::catalogue::Severity;

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
        savings.extend((steps > 0).then_some(least - usd));
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
fn changes_of_indexes_cost_a_pass_and_pay_back() {
    let schema = design("tickets");
    let improved = improved(&from(workload_of(&schema), schema.clone()), None);
    let of = |subject: &str| {
        let mut migrations = improved.migrations.iter();
        migrations.find(|one| one.subject == subject).unwrap_or_else(|| panic!("{:?}", improved.migrations))
    };
    let added = of("Ticket.by_status_assignee");
    let [write, verify] = added.jobs.as_slice() else { panic!("{added:?}") };
    // 24,000,000 rows are read in pages of 1,000, and a request writes each row of the index.
    assert_eq!((write.name, write.rows, write.requests), ("write", 6e6, 6_024_000.0));
    assert_eq!((verify.name, verify.requests), ("verify", 24_000.0));
    assert!(added.saving.is_none() && added.months().is_none(), "a limit requires it: {added:?}");
    let removed = of("Ticket.by_assignee");
    let [delete] = removed.jobs.as_slice() else { panic!("{removed:?}") };
    assert_eq!((delete.name, delete.requests), ("delete", 6_030_000.0));
    let (saving, months) = (removed.saving.expect("a saving"), removed.months().expect("months"));
    assert!(saving > 10.0 && (months * saving - removed.usd()).abs() < 1e-9, "{removed:?}");
}

#[test]
fn an_exceeded_limit_is_named_and_met_at_a_cost() {
    let text = text("tickets.design.toml").replace("using = \"by_assignee\"\n", "");
    let (start, rest) = text.split_once("[entity.Ticket.index.by_assignee]").expect("an index");
    let (_, rest) = rest.split_once("[entity.Ticket.index.by_tenant_status]").expect("an index");
    let text = format!("{start}[entity.Ticket.index.by_tenant_status]{rest}");
    let schema = table_codegen::read(&text, "tickets").unwrap_or_else(|error| panic!("{error}"));
    let improved = improved(&from(workload("tickets"), schema.clone()), Some(1));
    let before = improved.before.expect("a design").figures.usd;
    assert!(improved.designed.figures.usd > before, "{before}");
    let [violation] = improved.exceeded.as_slice() else { panic!("{:?}", improved.exceeded) };
    assert_eq!((violation.limit, violation.most), ("hottest", 100.0));
    assert!(improved.designed.figures.hottest <= 100.0 * 1.000_001);
    let [migration] = improved.migrations.as_slice() else { panic!("{:?}", improved.migrations) };
    let jobs: Vec<&str> = migration.jobs.iter().map(|job| job.name).collect();
    assert_eq!(jobs, ["copy", "verify", "switch", "drop"]);
    assert_eq!((migration.subject.as_str(), migration.saving), ("Ticket", None));
}

/// A design with a sparse index, and a query that it does not serve.
const BOARD: &str = r#"
tables = 1
design = "orders"
[entity.Order]
table = "Orders"
partition = "{order}"
row = "order"
[entity.Order.fields]
order = "guid"
restaurant = "u32"
courier = "u32"
status = "enum(open, done)"
[entity.Order.index.by_open_restaurant]
partition = "open_restaurant_{restaurant:03}"
row = "{order}"
when = "status = open"
[query.board]
find = "Order"
where = "restaurant = ? and status = open"
rate = "15/s"
using = "by_open_restaurant"
[query.of_courier]
find = "Order"
where = "courier = ?"
rate = "2/s"
[load.Order]
count = 3_000_000
insert = "3/s"
update = { rate = "3/s", fields = ["courier", "status"] }
values.restaurant = { distinct = 200 }
values.courier = { distinct = 15_000 }
values.status = { share = { open = 0.02 } }
"#;

#[test]
fn a_sparse_index_is_a_path() {
    let schema = table_codegen::read(BOARD, "orders").unwrap_or_else(|error| panic!("{error}"));
    let workload = from(workload_of(&schema), schema.clone());
    for steps in [None, Some(1)] {
        let improved = improved(&workload, steps);
        let [scan] = &*improved.exceeded else { panic!("{:?}", improved.exceeded) };
        assert_eq!((scan.limit, scan.query.as_deref()), ("scan", Some("of_courier")));
        assert!(improved.unmet.is_empty() && improved.kept.is_empty(), "{:?}", improved.unmet);
        let order = improved.designed.schema.entity("Order").expect("an entity");
        let [kept, added] = &*order.indexes else { panic!("{:?}", order.indexes) };
        assert_eq!((kept, added.name.as_str()), (&schema.entities[0].indexes[0], "by_courier"));
        let board = improved.designed.schema.query("board").expect("a query");
        assert_eq!(board.using.as_deref(), Some("by_open_restaurant"));
    }
}

#[test]
fn limits_that_the_result_exceeds_are_named() {
    let schema = table_codegen::read(BOARD, "orders").unwrap_or_else(|error| panic!("{error}"));
    let workload = from(workload_of(&schema), schema);
    for improved in [improved(&keeping(&workload, "Order"), None), improved(&workload, Some(0))] {
        let [scan] = &*improved.unmet else { panic!("{:?}", improved.unmet) };
        assert_eq!((scan.limit, scan.value, scan.most), ("scan", 3e6, 1e3));
    }
}

#[test]
fn an_unchanged_entity_says_what_the_order_requires() {
    let text = "tables = 1\n[entity.Note]\ntable = \"Notes\"\npartition = \"{owner:05}\"\nrow = \"note_{number:08}\"\n\
                [entity.Note.fields]\nowner = \"u32\"\nnumber = \"u32\"\nat = \"datetime\"\n\
                [query.newest]\nfind = \"Note\"\nwhere = \"owner = ?\"\nrate = \"1/h\"\n\
                [load.Note]\ncount = 10_000\nvalues.owner = { distinct = 1_000 }\n";
    let schema = table_codegen::read(text, "notes").unwrap_or_else(|error| panic!("{error}"));
    let mut workload = workload_of(&schema);
    workload.requirements[0].order =
        Some(table_designs::schema::Order { field: "at".to_owned(), is_descending: true });
    workload.content.queries[0].limit = Some(20);
    let improved = improved(&keeping(&from(workload, schema), "Note"), None);
    let words = "The path is not in the order `-at`: sort the result and take the first 20.";
    assert_eq!(improved.designed.unsorted().collect::<Vec<_>>(), [("newest", words)]);
    assert_eq!(improved.designed.schema.queries[0].limit, None);
}

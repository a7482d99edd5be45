//! The load of a design by recorded requests.

use std::collections::BTreeMap;

use table_advisor::trace::{Access, Measured, Request, Tested, Trace, Write, Written};
use table_designs::schema::{EntityLoad, Schema};
use table_schema::language::Comparison;

const TICKETS: &str = r#"
tables = 1
design = "tickets"

[entity.Ticket]
table = "Tickets"
partition = "{tenant:05}"
row = "ticket_{number:08}"

[entity.Ticket.fields]
tenant = "u32"
number = "u32"
status = "string(10)"
subject = "string(100)"
opened = "datetime"

[entity.Ticket.index.by_status]
row = "status_{status}_{number:08}"
copy = ["subject"]

[query.ticket]
find = "Ticket"
where = "tenant = ? and number = ?"
rate = "1/s"

[query.work_list]
find = "Ticket"
where = "tenant = ? and status = ?"
limit = 20
rate = "1/s"

[query.never]
find = "Ticket"
where = "subject = ?"
rate = "1/day"

[load.Ticket]
count = 1_000_000
insert = "5/s"
update = { rate = "1/s", fields = ["status"] }
values.tenant = { distinct = 1_000 }
"#;

/// Returns a hash as the server records it.
fn hash(value: impl std::fmt::Display) -> String {
    format!("#{:012x}", table_advisor::sketch::hash(value.to_string().as_bytes()) >> 16)
}

fn test(property: &str, comparison: Comparison, value: &str) -> Tested {
    Tested { property: property.to_owned(), comparison, value: value.to_owned() }
}

/// A recording of a table.
struct Recording<'s> {
    trace: Trace<'s>,
}

impl<'s> Recording<'s> {
    fn of(schema: &'s Schema) -> Self {
        Self { trace: Trace::new(schema) }
    }

    fn add(&mut self, seconds: f64, access: Access) {
        self.trace.add(&Request { seconds, table: "Tickets".to_owned(), access });
    }

    fn get(&mut self, seconds: f64, tenant: u32, number: u32) {
        let keys = [hash(tenant), format!("ticket_{}", hash(number))];
        self.add(seconds, Access::Get { keys, select: None });
    }

    fn query(&mut self, seconds: f64, filter: Vec<Tested>, select: &[&str], top: Option<u32>) {
        let select = (!select.is_empty()).then(|| select.iter().copied().map(str::to_owned).collect());
        self.add(seconds, Access::Query { filter: Some(vec![filter]), select, top, is_next: false });
    }

    fn write(&mut self, seconds: f64, kind: Written, rows: &[&str], fields: &[&str]) {
        let fields = || fields.iter().copied().map(str::to_owned).collect();
        let write = |row: &&str| Write { kind, keys: [hash(1), (*row).to_owned()], fields: fields() };
        self.add(seconds, Access::Write(rows.iter().map(write).collect()));
    }
}

fn by_status(tenant: u32, status: &str) -> Vec<Tested> {
    let status = hash(status);
    vec![
        test("PartitionKey", Comparison::Equal, &hash(tenant)),
        test("RowKey", Comparison::AtLeast, &format!("status_{status}_")),
        test("RowKey", Comparison::Less, &format!("status_{status}`")),
    ]
}

fn schema() -> Schema {
    table_codegen::read(TICKETS, "tickets.toml").expect("a design")
}

fn rates(measured: &Measured) -> BTreeMap<&str, Option<f64>> {
    let queries = measured.queries.iter();
    queries
        .map(|query| (query.name.as_str(), query.rate.map(table_designs::language::Rate::per_second)))
        .collect()
}

#[test]
fn declared_queries_get_their_measured_rates_limits_and_fields() {
    let schema = schema();
    let mut recording = Recording::of(&schema);
    for second in 0..=100 {
        recording.get(f64::from(second), second, second);
        if second % 4 == 0 {
            let filter = by_status(second, "open");
            recording.query(f64::from(second), filter, &["status", "subject", "_tx"], Some(50));
        }
    }
    let measured = recording.trace.finish();
    let expected = [("never", Some(1.0 / 86_400.0)), ("ticket", Some(1.01)), ("work_list", Some(0.26))];
    assert_eq!(rates(&measured), expected.into());
    let work_list = &measured.queries[1];
    assert_eq!(work_list.limit, Some(50));
    assert_eq!(work_list.select.as_deref(), Some(&["status".to_owned(), "subject".to_owned()][..]));
    assert_eq!(
        measured.notes,
        [
            "127 requests in 100 s. Reads that writes require are recorded as queries.",
            "Queries that were not recorded, with their declared rates: never."
        ]
    );
    let rate = |load: &EntityLoad| load.insert.map(table_designs::language::Rate::per_second);
    assert_eq!(rate(&measured.load[0]), Some(5.0), "no write was recorded");
}

#[test]
fn rates_that_were_not_recorded_can_be_removed() {
    let schema = schema();
    let mut recording = Recording { trace: Trace::new(&schema).recorded_only() };
    recording.get(0.0, 1, 1);
    let measured = recording.trace.finish();
    assert_eq!(rates(&measured), [("never", None), ("ticket", Some(1.0)), ("work_list", None)].into());
    assert!(measured.load[0].insert.is_none() && measured.load[0].updates.is_empty());
    let note = "Queries that were not recorded, without a rate: work_list, never.";
    assert!(measured.notes.iter().any(|known| known == note), "{:?}", measured.notes);
}

/// Queries with literals: by a sparse index, by a parameter, and by two other values.
const BOARDS: &str = r#"
[entity.Ticket.index.open]
row = "open_{number:08}"
when = "status = open"

[query.board]
find = "Ticket"
where = "tenant = ? and status = open"
rate = "3/s"

[query.count]
find = "Ticket"
where = "tenant = ? and status = open"
select = ["number"]
rate = "1/s"

[query.done]
find = "Ticket"
where = "tenant = ? and status = 'done'"
rate = "1/day"

[query.urgent]
find = "Ticket"
where = "number = 1 and subject = ?"
rate = "1/day"
"#;

#[test]
fn literals_determine_the_query() {
    let text = TICKETS.replace("\n[load.Ticket]", &format!("{BOARDS}\n[load.Ticket]"));
    let schema = table_codegen::read(&text, "tickets.toml").expect("a design");
    let mut recording = Recording::of(&schema);
    let partition = test("PartitionKey", Comparison::Equal, &hash(1));
    let sparse = || {
        let [lower, upper] = ["open_", "open`"];
        vec![
            partition.clone(),
            test("RowKey", Comparison::AtLeast, lower),
            test("RowKey", Comparison::Less, upper),
        ]
    };
    let by = |field: &str, value: &str| test(field, Comparison::Equal, value);
    for second in 0..=100 {
        let second = f64::from(second);
        recording.query(second, sparse(), &[], None);
        recording.query(second, vec![partition.clone(), by("status", "done")], &[], None);
        recording.query(second, vec![partition.clone(), by("status", "other")], &[], None);
        recording.query(second, vec![by("number", "1"), by("subject", &hash("x"))], &[], None);
    }
    let measured = recording.trace.finish();
    let rates = rates(&measured);
    let each = Some(1.01);
    assert_eq!([rates["done"], rates["work_list"], rates["urgent"]], [each; 3], "{:?}", measured.notes);
    let [board, count] = [rates["board"], rates["count"]].map(Option::unwrap_or_default);
    assert!((board - 0.7575).abs() < 1e-9 && (count - 0.2525).abs() < 1e-9, "as declared: {board} {count}");
    assert_eq!(measured.queries.len(), schema.queries.len(), "{:?}", measured.notes);
}

#[test]
fn hashed_literals_are_counted_with_a_note() {
    let text = TICKETS.replace("status = ?", "status = open");
    let schema = table_codegen::read(&text, "tickets.toml").expect("a design");
    let mut recording = Recording::of(&schema);
    recording.query(0.0, by_status(1, "open"), &[], None);
    let shown = ["status_closed_", "status_closed`"];
    let [partition, ..] = &*by_status(1, "") else { panic!("a query") };
    let shown = vec![
        partition.clone(),
        test("RowKey", Comparison::AtLeast, shown[0]),
        test("RowKey", Comparison::Less, shown[1]),
    ];
    recording.query(1.0, shown, &[], None);
    let measured = recording.trace.finish();
    assert_eq!(rates(&measured)["work_list"], Some(1.0));
    assert_eq!(rates(&measured)["ticket_by_status_tenant"], Some(1.0), "another value");
    let notes = measured.notes.join("\n");
    assert!(notes.contains("1 queries are counted for conditions with literals"), "{notes}");
}

#[test]
fn shapes_that_the_design_does_not_declare_are_added_or_named() {
    let schema = schema();
    let mut recording = Recording::of(&schema);
    for second in 0..2_000 {
        recording.get(f64::from(second), 1, 1);
    }
    for second in 0..20 {
        let mut filter = by_status(1, "open");
        filter.push(test("subject", Comparison::Equal, "x"));
        recording.query(f64::from(second), filter, &[], None);
    }
    // The rest of a page of another call.
    let filter = Some(vec![by_status(1, "open")]);
    recording.add(20.0, Access::Query { filter, select: None, top: None, is_next: true });
    let rare =
        vec![test("PartitionKey", Comparison::Equal, &hash(1)), test("opened", Comparison::Greater, "x")];
    recording.query(20.0, rare, &[], None);
    let measured = recording.trace.finish();
    let added = measured.queries.last().expect("queries");
    assert_eq!(added.name, "ticket_by_status_subject_tenant");
    assert_eq!(
        (added.filter.as_ref().map(|filter| filter.text.as_str()), added.using.as_deref()),
        (Some("status = ? and subject = ? and tenant = ?"), Some("by_status"))
    );
    assert_eq!(added.select.as_ref().map(Vec::len), Some(4), "what the index contains");
    assert_eq!(measured.queries.len(), schema.queries.len() + 1);
    let folded =
        "Left out, with less than 0.1 % of the requests each: Ticket: opened between ? and tenant = ? (1).";
    assert!(measured.notes.iter().any(|note| note == folded), "{:?}", measured.notes);
}

#[test]
fn alternatives_are_several_values_of_a_field() {
    let schema = schema();
    let mut recording = Recording::of(&schema);
    let alternatives = vec![by_status(1, "open"), by_status(1, "waiting")];
    let access = Access::Query { filter: Some(alternatives), select: None, top: None, is_next: false };
    recording.add(0.0, access);
    let mixed = vec![by_status(1, "open"), vec![test("opened", Comparison::Greater, "x")]];
    recording.add(0.0, Access::Query { filter: Some(mixed), select: None, top: None, is_next: false });
    recording.add(1.0, Access::Query { filter: None, select: None, top: None, is_next: false });
    let measured = recording.trace.finish();
    let added = measured.queries.last().expect("queries");
    assert_eq!(added.filter.as_ref().map(|filter| filter.text.as_str()), Some("status in ? and tenant = ?"));
    let notes = measured.notes.join("\n");
    assert!(notes.contains("1 queries have a filter"), "{notes}");
    assert!(notes.contains("1 requests match no row type"), "{notes}");
}

#[test]
fn writes_are_those_of_entities_and_not_of_their_derived_rows() {
    let schema = schema();
    let mut recording = Recording::of(&schema);
    let [ticket, copy] = [format!("ticket_{}", hash(7)), format!("status_{}_{}", hash("open"), hash(7))];
    for second in 0..=10 {
        let second = f64::from(second);
        recording.write(second, Written::Insert, &[&ticket, &copy, "!o_#0123456789ab"], &[]);
        recording.write(second, Written::Merge, &[&ticket], &["status", "_tx"]);
        recording.write(second, Written::Merge, &[&ticket], &["_total"]);
    }
    recording.write(10.0, Written::Delete, &[&ticket, &copy], &[]);
    let measured = recording.trace.finish();
    let load = &measured.load[0];
    let rate =
        |rate: Option<table_designs::language::Rate>| rate.map(table_designs::language::Rate::per_second);
    assert_eq!([rate(load.insert), rate(load.upsert), rate(load.delete)], [Some(1.1), None, Some(0.1)]);
    let updates: Vec<_> =
        load.updates.iter().map(|update| (update.rate.per_second(), update.fields.clone())).collect();
    assert_eq!(updates, [(1.1, Some(vec!["status".to_owned()]))]);
    assert_eq!(load.count, Some(1_000_000));
    assert!(measured.notes.iter().any(|note| note.starts_with("11 requests for rows of the library")));
}

#[test]
fn replacements_keep_the_declared_proportions_of_updates() {
    let schema = schema();
    let mut recording = Recording::of(&schema);
    for second in 0..=10 {
        recording.write(f64::from(second), Written::Replace, &[&format!("ticket_{}", hash(7))], &[]);
    }
    let measured = recording.trace.finish();
    let [update] = &*measured.load[0].updates else { panic!("{:?}", measured.load) };
    assert_eq!((update.rate.per_second(), update.fields.as_deref()), (1.1, Some(&["status".to_owned()][..])));
}

#[test]
fn the_skew_of_partitions_is_measured() {
    let schema = schema();
    let mut recording = Recording::of(&schema);
    for tenant in 1..=2_000_u32 {
        for second in 0..(6_000 / tenant) {
            recording.get(f64::from(second), tenant, second);
        }
    }
    let measured = recording.trace.finish();
    let values = measured.load[0].values_of("tenant").expect("values");
    assert_eq!(values.distinct, Some(2_000), "more than the declared 1,000");
    let zipf = values.zipf.expect("a skew");
    assert!((zipf - 1.0).abs() < 0.1, "{zipf}");
}

#[test]
fn hashed_literals_make_row_types_ambiguous_and_few_requests_say_so() {
    let text = TICKETS.replace("status_{status}_{number:08}", "number_{number:08}");
    let schema = table_codegen::read(&text, "tickets.toml").expect("a design");
    let mut recording = Recording::of(&schema);
    let keys = [hash(1), format!("{}_{}", hash("ticket"), hash(7))];
    recording.add(0.0, Access::Get { keys, select: None });
    let measured = recording.trace.finish();
    let notes = measured.notes.join("\n");
    assert!(notes.contains("1 requests match several row types"), "{notes}");
    assert!(notes.contains("record longer"), "{notes}");
    assert_eq!(rates(&measured)["ticket"], Some(1.0));
    let nothing = Trace::new(&schema).finish();
    assert_eq!(nothing.notes, ["No requests were recorded: the declared load is used."]);
}

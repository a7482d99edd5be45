use table_store::{Condition, Operation, TableName, TableService};

use super::*;

const DESIGN: &str = r#"
tables = 1
design = "tickets"
[entity.Ticket]
table = "Tickets"
partition = "{tenant:05}"
row = "ticket_{number:08}"
index.by_status = { row = "status_{status}_{number:08}", copy = ["subject"] }
index.by_reference = { partition = "reference_{reference:esc}", row = "ticket", unique = true, copy = [] }
[entity.Ticket.fields]
tenant = "u32"
number = "u32"
status = "enum(open, waiting, solved, closed)"
reference = "string(16)"
subject = "string(120)"
opened = "datetime"
[query.work_list]
find = "Ticket"
where = "tenant = ? and status = ?"
select = ["number", "subject"]
using = "by_status"
rate = "4/s"
[query.recent]
find = "Ticket"
where = "tenant = ? and opened >= 20%"
using = "primary"
rate = "1/min"
[query.by_reference]
find = "Ticket"
where = "reference = ?"
using = "by_reference"
rate = "1/s"
[load.Ticket]
count = 400
insert = "1/s"
update = { rate = "2/s", fields = ["subject"] }
delete = "1/min"
values.tenant = { distinct = 10, zipf = 0.5 }
values.number = { distinct = 400, rising = true, within = "tenant" }
values.subject = { chars = 40 }
"#;

/// Executes a design that is changed after its entities were stored, or whose model is another one.
fn proof(change: impl Fn(&Store), design: &str, predicted: &str) -> Proof {
    let scaled = scaled::scaled(&table_codegen::read(design, "tickets.toml").unwrap(), 400);
    let predicted = scaled::scaled(&table_codegen::read(predicted, "predicted.toml").unwrap(), 400).schema;
    let run = block_on(Run::load(&scaled)).unwrap();
    change(&run.store);
    block_on(run.compare(&predicted)).unwrap()
}

/// Returns the operations that differ, with the first difference of each.
fn failures(proof: &Proof) -> Vec<(&str, &str)> {
    let failed = |line: &'_ Line| line.failures.first().map(|failure| (line.name.clone(), failure.clone()));
    assert_eq!(
        proof.holds(),
        proof.lines.iter().all(|line| failed(line).is_none()) && proof.differences.is_empty()
    );
    proof.lines.iter().filter_map(|line| Some((&*line.name, &**line.failures.first()?))).collect()
}

#[test]
fn execution_of_a_design_agrees_with_its_model() {
    let proof = proof(|_| {}, DESIGN, DESIGN);
    assert!(proof.holds() && proof.left.is_empty(), "{}", proof.text());
    assert_eq!(proof.lines.len(), 6);
    assert_eq!(proof.partitions.len(), 2);
    assert!(proof.json()["holds"].as_bool().is_some_and(|holds| holds));
}

#[test]
fn index_that_lacks_a_row_is_found() {
    let proof = proof(
        |store| {
            let table = TableName::new("Tickets").unwrap();
            let rows = requested(store.query(&table, table_store::Query::new()));
            let row =
                rows.rows.iter().find(|row| row.row_key.is_some_and(|key| key.starts_with("status_open")));
            let row = row.unwrap();
            let (partition_key, row_key) = (row.partition_key.unwrap().into(), row.row_key.unwrap().into());
            let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
            requested(store.execute(&table, &delete));
        },
        DESIGN,
        DESIGN,
    );
    let failures = failures(&proof);
    assert!(
        matches!(failures[..], [("work_list", reason), ..] if reason.contains("a scan finds")),
        "{failures:?}"
    );
}

#[test]
fn wrong_coefficient_of_the_model_is_found() {
    let proof = proof(
        |_| {},
        DESIGN,
        &DESIGN.replace("chars = 40", "chars = 60").replace("distinct = 10,", "distinct = 4,"),
    );
    let failures: Vec<&str> = failures(&proof).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        failures,
        ["work_list", "recent", "by_reference", "Ticket.insert", "Ticket.update(subject)"],
        "{}",
        proof.text()
    );
}

#[test]
fn values_that_a_design_names_are_used() {
    let design = DESIGN
        .replace(
            "row = \"status_{status}_{number:08}\"",
            "row = \"waiting_{number:08}\", when = \"status = waiting\"",
        )
        .replace("status = ?", "status = waiting");
    let design = format!("{design}values.status = {{ share = {{ waiting = 0.1 }} }}\n");
    let proof = proof(|_| {}, &design, &design);
    assert!(proof.holds() && proof.left.is_empty(), "{}", proof.text());
    let line = proof.lines.iter().find(|line| line.name == "work_list").unwrap();
    let returned = line.measures.iter().find(|measure| measure.what == "returned").unwrap();
    assert!((returned.executed - 4.0).abs() < 0.5, "{returned:?}");
}

#[test]
fn queries_of_one_partition_do_not_predict_its_rows() {
    let design = DESIGN.replace("tenant = ?", "tenant = 3");
    let proof = proof(|_| {}, &design, &design);
    assert!(proof.holds() && proof.left.is_empty(), "{}", proof.text());
}

#[test]
fn updates_of_unique_fields_set_unused_values() {
    for fields in ["\"reference\"", "\"status\", \"subject\""] {
        let design = DESIGN.replace("fields = [\"subject\"]", &format!("fields = [{fields}]")).replace(
            "by_status = { row",
            "by_subject = { partition = \"subject_{subject:esc}\", row = \"status_{status}\", unique = true, copy = [] }\n\
             index.by_status = { row",
        );
        let design =
            format!("{design}values.status = {{ distinct = 4 }}\n").replace("chars = 40", "distinct = 300");
        let proof = proof(|_| {}, &design, &design);
        let is_updated = proof.lines.iter().any(|line| line.name.starts_with("Ticket.update"));
        assert!(is_updated && proof.differences.is_empty(), "{}", proof.text());
    }
}

#[test]
fn alternatives_of_or_are_executed_one_by_one() {
    let design = DESIGN
        .replace("tenant = ? and status = ?", "tenant = ? and status = ? or tenant = ? and status in 2");
    let proof = proof(
        |_| {},
        &design.replace("using = \"by_status\"\n", ""),
        &design.replace("using = \"by_status\"\n", ""),
    );
    assert!(proof.holds() && proof.left.is_empty(), "{}", proof.text());
    let names =
        proof.lines.iter().map(|line| line.name.as_str()).filter(|name| name.starts_with("work_list"));
    assert_eq!(names.collect::<Vec<_>>(), ["work_list (or 1)", "work_list (or 2)"], "{}", proof.text());
}

#[test]
fn combinations_that_no_entity_has_are_explained() {
    let design = format!("{DESIGN}values.status = {{ share = {{ open = 0.96 }} }}\n")
        .replace("values.tenant = { distinct = 10", "values.tenant = { distinct = 40");
    let proof = proof(|_| {}, &design, &design);
    assert!(proof.holds() && proof.left.is_empty(), "{}", proof.text());
    let explained = proof.lines.iter().flat_map(|line| &line.explained);
    let is_explained =
        |text: &String| text.contains("of 160 combinations of the values, and calls use those");
    assert!(explained.into_iter().any(is_explained), "{}", proof.text());
}

#[test]
fn shards_and_partitions_of_periods_are_executed() {
    for (partition, row, filter, devices) in [
        ("{shard:02}", "{at:ticks}_{device:06}", "at within 9d", 20),
        ("{device:06}_{at:%Y%m}", "event_{at:inverted_ticks}", "device = ? and at within 40d", 5),
        ("{device:06}", "{at:inverted_ticks}", "device = ? and at >= 10%", 20),
    ] {
        let design = format!(
            r#"
tables = 1
[entity.Event]
table = "Events{month}"
partition = "{partition}"
row = "{row}"
{shard}
keep = "90d"
[entity.Event.fields]
device = "u32"
at = "datetime"
level = "u8"
[query.recent]
find = "Event"
where = "{filter}"
rate = "1/s"
[load.Event]
count = 400
insert = "1/s"
update = {{ rate = "1/s", fields = ["level"] }}
delete = "1/min"
values.device = {{ distinct = {devices} }}
"#,
            month = if row.starts_with("{at:inverted") { "{at:%Y%m%d}" } else { "" },
            shard = if partition.contains("shard") { "shard = { of = \"device\", count = 4 }" } else { "" },
        );
        let proof = proof(|_| {}, &design, &design);
        assert!(proof.holds() && proof.left.is_empty(), "{partition}: {}", proof.text());
        assert_eq!(proof.lines.len(), 4, "{partition}: {}", proof.text());
    }
}

#[test]
fn execution_of_nothing_proves_nothing() {
    let design = DESIGN.replace("row = \"ticket_{number:08}\"", "row = \"ticket\"");
    let proof = proof(|_| {}, &design, &design);
    assert!(proof.lines.is_empty() && !proof.holds(), "{}", proof.text());
    assert!(proof.text().ends_with("Nothing was executed, so nothing is proved.\n"), "{}", proof.text());
    assert_eq!(proof.json()["holds"], false);
}

fn requested<T>(work: impl Future<Output = table_store::Result<T>>) -> T {
    block_on(async { Ok(work.await?) }).unwrap()
}

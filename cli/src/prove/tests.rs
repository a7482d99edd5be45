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
    let schema = scaled::scaled(&table_codegen::read(design, "tickets.toml").unwrap(), 400).schema;
    let predicted = scaled::scaled(&table_codegen::read(predicted, "predicted.toml").unwrap(), 400).schema;
    let run = block_on(Run::load(&schema, 1.0)).unwrap();
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

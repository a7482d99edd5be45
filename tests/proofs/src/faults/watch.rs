//! Invariants of every instant, checked by raw reads during the run.
//!
//! No two reads are from one instant. But versions are unique: if an entity has the same version before and after the
//! read of another entity, both had the read values at the instant of that read.

use std::{collections::BTreeMap, path::Path, thread, time::Duration};

use pollster::block_on;
use table_store::{
    Filter, Query, Row, TableName, TableService, Value,
    blob::{BlobAddress, BlobConditions},
};

use crate::faults::{
    client,
    connect::{Failure, Services},
    drain::Backlog,
    journal::Journal,
};

/// Watches until the end of the run. `services` provides the current server.
///
/// # Errors
///
/// Returns an error if the journal cannot be created.
pub fn run(
    folder: &Path,
    life: u64,
    services: impl Fn() -> Option<Services>,
    pause: Duration,
) -> std::io::Result<()> {
    let mut journal = client::journal(folder, "watch", 0, life)?;
    let mut passes = 0_u64;
    while !client::is_over(folder) {
        passes += 1;
        if let Some(services) = services() {
            // A failed request proves nothing: the server was killed, or has not started yet.
            let result = look(&services, &mut journal);
            if passes % 8 == 1
                && let Ok(backlog) = Backlog::count(&services)
            {
                journal.note("backlog", &backlog.commits.to_string());
            }
            journal.note(if result.is_ok() { "watched" } else { "watched in vain" }, "");
        }
        thread::sleep(pause);
    }
    Ok(())
}

fn look(services: &Services, journal: &mut Journal) -> Result<(), Failure> {
    let table: TableName = "People".parse()?;
    let people = people(&*services.tables, &table)?;
    let mut owners: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for person in &people {
        for value in values(person) {
            owners.entry(value).or_default().push(person);
        }
    }
    for (value, owners) in &owners {
        for pair in owners.windows(2) {
            if own_both(&*services.tables, &table, pair[0], pair[1], value)? {
                journal.violation(&format!("two owners of {value}: {} and {}", name(pair[0]), name(pair[1])));
            }
        }
    }
    for person in people.iter().filter(|person| person.timestamp.is_some()) {
        if !has_its_blob(services, &table, person)? {
            journal.violation(&format!("{} names a blob that does not exist", name(person)));
        }
    }
    Ok(())
}

fn people(service: &dyn TableService, table: &TableName) -> Result<Vec<Row>, Failure> {
    let (mut people, mut query) =
        (Vec::new(), Query::new().filter(Filter::parse("RowKey ge 'p_' and RowKey lt 'p`'")?));
    loop {
        let segment = block_on(service.query(table, query.clone()))?;
        people.extend(segment.rows);
        match segment.continuation {
            None => return Ok(people),
            Some(token) => query = query.continuation(token),
        }
    }
}

/// Returns the values that no two people may have at the same time.
fn values(person: &Row) -> Vec<String> {
    let mut values = Vec::new();
    if let Some(Value::String(email)) = person.properties.get("email") {
        values.push(format!("email {email} in {}", person.partition_key.as_deref().unwrap_or_default()));
    }
    if let Some(Value::Int64(badge)) = person.properties.get("badge") {
        values.push(format!("badge {badge}"));
    }
    values
}

/// Returns whether both have the value at one instant, the instant of the second of three reads.
fn own_both(
    service: &dyn TableService,
    table: &TableName,
    one: &Row,
    other: &Row,
    value: &str,
) -> Result<bool, Failure> {
    let again = |row: &Row| -> Result<Option<Row>, Failure> {
        let (partition_key, row_key) = (row.partition_key.as_deref(), row.row_key.as_deref());
        Ok(block_on(service.get(
            table,
            partition_key.unwrap_or_default(),
            row_key.unwrap_or_default(),
            None,
        ))?)
    };
    let before = again(one)?;
    let between = again(other)?;
    let after = again(one)?;
    let has =
        |row: &Option<Row>| row.as_ref().is_some_and(|row| values(row).iter().any(|known| known == value));
    let is_same = before.as_ref().map(|row| &row.etag) == after.as_ref().map(|row| &row.etag);
    Ok(is_same && has(&before) && has(&between))
}

/// Returns whether the blob that a person names exists, unless the person has changed since.
fn has_its_blob(services: &Services, table: &TableName, person: &Row) -> Result<bool, Failure> {
    let Some(Value::String(reference)) = person.properties.get("photo") else { return Ok(true) };
    let reference: serde_json::Value = serde_json::from_str(reference)?;
    let address = BlobAddress::new("people", reference["blob"].as_str().unwrap_or_default())?;
    match block_on(services.blobs.blob_properties(&address, &BlobConditions::none())) {
        Err(error) if error.is_not_found() => {}
        other => return Ok(other.map(|_| true)?),
    }
    let (partition_key, row_key) = (person.partition_key.as_deref(), person.row_key.as_deref());
    let again =
        services.tables.get(table, partition_key.unwrap_or_default(), row_key.unwrap_or_default(), None);
    Ok(block_on(again)?.is_none_or(|row| row.etag != person.etag))
}

fn name(row: &Row) -> String {
    let (partition_key, row_key) = (row.partition_key.as_deref(), row.row_key.as_deref());
    format!("{}/{}", partition_key.unwrap_or_default(), row_key.unwrap_or_default())
}

//! Reads all rows of the design's tables once, segment by segment.

use table_designs::schema::{RecognizedRow, RowKinds, Schema, TableKinds};
use table_store::{Query, TableName, TableService, rows::RowRef, value::ValueRef};

use super::{EntitySeen, Observed};
use crate::{error::CommandError, location::list_tables, progress::Progress};

/// Prefix of the library's own row keys.
const OWN: char = '!';

pub(super) async fn walk(
    schema: &Schema,
    place: &str,
    tables: &dyn TableService,
) -> Result<Observed, CommandError> {
    let kinds = RowKinds::new(schema);
    let mut observed = Observed {
        place: place.to_owned(),
        tables: Vec::new(),
        others: Vec::new(),
        rows: 0,
        own: 0,
        unknown: 0,
        strays: Vec::new(),
        entities: schema.entities.iter().map(EntitySeen::new).collect(),
    };
    let progress = Progress::of_unknown();
    for table in list_tables(tables).await? {
        match kinds.in_table(table.as_str()) {
            Some(kinds) => {
                read(schema, tables, &table, &kinds, &mut observed, &progress).await?;
                observed.tables.push(table.to_string());
            }
            None if is_archive(schema, &table) => {}
            None => observed.others.push(table.to_string()),
        }
    }
    Ok(observed)
}

/// Returns whether the table is an archive of an entity in the design.
fn is_archive(schema: &Schema, table: &TableName) -> bool {
    let mut archives = schema.entities.iter().filter_map(|entity| entity.archive.as_ref());
    archives.any(|archive| archive.to.eq_ignore_ascii_case(table.as_str()))
}

fn recognize<'r>(kinds: &'r TableKinds<'_>, row: &RowRef<'r>) -> Option<RecognizedRow<'r>> {
    let entity_type = match row.properties.get("EntityType") {
        Some(ValueRef::String(said)) => Some(said),
        _ => None,
    };
    kinds.recognize(row.partition_key?, row.row_key?, entity_type)
}

async fn read(
    schema: &Schema,
    tables: &dyn TableService,
    table: &TableName,
    kinds: &TableKinds<'_>,
    observed: &mut Observed,
    progress: &Progress,
) -> Result<(), CommandError> {
    let mut query = Query::new();
    loop {
        let segment = tables.query(table, query).await?;
        for row in &segment.rows {
            observed.rows += 1;
            if row.row_key.is_some_and(|key| key.starts_with(OWN)) {
                observed.own += 1;
                continue;
            }
            let recognized = recognize(kinds, &row);
            let seen = recognized.and_then(|recognized| {
                let number = recognized.entity;
                let known = schema.entities.get(number).zip(observed.entities.get_mut(number));
                known.map(|(design, seen)| seen.add(design, &recognized, &row))
            });
            if seen.is_none() {
                observed.stray(table.as_str(), &row);
            }
        }
        progress.count(observed.rows, "rows");
        match segment.continuation {
            Some(next) => query = Query::new().continuation(next),
            None => break,
        }
    }
    for entity in &mut observed.entities {
        entity.finish();
    }
    Ok(())
}

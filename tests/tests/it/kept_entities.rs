//! No job deletes or changes an entity, whatever design it runs with: random pairs of designs on a store that fits one
//! of them or neither.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on says why")]

use std::collections::BTreeMap;

use pollster::block_on;
use table_codegen::{Schema, read};
use table_patterns::{Designed, Tables};
use table_store::{Operation, Query, TableName, Value};
use table_tests::{
    designs::{KeyValues, RandomDesign},
    seed::Seed,
};

/// A random design that the rules accept.
#[derive(Debug)]
struct Form {
    design: RandomDesign,
    schema: Schema,
}

fn random_form(dice: &mut Seed) -> Option<Form> {
    let design = RandomDesign::new(dice);
    let schema = read(&design.text, "random").ok()?;
    Some(Form { design, schema })
}

type Rows = BTreeMap<(String, String), BTreeMap<String, Value>>;

/// Returns the rows without the token, which a repair of index rows changes.
fn rows(tables: &Tables) -> Rows {
    let found =
        block_on(tables.service().query(&TableName::new("Items").unwrap(), Query::default())).unwrap();
    let row = |row: table_store::RowRef<'_>| {
        let properties = row.properties.iter().filter(|(name, _)| *name != "_tx");
        let properties = properties.map(|(name, value)| (name.to_owned(), value.to_value())).collect();
        ((row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned()), properties)
    };
    found.rows.iter().map(row).collect()
}

/// Runs all jobs that write or delete rows, and returns how many rows remained because they may be entities.
fn run_jobs(tables: &Tables, designed: &Designed, dice: &mut Seed) -> u64 {
    let (b, mut left) = (tables.blocking(), 0);
    let indexes: Vec<&str> = designed.design().indexes.iter().map(|index| index.name).collect();
    for _ in 0..4 {
        let index = dice.pick(&indexes).copied().unwrap_or_default();
        match dice.below(3) {
            0 => left += b.sweep(designed.remove_index_rows(index)).map_or(0, |report| report.left_count),
            1 => drop(b.sweep(designed.reindex(index))),
            _ => drop(b.sweep(designed.verify().repair())),
        }
        drop(block_on(tables.catch_up()));
    }
    left
}

#[test]
fn no_job_deletes_or_changes_an_entity() {
    let (mut left, mut derived) = (0, 0);
    for seed in 0..250 {
        let mut dice = Seed::new(seed);
        let mut form = || (0..100).find_map(|_| random_form(&mut dice)).unwrap();
        let (written, neither) = ([form(), form()], form());
        let service = Tables::in_memory().unwrap();
        // Two handles, because one handle rejects designs whose keys meet.
        let handle = || {
            Tables::from_services(
                service.service().clone(),
                Some(service.queues().unwrap().clone()),
                Some(service.blobs().unwrap().clone()),
            )
        };
        let owner = if dice.chance(1, 3) { &neither } else { &written[0] };
        let table = TableName::new("Items").unwrap();
        block_on(service.service().create_table(&table)).unwrap();
        for id in 1..6 {
            let values = KeyValues::new(id, &mut dice);
            let entity = owner.design.entity(&values, &mut dice);
            drop(block_on(service.service().execute(&table, &Operation::Insert(entity))));
        }
        let kept = rows(&service);
        // The rows of the indexes that the entities had.
        if let Ok(designed) = handle().design(&owner.schema, "Item") {
            drop(service.blocking().sweep(designed.verify().repair()));
        }
        derived += rows(&service).len() - kept.len();
        for _ in 0..3 {
            let form = &written[dice.below(2)];
            let tables = handle();
            let Ok(designed) = tables.design(&form.schema, "Item") else { continue };
            left += run_jobs(&tables, &designed, &mut dice);
            let now = rows(&service);
            for (key, entity) in &kept {
                assert_eq!(now.get(key), Some(entity), "seed {seed}: {key:?}\n{owner:?}\n{form:?}");
            }
        }
    }
    // Jobs met entities at keys of their indexes, and rows that they delete.
    assert!(derived > 300 && left > 30, "{derived} derived rows, {left} rows left");
}

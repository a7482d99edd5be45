//! No job deletes or changes an entity, whatever design it runs with: random pairs of designs on a store that fits one
//! of them or neither.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on says why")]

use std::{collections::BTreeMap, fmt::Write};

use pollster::block_on;
use table_codegen::{Schema, read};
use table_patterns::{Designed, Tables};
use table_store::{Entity, Operation, Query, TableName, Value};
use table_tests::seed::Seed;

/// Forms of row keys. Each is that of an entity in one design, and that of an index in another one.
const FORMS: [&str; 6] =
    ["e_{id:04}", "e_{id:06}", "m_{mail}", "c_{city}_{id:04}", "{id:04}", "x_{mail}_{id:04}"];
const FIELDS: &str =
    "club = \"string\"\nid = \"u16\"\nmail = \"string\"\ncity = \"string\"\nage = \"i32?\"\n";

/// A random design of one entity type.
#[derive(Debug)]
struct Form {
    row: &'static str,
    is_typed: bool,
    schema: Schema,
}

/// Returns a random design, or `None` if the rules reject it.
fn random_form(dice: &mut Seed) -> Option<Form> {
    let row = *dice.pick(&FORMS)?;
    let is_typed = dice.chance(1, 2);
    let entity_type = if is_typed { "always" } else { "none" };
    let mut text = format!(
        "tables = 1\n[entity.Item]\ntable = \"Items\"\npartition = \"{{club}}\"\nrow = \"{row}\"\nentity_type = \
         \"{entity_type}\"\n[entity.Item.fields]\n{FIELDS}"
    );
    for number in 0..dice.below(3) {
        let form = dice.pick(&FORMS)?;
        let copy = *dice.pick(&["", "copy = []\n", "copy = [\"age\"]\n"])?;
        let unique = if form.contains("{id") { "" } else { "unique = true\n" };
        let place = *dice.pick(&["", "", "", "partition = \"f_{city}\"\n", "table = \"Others\"\n"])?;
        _ = write!(text, "[entity.Item.index.by_{number}]\nrow = \"{form}\"\n{copy}{unique}{place}");
    }
    if dice.chance(1, 3) {
        let place = *dice.pick(&["partition", "table", "blob"])?;
        let word = *dice.pick(&["e", "m", "c"])?;
        let (row, ids) = match place {
            "partition" => (format!("row = \"{word}_{{city}}\"\n"), dice.chance(1, 2)),
            _ => (String::new(), place == "table" && dice.chance(1, 2)),
        };
        let ids = if ids { "ids = \"mail\"\n" } else { "" };
        _ = write!(text, "[entity.Item.lookup.of_city]\non = [\"city\"]\nplace = \"{place}\"\n{row}{ids}");
    }
    Some(Form { row, is_typed, schema: read(&text, "random").ok()? })
}

/// Returns a stored entity with a key of a form, as a program writes it.
fn entity(form: &Form, id: usize, dice: &mut Seed) -> Entity {
    let (mail, city) = (dice.below(9999).to_string(), ["0001", "Oslo"][dice.below(2)]);
    let key = form.row.replace("{id:04}", &format!("{id:04}")).replace("{id:06}", &format!("{id:06}"));
    let key = key.replace("{mail}", &mail).replace("{city}", city);
    let mut entity = Entity::new("a", &*key);
    let fields: [(&'static str, Value); 3] =
        [("id", Value::Int32(id.try_into().unwrap())), ("mail", mail.into()), ("city", city.into())];
    for (name, value) in fields {
        if !form.row.contains(&format!("{{{name}")) {
            entity = entity.with(name, value);
        }
    }
    if dice.chance(1, 2) {
        entity = entity.with("age", i32::try_from(id).unwrap());
    }
    // An entity with derived rows has the token of the transaction that wrote it.
    if dice.chance(1, 2) {
        entity = entity.with("_tx", format!("0{id:025}"));
    }
    if form.is_typed { entity.with("EntityType", "Item") } else { entity }
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
            let entity = entity(owner, id, &mut dice);
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

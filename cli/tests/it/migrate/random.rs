//! Random migrations through the command, which is killed between and within its steps: no entity and no property is
//! lost, and the rows are at the keys of the new design.

mod interrupted;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::AddAssign,
};

use interrupted::{Ended, Interruption, Proxy};
use table_store::{Entity, ErrorCode, Query, RowRef, TableName, Value};
use table_tests::{
    designs::{KeyValues, RandomDesign},
    seed::Seed,
};

use super::{Company, process::Running, text};

/// The table, the partition key and the row key of a row.
type Key = [String; 3];
/// The properties of each row, without the token, which a repair of index rows changes.
type Rows = BTreeMap<Key, BTreeMap<String, Value>>;

#[derive(Debug, Default)]
struct Totals {
    complete: usize,
    blocked: usize,
    failed: usize,
    killed: usize,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.complete += other.complete;
        self.blocked += other.blocked;
        self.failed += other.failed;
        self.killed += other.killed;
    }
}

/// `MIGRATE_SEEDS=FROM..TO` selects other seeds. Designs that need other names are refused as a whole (`blocked`), and
/// equal values of a unique index end a migration (`failed`); entities remain there as well.
#[test]
fn random_migrations_that_are_killed_lose_nothing() {
    let asked = std::env::var("MIGRATE_SEEDS").ok();
    let range = asked.as_deref().and_then(|text| text.split_once(".."));
    let (first, end) = range.map_or((0, 4), |(first, end)| (first.parse().unwrap(), end.parse().unwrap()));
    let mut totals = Totals::default();
    for seed in first..end {
        totals += migrate(seed);
        // The position of a long run.
        println!("seed {seed}: {totals:?}");
    }
    assert!(range.is_some() || totals.complete > 1 && totals.killed > 1, "{totals:?}");
}

/// Returns two designs of the same entities.
fn designs(dice: &mut Seed) -> [RandomDesign; 2] {
    let is_valid = |design: &RandomDesign| table_codegen::read(&design.text, "random").is_ok();
    loop {
        let old = RandomDesign::new(dice);
        let new = old.other(dice);
        if is_valid(&old) && is_valid(&new) && old.text != new.text {
            return [old, new];
        }
    }
}

fn migrate(seed: u64) -> Totals {
    let mut dice = Seed::new(seed);
    let [old, new] = designs(&mut dice);
    let company = Company { folder: tempfile::tempdir().unwrap() };
    for (name, design) in [("old.toml", &old), ("new.toml", &new)] {
        std::fs::write(company.path(name), &design.text).unwrap();
    }
    let (entities, values) = load(&company, &old, &mut dice);

    let server = Running::start(&["--data", text(company.folder.path())]);
    let place = server.word("connect").to_owned();
    let (mut totals, mut last) = (Totals::default(), None);
    let words = ["migrate", "--from", "old.toml", "--design", "new.toml"];
    let code = loop {
        assert!(totals.killed < 200, "seed {seed}: no progress");
        let interruption = dice
            .chance(2, 3)
            .then(|| Interruption { after: 1 + dice.below(30), is_executed: dice.chance(1, 2) });
        let proxy = Proxy::new(&place, interruption);
        let done: Vec<&str> = last.iter().flat_map(|step: &String| ["--done", step]).collect();
        let command = company.command(proxy.place(), &[&words[..], &done].concat());
        match proxy.run(command) {
            Ended::Killed => totals.killed += 1,
            Ended::Exit(3, out) => {
                let step = out.trim_end().rsplit(' ').next().unwrap().to_owned();
                assert!(out.contains("run the command with --done") && last.as_ref() != Some(&step), "{out}");
                last = Some(step);
            }
            Ended::Exit(4, _) => {}
            Ended::Exit(code, out) => break (code, out),
        }
    };
    let about = || format!("seed {seed}: {code:?}\n{}\n{}", old.text, new.text);
    if code.0 == 0 {
        let words = ["verify", "--design", "new.toml", "--no-rows"];
        let (verified, out, errors) = company.run(&place, &words);
        assert_eq!(verified, 0, "{out}{errors}{}", about());
    }
    assert_eq!(server.signal("-TERM"), Some(0));

    let after = rows(&company);
    for (key, entity) in &entities {
        assert_eq!(after.get(key), Some(entity), "{key:?} {}", about());
    }
    match code.0 {
        0 => {
            totals.complete += 1;
            let keys = |design: &RandomDesign| -> BTreeSet<Key> {
                let of = |values: &KeyValues| -> Vec<Key> {
                    design.indexes.iter().map(|form| form.map(|form| values.key(form))).collect()
                };
                values.iter().flat_map(of).collect()
            };
            let [before, now] = [&old, &new].map(keys);
            for key in &now {
                assert!(after.contains_key(key), "no index row at {key:?} {}", about());
            }
            for key in before.iter().filter(|key| !now.contains(*key) && !entities.contains_key(*key)) {
                assert!(!after.contains_key(key), "index row at {key:?} {}", about());
            }
        }
        5 => totals.blocked += 1,
        code => {
            assert_eq!(code, 1, "{}", about());
            // Equal values of a unique index, or rows that may be entities.
            totals.failed += 1;
        }
    }
    totals
}

/// Writes entities and the derived rows of the old design. Returns the entities.
fn load(company: &Company, design: &RandomDesign, dice: &mut Seed) -> (Rows, Vec<KeyValues>) {
    let tables = company.open(false);
    let (service, items) = (tables.service(), TableName::new("Items").unwrap());
    let wait = tokio::runtime::Runtime::new().unwrap();
    for table in ["Items", "Others"] {
        wait.block_on(service.create_table(&TableName::new(table).unwrap())).unwrap();
    }
    let (most, mut all) = (if dice.chance(1, 4) { 300 } else { 12 }, Vec::new());
    for id in 1..=most {
        let values = KeyValues::new(id, dice);
        let mut entity: Entity = design.entity(&values, dice);
        if dice.chance(1, 3) {
            // A property of another client.
            entity = entity.with("note", format!("note {id}"));
        }
        match wait.block_on(service.execute(&items, &table_store::Operation::Insert(entity))) {
            Ok(_) => all.push(values),
            Err(error) => assert_eq!(error.code(), ErrorCode::EntityAlreadyExists),
        }
    }
    drop(tables);
    let entities = rows(company);
    let tables = company.open(false);
    let schema = table_codegen::read(&design.text, "old").unwrap();
    let designed = tables.design(&schema, "Item").unwrap();
    drop(tables.blocking().sweep(designed.verify().repair()).unwrap());
    wait.block_on(tables.catch_up()).unwrap();
    (entities, all)
}

/// Returns the rows of the tables of entities and indexes.
fn rows(company: &Company) -> Rows {
    let tables = company.open(false);
    let wait = tokio::runtime::Runtime::new().unwrap();
    let mut all = Rows::new();
    for table in ["Items", "Others"] {
        let mut query = Query::default();
        loop {
            let name = TableName::new(table).unwrap();
            let found = wait.block_on(tables.service().query(&name, query)).unwrap();
            all.extend(found.rows.iter().map(|row| read(table, row)));
            let Some(continuation) = found.continuation else { break };
            query = Query { continuation: Some(continuation), ..Query::default() };
        }
    }
    all
}

fn read(table: &str, row: RowRef<'_>) -> (Key, BTreeMap<String, Value>) {
    let properties = row.properties.iter().filter(|(name, _)| *name != "_tx");
    let properties = properties.map(|(name, value)| (name.to_owned(), value.to_value())).collect();
    ([table, row.partition_key.unwrap(), row.row_key.unwrap()].map(str::to_owned), properties)
}

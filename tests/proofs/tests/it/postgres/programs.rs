//! Random programs: the database returns what the store in memory returns.

use std::collections::HashMap;

use table_model::{
    Condition, Continuation, ETag, Entity, Filter, Operation, Query, Result, TableName, TableService, Value,
    Written,
};
use table_postgres::Postgres;
use table_store::Store;
use table_tests::seed::Seed;

use super::{Outcome, database, services};

const PARTITIONS: [&str; 5] = ["", "a", "a!", "\u{ffff}", "\u{10000}"];
const ROWS: [&str; 6] = ["", "1", "1 ", "2", "\u{e000}", "\u{10000}x"];
const FILTERS: [&str; 15] = [
    "PartitionKey eq 'a'",
    "PartitionKey eq 'a' and RowKey ge '1'",
    "PartitionKey eq 'a' and RowKey eq '2'",
    "PartitionKey gt 'a' or RowKey lt '2'",
    "PartitionKey eq '' or PartitionKey eq '\u{10000}' and RowKey gt '1'",
    "A eq 1",
    "A gt 0 and PartitionKey ge 'a'",
    "not (B eq 'x')",
    "B eq 'x' or A eq 2",
    "B eq 'x'",
    "B eq '\u{10000}' and PartitionKey gt ''",
    "PartitionKey eq 'a' and B eq 'x' and not (A eq 1)",
    "(PartitionKey eq 'a' or PartitionKey eq 'a!') and (RowKey eq '1' or RowKey eq '2' or RowKey eq '')",
    "RowKey ge '1' and RowKey lt '2'",
    "false",
];

/// One of both services, with the ETags that it has returned.
struct Side<'s> {
    service: &'s dyn TableService,
    etags: HashMap<(String, String), Vec<ETag>>,
    token: Option<Continuation>,
}

/// An operation without a version: the number selects one of the ETags that the service has returned.
#[derive(Clone, Debug)]
struct Step {
    operation: Operation,
    version: Option<usize>,
}

fn entity(seed: &mut Seed, partition: &str) -> Entity {
    let mut entity = Entity::new(partition, *seed.pick(&ROWS).unwrap());
    if seed.chance(2, 3) {
        entity = entity.with("A", i32::try_from(seed.below(3)).unwrap());
    }
    if seed.chance(1, 2) {
        entity = entity.with("B", *seed.pick(&["x", "", "\u{10000}"]).unwrap());
    }
    if seed.chance(1, 9) {
        entity = entity.with("C", Value::Binary(vec![7; 70_000]));
    }
    entity
}

fn step(seed: &mut Seed, partition: &str) -> Step {
    let entity = entity(seed, partition);
    let any = Condition::Exists;
    let operation = match seed.below(7) {
        0 | 1 => Operation::Insert(entity),
        2 => Operation::Replace(entity, any),
        3 => Operation::Merge(entity, any),
        4 => Operation::InsertOrReplace(entity),
        5 => Operation::InsertOrMerge(entity),
        _ => {
            Operation::Delete { partition_key: entity.partition_key, row_key: entity.row_key, condition: any }
        }
    };
    Step { operation, version: seed.chance(1, 2).then(|| seed.below(3)) }
}

impl Side<'_> {
    /// Returns the operation with a version of this service.
    fn operation(&self, step: &Step) -> Operation {
        let mut operation = step.operation.clone();
        let key = (operation.partition_key().to_owned(), operation.row_key().to_owned());
        let known = self.etags.get(&key).map_or(&[][..], Vec::as_slice);
        let foreign: ETag = "W/\"0x1\"".parse().unwrap();
        if let Some(back) = step.version
            && let Operation::Replace(_, condition)
            | Operation::Merge(_, condition)
            | Operation::Delete { condition, .. } = &mut operation
        {
            *condition = Condition::Matches(known.iter().rev().nth(back).cloned().unwrap_or(foreign));
        }
        operation
    }

    fn remember(&mut self, operation: &Operation, written: &Written) {
        if let Some(etag) = written.etag() {
            let key = (operation.partition_key().to_owned(), operation.row_key().to_owned());
            let known = self.etags.entry(key).or_default();
            assert!(!known.contains(etag), "{etag} repeats");
            known.push(etag.clone());
        }
    }

    async fn write(&mut self, table: &TableName, steps: &[Step], transaction: bool) -> String {
        let operations: Vec<Operation> = steps.iter().map(|step| self.operation(step)).collect();
        let result = if transaction {
            self.service.transact(table, &operations).await
        } else {
            self.service.execute(table, &operations[0]).await.map(|written| vec![written])
        };
        for (operation, written) in operations.iter().zip(result.iter().flatten()) {
            self.remember(operation, written);
        }
        shown(
            result.map(|written| written.iter().map(|written| written.etag().is_some()).collect::<Vec<_>>()),
        )
    }

    /// Reads a segment, and prints its rows without times. Continues the previous segment if `continues`.
    async fn read(&mut self, table: &TableName, query: Query, continues: bool) -> String {
        let query = match self.token.take() {
            Some(token) if continues => query.continuation(token),
            _ => query,
        };
        let segment = self.service.query(table, query).await;
        shown(segment.map(|segment| {
            self.token.clone_from(&segment.continuation);
            let rows: Vec<_> = segment
                .rows
                .iter()
                .map(|row| {
                    (
                        row.partition_key.map(str::to_owned),
                        row.row_key.map(str::to_owned),
                        row.properties.to_properties(),
                    )
                })
                .collect();
            (rows, segment.continuation.is_some(), segment.previous.is_some())
        }))
    }
}

/// Prints a result: the value, or the code and the index of the error.
fn shown<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{} {:?}", error.code(), error.index()),
    }
}

async fn run(postgres: &Postgres, number: u64) -> Outcome {
    let store = Store::in_memory()?;
    let side = |service| Side { service, etags: HashMap::new(), token: None };
    let (mut one, mut other) = (side(postgres as &dyn TableService), side(&store as &dyn TableService));
    let mut seed = Seed::new(number);
    let names = [TableName::new(format!("p{number}a"))?, TableName::new(format!("p{number}b"))?];
    for step_number in 0..150 {
        let table = seed.pick(&names).unwrap();
        let partition = *seed.pick(&PARTITIONS).unwrap();
        let (found, expected) = match seed.below(20) {
            0 | 1 => (shown(postgres.create_table(table).await), shown(store.create_table(table).await)),
            2 if step_number > 50 => {
                (shown(postgres.delete_table(table).await), shown(store.delete_table(table).await))
            }
            3..=8 => {
                let steps: Vec<Step> = (0..=seed.below(6)).map(|_| step(&mut seed, partition)).collect();
                (one.write(table, &steps, true).await, other.write(table, &steps, true).await)
            }
            9..=14 => {
                let steps = [step(&mut seed, partition)];
                (one.write(table, &steps, false).await, other.write(table, &steps, false).await)
            }
            15 => {
                let row = *seed.pick(&ROWS).unwrap();
                let properties = |row: Option<table_model::Row>| row.map(|row| row.properties);
                let found = postgres.get(table, partition, row, None).await.map(properties);
                (shown(found), shown(store.get(table, partition, row, None).await.map(properties)))
            }
            _ => {
                let mut query = Query::new().top(u32::try_from(seed.below(5)).unwrap());
                if seed.chance(3, 4) {
                    query = query.filter(Filter::parse(seed.pick(&FILTERS).unwrap())?);
                }
                if seed.chance(1, 3) {
                    query = query.select(["RowKey", "B"]);
                }
                query.descending = seed.chance(1, 3);
                let mut both = (String::new(), String::new());
                for page in 0..3 {
                    both.0 += &one.read(table, query.clone(), page > 0).await;
                    both.1 += &other.read(table, query.clone(), page > 0).await;
                }
                both
            }
        };
        assert_eq!(found, expected, "program {number}, step {step_number}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn random_programs_have_the_results_of_the_store() -> Outcome {
    let database = database!();
    let services = services(&database, 1).await?;
    for number in 0..20 {
        run(&services[0], number).await?;
    }
    Ok(())
}

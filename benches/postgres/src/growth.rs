//! Times of operations as a table grows.

use std::time::{Duration, Instant};

use table_model::{TableName, TableService as _};
use table_postgres::PostgresOptions;

use crate::{
    Outcome, median,
    operation::{Dice, Operation},
    ratios::load,
};

const OPERATIONS: [Operation; 4] = [Operation::Insert, Operation::Upsert, Operation::Get, Operation::Segment];
const FIRST: u64 = 10_000;
const WINDOW: Duration = Duration::from_secs(2);

/// Measures 10,000 entities, then ten times as many in each step.
pub async fn run(url: &str, up_to: u64) -> Outcome {
    let service = PostgresOptions::new(url)?.connect().await?;
    let table = TableName::new("Growing")?;
    service.create_table(&table).await?;
    let titles = OPERATIONS.map(Operation::title).join(" | ");
    println!("| entities | load | {titles} |\n|---:|---:|---:|---:|---:|---:|");
    let (mut loaded, mut entities) = (0, FIRST);
    while entities <= up_to {
        let begun = Instant::now();
        load(&service, &table, loaded..entities).await?;
        print!("| {entities} | {:.0} s |", begun.elapsed().as_secs_f64());
        for operation in OPERATIONS {
            let (mut dice, mut times) = (Dice::new(entities), Vec::new());
            let begun = Instant::now();
            while begun.elapsed() < WINDOW {
                let one = Instant::now();
                operation.run(&service, &table, dice.roll(), entities).await?;
                times.push(one.elapsed().as_secs_f64());
            }
            print!(" {:.0} µs |", median(times) * 1e6);
        }
        println!();
        (loaded, entities) = (entities, entities * 10);
    }
    service.close().await?;
    Ok(())
}

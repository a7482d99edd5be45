//! Operations beside the statements of pgbench, in alternating rounds.

use std::{
    fs::File,
    os::unix::fs::FileExt as _,
    time::{Duration, Instant},
};

use futures_util::future::try_join_all;
use table_model::{TableName, TableService as _};
use table_postgres::{Postgres, PostgresOptions};

use crate::{
    Outcome, median,
    operation::{self, Dice, GROUP, Operation},
    pgbench,
};

const OPERATIONS: [Operation; 6] = [
    Operation::Upsert,
    Operation::Insert,
    Operation::Replace,
    Operation::Merge,
    Operation::Get,
    Operation::Transaction,
];
const CLIENTS: [usize; 3] = [1, 8, 64];
const ENTITIES: u64 = 100_000;
const ROUNDS: usize = 3;
const SECONDS: u64 = 2;

pub async fn run(url: &str) -> Outcome {
    pgbench::prepare(url, ENTITIES)?;
    let service = PostgresOptions::new(url)?.connections(64).connect().await?;
    let table = TableName::new("Bench")?;
    service.create_table(&table).await?;
    load(&service, &table, 0..ENTITIES).await?;
    println!("{:.0} syncs of 8 KiB a second before the run\n", syncs()?);
    println!("| operation | clients | ours | pgbench | ours / pgbench |\n|---|---:|---:|---:|---:|");
    for operation in OPERATIONS {
        for clients in CLIENTS {
            let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
            // The first round prepares statements, and does not count.
            measure(&service, &table, operation, clients, Duration::from_millis(300)).await?;
            for _ in 0..ROUNDS {
                let rate =
                    measure(&service, &table, operation, clients, Duration::from_secs(SECONDS)).await?;
                let raw = pgbench::run(url, operation, ENTITIES, clients, SECONDS)?;
                ours.push(rate);
                theirs.push(raw);
                ratios.push(rate / raw);
            }
            let [ours, theirs, ratio] = [ours, theirs, ratios].map(median);
            println!("| {} | {clients} | {ours:.0} | {theirs:.0} | {ratio:.2} |", operation.title());
        }
    }
    service.close().await?;
    Ok(())
}

/// Writes entities from eight clients.
pub async fn load(service: &Postgres, table: &TableName, numbers: std::ops::Range<u64>) -> Outcome {
    const LOADERS: u64 = 8;
    let loaders = (0..LOADERS).map(|loader| {
        let (service, table, numbers) = (service.clone(), table.clone(), numbers.clone());
        async move {
            let mut start = numbers.start + loader * GROUP;
            while start < numbers.end {
                operation::group(&service, &table, start).await?;
                start += LOADERS * GROUP;
            }
            Outcome::Ok(())
        }
    });
    try_join_all(loaders.map(tokio::spawn)).await?.into_iter().collect()
}

/// Returns operations per second of several clients.
async fn measure(
    service: &Postgres,
    table: &TableName,
    operation: Operation,
    clients: usize,
    time: Duration,
) -> Outcome<f64> {
    let begun = Instant::now();
    let tasks = (0..clients as u64).map(|client| {
        let (service, table) = (service.clone(), table.clone());
        tokio::spawn(async move {
            let (mut dice, mut count) = (Dice::new(client + 1), 0_u32);
            while begun.elapsed() < time {
                operation.run(&service, &table, dice.roll(), ENTITIES).await?;
                count += 1;
            }
            Outcome::Ok(count)
        })
    });
    let counts = try_join_all(tasks).await?.into_iter().collect::<Outcome<Vec<u32>>>()?;
    Ok(counts.into_iter().map(f64::from).sum::<f64>() / begun.elapsed().as_secs_f64())
}

/// Returns the number of synced writes of a page per second.
fn syncs() -> Outcome<f64> {
    let file: File = tempfile::tempfile_in(".")?;
    let (begun, mut count) = (Instant::now(), 0_u32);
    while begun.elapsed() < Duration::from_secs(1) {
        file.write_all_at(&[0x5a; 8192], u64::from(count % 1024) * 8192)?;
        file.sync_data()?;
        count += 1;
    }
    Ok(f64::from(count) / begun.elapsed().as_secs_f64())
}

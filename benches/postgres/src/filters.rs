//! A scan for rare values: with the filter in the statement, and with one that only this process can apply.

use std::time::Instant;

use table_model::{Entity, Filter, Operation, Query, TableName, TableService as _};
use table_postgres::{Postgres, PostgresOptions};

use crate::{Outcome, median, ratios::load};

const ENTITIES: u64 = 100_000;
const RARE: usize = 100;
const ROUNDS: usize = 7;

pub async fn run(url: &str) -> Outcome {
    let service = PostgresOptions::new(url)?.connect().await?;
    let table = TableName::new("Filtered")?;
    service.create_table(&table).await?;
    load(&service, &table, 0..ENTITIES).await?;
    for number in 0..RARE {
        let rare = Entity::new(format!("{number:05}"), "rare").with("Text", "needle");
        service.execute(&table, &Operation::Insert(rare)).await?;
    }
    let filters = ["Text eq 'needle'", "Text ge 'needle' and Text le 'needle'"];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (filter, times) in filters.iter().zip(&mut times) {
            times.push(scan(&service, &table, filter).await?);
        }
    }
    let [inside, outside] = times.map(median);
    println!("| filter | time of a scan of {ENTITIES} entities |\n|---|---:|");
    println!("| in the statement | {:.0} ms |\n| in this process | {:.0} ms |", inside * 1e3, outside * 1e3);
    println!("| ratio | {:.1} |", outside / inside);
    service.close().await?;
    Ok(())
}

/// Reads all pages. Returns the seconds.
async fn scan(service: &Postgres, table: &TableName, filter: &str) -> Outcome<f64> {
    let (begun, mut found, mut token) = (Instant::now(), 0, None);
    loop {
        let mut query = Query::new().filter(Filter::parse(filter)?);
        query.continuation = token;
        let segment = service.query(table, query).await?;
        found += segment.rows.len();
        token = segment.continuation;
        if token.is_none() {
            break;
        }
    }
    if found == RARE { Ok(begun.elapsed().as_secs_f64()) } else { Err("rows are missing".into()) }
}

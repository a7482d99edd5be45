//! Filters that the database applies: the results, pages and counts are those of reading every row.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use table_model::{Entity, Filter, Operation, Query, TableName, TableService, Timestamp, Uuid, Value};
use table_postgres::PostgresOptions;
use table_store::Store;
use table_tests::seed::Seed;

use super::{Error, Outcome, database};

const PARTITIONS: usize = 7;
const OF_PARTITION: usize = 400;
const FILTERS: [&str; 10] = [
    "Rare eq 'needle'",
    "Rare eq 'needle' and N lt 1500",
    "Rare eq 'needle' and not (Common eq 'c1')",
    "PartitionKey ge '2' and PartitionKey lt '5' and Rare eq 'needle'",
    "(PartitionKey eq '1' or PartitionKey eq '6') and Rare eq 'needle'",
    "Common eq 'c1' and (N lt 200 or N gt 2700)",
    "Common eq 'absent'",
    "Id eq guid'07070707-0707-0707-0707-070707070707'",
    "When eq datetime'1970-01-01T00:00:07Z'",
    "Bytes eq X'0707'",
];

fn entity(number: usize) -> Entity {
    let byte = u8::try_from(number % 251).unwrap_or_default();
    let mut entity =
        Entity::new((number / OF_PARTITION).to_string(), format!("{:04}", number % OF_PARTITION))
            .with("N", i32::try_from(number).unwrap_or_default())
            .with("Common", format!("c{}", number % 3))
            .with("Id", Value::Guid(Uuid::from_bytes([byte; 16])))
            .with("Bytes", Value::Binary(vec![byte; 2]))
            .with("When", Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(byte.into())));
    match number % 500 {
        3 => entity = entity.with("Rare", "needle"),
        // The value of another property, and of another type.
        4 => entity = entity.with("Other", "needle"),
        5 => entity = entity.with("Rare", Value::Binary(b"needle".to_vec())),
        6 => entity = entity.with("Rare", "a needle and more"),
        // The database stores it elsewhere, compressed.
        7 => entity = entity.with("Rare", "needle").with("Long", "x".repeat(30_000)),
        _ => {}
    }
    entity
}

/// Reads all pages. Returns their keys, and the number of entities that were read.
async fn pages(
    service: &dyn TableService,
    table: &TableName,
    query: &Query,
) -> Result<(Vec<Vec<String>>, u64), Error> {
    let (mut pages, mut read, mut token) = (Vec::new(), 0, None);
    loop {
        let mut query = query.clone();
        query.continuation = token;
        let segment = service.query(table, query).await?;
        read += segment.stats.read;
        let key = |row: table_model::RowRef<'_>| format!("{:?} {:?}", row.partition_key, row.row_key);
        pages.push(segment.rows.iter().map(key).collect());
        token = segment.continuation;
        if token.is_none() {
            return Ok((pages, read));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn results_and_counts_are_those_of_reading_each_row() -> Outcome {
    let database = database!();
    let observed: Arc<Mutex<BTreeMap<String, u64>>> = Arc::default();
    let counts = Arc::clone(&observed);
    let service = PostgresOptions::new(&database.url())?
        .access_observer(move |_, partition, entities| {
            *counts.lock().unwrap().entry(partition.to_owned()).or_default() += entities;
        })
        .connect()
        .await?;
    let (store, table) = (Store::in_memory()?, TableName::new("Filtered")?);
    let sides: [&dyn TableService; 2] = [&service, &store];
    for side in sides {
        side.create_table(&table).await?;
        for first in (0..PARTITIONS * OF_PARTITION).step_by(100) {
            let group: Vec<Operation> =
                (first..first + 100).map(|number| Operation::Insert(entity(number))).collect();
            side.transact(&table, &group).await?;
        }
    }
    let mut seed = Seed::new(5);
    for filter in FILTERS {
        for descending in [false, true] {
            // All rows in one page: each row in the range is read once, and counted for its partition.
            let mut query = Query::new().filter(Filter::parse(filter)?);
            query.descending = descending;
            observed.lock().unwrap().clear();
            let found = pages(&service, &table, &query).await?;
            let counted = observed.lock().unwrap().clone();
            let expected = pages(&store, &table, &query).await?;
            assert_eq!(found, expected, "{filter}, descending: {descending}");
            assert!(counted.values().all(|count| *count == OF_PARTITION as u64), "{filter}: {counted:?}");
            assert_eq!(counted.values().sum::<u64>(), found.1, "{filter}");
            // Small pages, and a bound on the bytes of a segment: the same rows, with more continuations.
            let rows: Vec<String> = expected.0.concat();
            let small = query.clone().top(u32::try_from(1 + seed.below(3))?);
            assert_eq!(
                pages(&service, &table, &small).await?.0,
                pages(&store, &table, &small).await?.0,
                "{filter}"
            );
            query.read_bytes = Some(1 + seed.below(50_000));
            let bounded = pages(&service, &table, &query).await?;
            assert_eq!(bounded.0.concat(), rows, "{filter} in {:?} bytes", query.read_bytes);
            assert!(bounded.0.len() > 1 && bounded.1 == found.1, "{filter}: {} segments", bounded.0.len());
        }
    }
    Ok(())
}

/// An entity that is written behind the last row of a page is on the next page, even between rows that do not match.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_ends_immediately_after_its_last_row() -> Outcome {
    let database = database!();
    let service = PostgresOptions::new(&database.url())?.connect().await?;
    let table = super::table(&service, "Paged").await?;
    let write = |row: &str, text: &str| Operation::InsertOrReplace(Entity::new("p", row).with("Rare", text));
    let group: Vec<Operation> = (0..60)
        .map(|number| write(&format!("{number:02}"), if number % 20 == 0 { "needle" } else { "hay" }))
        .collect();
    service.transact(&table, &group).await?;
    let query = Query::new().filter(Filter::parse("PartitionKey eq 'p' and Rare eq 'needle'")?).top(1);
    let first = service.query(&table, query.clone()).await?;
    service.execute(&table, &write("05", "needle")).await?;
    let mut next = query;
    next.continuation = first.continuation;
    let rows = service.query(&table, next).await?.rows;
    assert_eq!(rows.iter().next().and_then(|row| row.row_key), Some("05"));
    Ok(())
}

//! Several writers at once, as two servers on one database.

use futures_util::future::try_join_all;
use table_model::{Condition, Entity, ErrorCode, Filter, Operation, Query, TableService, Value};

use super::{Outcome, database, number, services, table, upsert};

#[tokio::test(flavor = "multi_thread")]
async fn no_increment_is_lost() -> Outcome {
    let database = database!();
    let services = services(&database, 2).await?;
    let table = table(&services[0], "Counters").await?;
    services[0].execute(&table, &upsert("p", "conditional", 0)).await?;
    services[0].execute(&table, &upsert("p", "transactions", 0)).await?;
    let tasks = (0..8).map(|task| {
        let (service, table) = (services[task % 2].clone(), table.clone());
        tokio::spawn(async move {
            for row in ["conditional", "transactions"] {
                for _ in 0..20 {
                    loop {
                        let found = service.get(&table, "p", row, None).await?.expect("the counter");
                        let Some(Value::Int64(n)) = found.properties.get("N") else { panic!("{found:?}") };
                        let next = Entity::new("p", row).with("N", n + 1);
                        let replace = Operation::Replace(next, Condition::Matches(found.etag));
                        let result = if row == "transactions" {
                            service
                                .transact(&table, &[replace, upsert("p", &format!("by{task}"), *n)])
                                .await
                                .map(drop)
                        } else {
                            service.execute(&table, &replace).await.map(drop)
                        };
                        match result {
                            Ok(()) => break,
                            Err(error) if error.code() == ErrorCode::UpdateConditionNotSatisfied => {}
                            Err(error) => return Err(error),
                        }
                    }
                }
            }
            Ok(())
        })
    });
    for result in try_join_all(tasks).await? {
        result?;
    }
    assert_eq!(number(&services[0], &table, "p", "conditional").await?, Some(160));
    assert_eq!(number(&services[1], &table, "p", "transactions").await?, Some(160));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn merges_of_all_writers_remain() -> Outcome {
    let database = database!();
    let services = services(&database, 2).await?;
    let table = table(&services[0], "Merged").await?;
    let tasks = (0..8).map(|task| {
        let (service, table) = (services[task % 2].clone(), table.clone());
        tokio::spawn(async move {
            for n in 0..10 {
                let merge = Entity::new("p", "r").with(format!("T{task}N{n}"), n);
                service.execute(&table, &Operation::InsertOrMerge(merge)).await?;
            }
            Ok::<_, table_model::TableError>(())
        })
    });
    for result in try_join_all(tasks).await? {
        result?;
    }
    let row = services[0].get(&table, "p", "r", None).await?.expect("the entity");
    assert_eq!(row.properties.len(), 80);
    Ok(())
}

/// Transactions write the same number to all entities of a partition, in different orders. No reader sees two numbers, and
/// no transaction fails, though the entities do not exist at first and cannot be locked.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_is_seen_whole() -> Outcome {
    const ROWS: usize = 20;
    let database = database!();
    let services = services(&database, 2).await?;
    let table = table(&services[0], "Whole").await?;
    // Otherwise all reads can end before the first write.
    let first: Vec<Operation> = (0..ROWS).map(|row| upsert("p", &format!("{row:02}"), -1)).collect();
    services[0].transact(&table, &first).await?;
    let writers = (0..6_usize).map(|task| {
        let (service, table) = (services[task % 2].clone(), table.clone());
        tokio::spawn(async move {
            for round in 0..15_i64 {
                let number = round * 10 + i64::try_from(task).unwrap_or(0);
                let mut operations: Vec<Operation> =
                    (0..ROWS).map(|row| upsert("p", &format!("{row:02}"), number)).collect();
                operations.rotate_left(task * 3);
                if task % 3 == 0 {
                    // Not uniform: the entities are read and locked first.
                    operations[0] =
                        Operation::InsertOrMerge(Entity::new("p", operations[0].row_key()).with("N", number));
                }
                service.transact(&table, &operations).await?;
            }
            Ok::<_, table_model::TableError>(())
        })
    });
    let readers = (0..2_usize).map(|task| {
        let (service, table) = (services[task].clone(), table.clone());
        tokio::spawn(async move {
            let mut seen = 0;
            for pass in 0..60 {
                // One statement, or several in one snapshot.
                let filter = if pass % 2 == 0 {
                    "PartitionKey eq 'p'".to_owned()
                } else {
                    let rows: Vec<String> = (0..7).map(|n| format!("RowKey eq '{:02}'", n * 3)).collect();
                    format!("PartitionKey eq 'p' and N ge -1 and ({} or RowKey ge '19')", rows.join(" or "))
                };
                let segment = service.query(&table, Query::new().filter(Filter::parse(&filter)?)).await?;
                let numbers: std::collections::HashSet<String> =
                    segment.rows.iter().map(|row| format!("{:?}", row.properties.get("N"))).collect();
                assert!(numbers.len() <= 1, "{filter}: {numbers:?}");
                seen += segment.rows.len();
            }
            assert!(seen > 0, "the reader saw nothing");
            Ok(())
        })
    });
    for result in try_join_all(writers.chain(readers)).await? {
        result?;
    }
    Ok(())
}

/// The clock of one server is an hour ahead. The other one continues above its timestamps.
#[tokio::test(flavor = "multi_thread")]
async fn a_writer_whose_clock_is_behind_continues() -> Outcome {
    let database = database!();
    let services = services(&database, 1).await?;
    let service = &services[0];
    let table = table(service, "Ahead").await?;
    service.transact(&table, &[upsert("p", "1", 1), upsert("p", "2", 1), upsert("p", "3", 1)]).await?;
    super::server::sql(&database, "UPDATE table_patterns.e16 SET ts = ts + 36000000000").await?;
    let ahead = service.get(&table, "p", "1", None).await?.expect("the entity").timestamp.expect("a time");
    service.execute(&table, &upsert("p", "1", 2)).await?;
    let merge = Operation::Merge(Entity::new("p", "2").with("M", 2), Condition::Exists);
    service.transact(&table, &[merge, upsert("p", "4", 2)]).await?;
    service.transact(&table, &[upsert("p", "3", 2), upsert("p", "5", 2)]).await?;
    for row in ["1", "2", "3"] {
        let found =
            service.get(&table, "p", row, None).await?.expect("the entity").timestamp.expect("a time");
        assert!(found > ahead, "{row}: {found} after {ahead}");
    }
    Ok(())
}

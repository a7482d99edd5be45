//! A primary that is killed, and its synchronous standby: every acknowledged write is on the other one.

mod journal;
mod pair;
mod writer;

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use futures_util::future::try_join_all;
use table_model::{
    BlobService, Bytes, Metadata, TableName, TableService,
    blob::{BlobAddress, PutBlob},
    queue::QueueName,
};
use table_patterns::prelude::*;
use table_postgres::{Postgres, PostgresOptions};
use table_tests::seed::Seed;
use tokio::task::JoinHandle;
use tokio_postgres::NoTls;

use self::{
    journal::{Counts, stored_messages, stored_rows},
    pair::Pair,
    writer::{Control, Kind, Receiver, Writer},
};
use super::{Error, Outcome, database, number, server::sql, table, upsert};

/// Starts a primary and a standby, or ends the test with a message.
macro_rules! pair {
    () => {
        match Pair::start() {
            Ok(pair) => pair,
            Err(lacking) => return Ok(lacking.pass_over("PostgreSQL")?),
        }
    };
}

/// Kills the primary under load, promotes the standby, and makes the other server its standby. The writers continue.
async fn round(pair: &mut Pair, tables: &Tables, seed: &mut Seed, round: usize) -> Result<Counts, Error> {
    let (table, queue) = (TableName::new("Failover")?, QueueName::new(format!("round-{round}"))?);
    tables.queues()?.create_queue(&queue, Metadata::new()).await?;
    let control = Arc::new(Control::default());
    let kinds = [Kind::Insert, Kind::Replace, Kind::Merge, Kind::Transaction, Kind::Message];
    let writers: Vec<_> = (0..10)
        .zip(kinds.into_iter().cycle())
        .map(|(writer, kind)| {
            let writer = Writer::new(kind, format!("{round:02}-{writer}"), &table, &queue);
            tokio::spawn(writer.run(tables.clone(), Arc::clone(&control)))
        })
        .collect();
    let receiver = tokio::spawn(Receiver::default().run(tables.clone(), queue, Arc::clone(&control)));
    tokio::time::sleep(Duration::from_millis(300 + seed.draw() % 500)).await;
    let killed = Instant::now();
    pair.fail_over().await?;
    let promotion = killed.elapsed();
    // Each writer continues before and after the other server is the standby.
    control.progress(writers.len(), 20).await?;
    pair.rebuild().await?;
    control.progress(writers.len(), 20).await?;
    control.stop.store(true, Ordering::SeqCst);
    let receiver = receiver.await??;
    let id = format!("SELECT id FROM table_patterns.queues WHERE name = 'round-{round}'");
    let id = sql(pair.primary(), &id).await?;
    let messages = sql(pair.primary(), &format!("SELECT body FROM table_patterns.q{}", id[0])).await?;
    receiver.check(&messages)?;
    let mut counts = Counts::default();
    counts.promotion = promotion;
    for writer in try_join_all(writers).await? {
        let writer = writer?;
        let stored = match writer.kind {
            Kind::Message => stored_messages(&writer.partition, &messages, &receiver),
            _ => stored_rows(tables, &table, &writer.partition).await?,
        };
        writer.journal.check(&stored, writer.kind.parts(), killed, &mut counts)?;
    }
    Ok(counts)
}

async fn rounds(count: usize) -> Outcome {
    let mut pair = pair!();
    pair.synchronize().await?;
    let tables = Tables::postgres(&pair.url()).await?;
    tables.service().create_table(&TableName::new("Failover")?).await?;
    let mut seed = Seed::new(20_261_127);
    println!("round  acknowledged  lost  unknown  of them stored  refused  promoted in ms  pause in ms");
    let mut all = Counts::default();
    for number in 0..count {
        let counts = round(&mut pair, &tables, &mut seed, number).await?;
        println!("{number:5} {counts}");
        all.add(&counts);
    }
    println!("  all {all}");
    assert_eq!(all.lost, 0, "acknowledged, but lost");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_a_failover() -> Outcome {
    rounds(2).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes two minutes"]
async fn acknowledged_writes_survive_twenty_failovers() -> Outcome {
    rounds(20).await
}

/// The standby is gone, so a commit waits for it. The connection is ended meanwhile: the entity is then visible on the
/// primary, but nowhere else. It must not be acknowledged, as the failover loses it.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_only_the_primary_has_is_not_acknowledged() -> Outcome {
    let mut pair = pair!();
    pair.synchronize().await?;
    let service = Postgres::connect(&pair.url()).await?;
    let table = table(&service, "Alone").await?;
    service.execute(&table, &upsert("p", "r", 1)).await?;
    pair.both().1.kill()?;
    let writes: Vec<_> = [vec![upsert("p", "r", 2)], vec![upsert("q", "a", 2), upsert("q", "b", 2)]]
        .into_iter()
        .map(|operations| {
            let (service, table) = (service.clone(), table.clone());
            tokio::spawn(async move {
                match operations.as_slice() {
                    [one] => service.execute(&table, one).await.map(drop),
                    several => service.transact(&table, several).await.map(drop),
                }
            })
        })
        .collect();
    let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'table-patterns'";
    while sql(pair.primary(), waiting).await?.len() < 2 {}
    let end = waiting.replace("SELECT pid", "SELECT pg_terminate_backend(pid)");
    assert_eq!(sql(pair.primary(), &end).await?.len(), 2);
    // Each one is acknowledged, or waits for the standby again.
    while sql(pair.primary(), waiting).await?.len() < 2 && !writes.iter().all(JoinHandle::is_finished) {}
    let (primary, standby) = pair.both();
    primary.kill()?;
    standby.start_again()?;
    pair.fail_over().await?;
    for write in writes {
        let error = write.await?.expect_err("acknowledged, though it is lost");
        assert!(error.is_outcome_unknown(), "{error}");
    }
    assert_eq!(number(&service, &table, "p", "r").await?, Some(1));
    assert_eq!(number(&service, &table, "q", "a").await?, None);
    Ok(())
}

/// An entity with an index row in its partition, so that its rows contain a token of the attempt.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Proven", partition = "{shelf}", row = "n_{id:03}")]
#[table(index(by_count, row = "c_{count:04}_{id:03}"))]
struct Proven {
    shelf: String,
    id: u16,
    count: i32,
}

/// As above, for writes of a pattern: reading its rows proves nothing, either.
#[tokio::test(flavor = "multi_thread")]
async fn a_pattern_does_not_read_a_write_that_only_the_primary_has() -> Outcome {
    let mut pair = pair!();
    pair.synchronize().await?;
    let service =
        PostgresOptions::new(&pair.url())?.statement_timeout(Duration::from_secs(1)).connect().await?;
    let tables = Tables::from(service);
    let proven = |id, count| Proven { shelf: "s".into(), id, count };
    tables.insert(&proven(1, 1)).await?;
    pair.both().1.kill()?;
    let (writer, entity) = (tables.clone(), proven(2, 2));
    let write = tokio::spawn(async move { writer.insert(&entity).await.map(drop) });
    let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'table-patterns'";
    while sql(pair.primary(), waiting).await?.is_empty() {}
    sql(pair.primary(), &waiting.replace("SELECT pid", "SELECT pg_terminate_backend(pid)")).await?;
    // The write is confirmed for a second. Then its rows are read.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let (primary, standby) = pair.both();
    primary.kill()?;
    standby.start_again()?;
    pair.fail_over().await?;
    let error = write.await?.expect_err("acknowledged, though it is lost");
    assert!(error.is_outcome_unknown(), "{error}");
    assert_eq!(Proven::point("s", 1_u16).get(&tables).await?.map(|stored| stored.count), Some(1));
    assert!(Proven::point("s", 2_u16).get(&tables).await?.is_none());
    Ok(())
}

/// The primary is killed while a write waits for a lock. Its outcome is determined when a primary responds again.
#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_is_determined_when_the_database_is_back() -> Outcome {
    let mut database = database!();
    let service = Postgres::connect(&database.url()).await?;
    let (table, at) = (table(&service, "Back").await?, BlobAddress::new("back", "blob")?);
    service.create_container(&at.container, Metadata::new()).await?;
    for locked in ["e16", "blobs"] {
        let (holder, connection) = tokio_postgres::connect(&database.url(), NoTls).await?;
        let connection = tokio::spawn(connection);
        let lock = format!("BEGIN; LOCK TABLE table_patterns.{locked} IN EXCLUSIVE MODE");
        holder.batch_execute(&lock).await?;
        let (service, table, at) = (service.clone(), table.clone(), at.clone());
        let write = tokio::spawn(async move {
            if locked == "blobs" {
                service.put_blob(&at, Bytes::from("1"), PutBlob::new()).await.map(drop)
            } else {
                service.execute(&table, &upsert("p", "r", 1)).await.map(drop)
            }
        });
        while sql(&database, "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
            .await?
            .is_empty()
        {}
        database.kill()?;
        assert!(connection.await?.is_err());
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(!write.is_finished(), "{locked}: the database was not waited for");
        database.start_again()?;
        let error = write.await?.expect_err("acknowledged, though it was not executed");
        assert!(error.is_outcome_unknown(), "{error}");
    }
    Ok(())
}

/// The old primary is started again as it was, which software for failover must prevent. It has no standby, so it
/// acknowledges nothing. As a standby, it is passed over.
#[tokio::test(flavor = "multi_thread")]
async fn an_old_primary_that_returns_acknowledges_nothing() -> Outcome {
    let mut pair = pair!();
    pair.synchronize().await?;
    let name = table(&Postgres::connect(&pair.url()).await?, "Returned").await?;
    pair.fail_over().await?;
    pair.both().1.start_again()?;
    let old = Postgres::connect(&pair.standby().url()).await?;
    let write = tokio::spawn(async move { old.execute(&name, &upsert("p", "r", 1)).await });
    let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while sql(pair.standby(), waiting).await?.is_empty() {}
    assert!(!write.is_finished());
    pair.rebuild().await?;
    let error = write.await?.expect_err("acknowledged by a server without its standby");
    assert!(error.is_outcome_unknown(), "{error}");
    let name = TableName::new("Returned")?;
    // The standby is the first host of the address.
    let service = Postgres::connect(&pair.url()).await?;
    service.execute(&name, &upsert("p", "r", 2)).await?;
    assert_eq!(number(&service, &name, "p", "r").await?, Some(2));
    let reader = Postgres::connect(&pair.standby().url()).await?;
    let error = reader.execute(&name, &upsert("p", "r", 3)).await.expect_err("written on a standby");
    assert!(error.message().contains("target_session_attrs"), "{error}");
    Ok(())
}

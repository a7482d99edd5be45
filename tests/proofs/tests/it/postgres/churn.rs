//! Minutes of updates and messages: autovacuum keeps the tables of the database from growing.

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use table_model::{
    Metadata, QueueService, TableError, TableService,
    queue::{GetMessages, PutMessage, QueueName},
};
use table_tests::seed::Seed;

use super::{Outcome, database, server::sql, services, table, upsert};

const TIME: Duration = Duration::from_secs(300);
const SAMPLES: u32 = 20;
const ENTITIES: usize = 10_000;
/// Time between two messages of a task. The size of a queue depends on the rate, as the table contains the messages since the
/// last vacuum, of which the database starts one per minute.
const PAUSE: Duration = Duration::from_millis(10);
/// Messages that wait at each time, at most.
const BACKLOG: u64 = 1_000;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "five minutes: `cargo xtask nightly slow`"]
async fn sizes_reach_a_plateau() -> Outcome {
    let database = database!();
    let service = services(&database, 1).await?.remove(0);
    let (table, queue) = (table(&service, "Churned").await?, QueueName::new("churned")?);
    service.create_queue(&queue, Metadata::new()).await?;
    let begun = Instant::now();
    let updates = (0..4_u64).map(|task| {
        let (service, table) = (service.clone(), table.clone());
        tokio::spawn(async move {
            let (mut seed, mut count) = (Seed::new(task), 0_u64);
            while begun.elapsed() < TIME {
                let row = format!("{:05}", seed.below(ENTITIES));
                service.execute(&table, &upsert(&row[..2], &row, 1)).await?;
                count += 1;
            }
            Ok::<_, TableError>(count)
        })
    });
    let messages = (0..2).map(|_| {
        let (service, queue) = (service.clone(), queue.clone());
        tokio::spawn(async move {
            let mut count = 0;
            while begun.elapsed() < TIME {
                tokio::time::sleep(PAUSE).await;
                service.put_message(&queue, PutMessage::new("x".repeat(200))).await?;
                count += 1;
                if count > BACKLOG / 2 {
                    for message in service.get_messages(&queue, GetMessages::new()).await? {
                        service.delete_message(&queue, message.id, &message.pop_receipt).await?;
                    }
                }
            }
            Ok::<_, TableError>(count)
        })
    });
    let running = tokio::spawn(try_join_all(updates.chain(messages).collect::<Vec<_>>()));
    let size = |kind: char| {
        format!(
            "SELECT pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relname ~ '^{kind}[0-9]+$' \
             AND relnamespace = 'table_patterns'::regnamespace"
        )
    };
    let mut sizes: [Vec<u64>; 2] = Default::default();
    for sample in 1..=SAMPLES {
        tokio::time::sleep((TIME / SAMPLES * sample).saturating_sub(begun.elapsed())).await;
        let got = Instant::now();
        service.peek_messages(&queue, 1).await?;
        let got = got.elapsed();
        for (sizes, kind) in sizes.iter_mut().zip(['e', 'q']) {
            sizes.push(sql(&database, &size(kind)).await?[0].parse()?);
        }
        let [entities, messages] = [&sizes[0], &sizes[1]].map(|sizes| sizes.last().map(|size| size >> 10));
        println!("{:?}: {entities:?} KiB, {messages:?} KiB, peek {got:?}", begun.elapsed());
    }
    let counts = running.await??.into_iter().collect::<Result<Vec<_>, _>>()?;
    println!("{counts:?}");
    for sizes in sizes {
        // Without a vacuum, the maximum of the second half is twice that of the first half.
        let (first, second) = sizes.split_at(sizes.len() / 2);
        let [before, after] = [first, second].map(|sizes| sizes.iter().max().copied().unwrap_or_default());
        assert!(after * 2 <= before * 3, "{before} bytes, then {after}");
    }
    Ok(())
}

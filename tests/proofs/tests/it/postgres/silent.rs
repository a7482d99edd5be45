//! A database that does not respond.

use std::time::Duration;

use table_model::{ErrorCode, TableError, TableService};
use table_postgres::PostgresOptions;

use super::{Outcome, database, number, server::sql, table, upsert};

const CONNECTIONS: usize = 4;

/// A commit that waits for a missing standby is not canceled by the timeout of statements. The request ends nevertheless, with
/// an unknown outcome, and no more connections than permitted wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_waits_for_a_standby_ends() -> Outcome {
    let database = database!();
    let service = PostgresOptions::new(&database.url())?
        .connections(CONNECTIONS)
        .statement_timeout(Duration::from_millis(500))
        .connect_timeout(Duration::from_millis(500))
        .connect()
        .await?;
    let table = table(&service, "Waiting").await?;
    service.execute(&table, &upsert("p", "before", 1)).await?;
    let standbys = |names: &str| format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'");
    let reload = "SELECT pg_reload_conf()";
    sql(&database, &standbys("missing")).await?;
    sql(&database, reload).await?;
    while sql(&database, "SHOW synchronous_standby_names").await? != ["missing"] {
        tokio::task::yield_now().await;
    }
    let mut unknown = 0;
    for row in 0..3 * CONNECTIONS {
        let write = upsert("p", &row.to_string(), 1);
        let error: TableError = if row % 2 == 0 {
            service.execute(&table, &write).await.unwrap_err()
        } else {
            service.transact(&table, &[write, upsert("p", "other", 1)]).await.unwrap_err().without_index()
        };
        if error.is_outcome_unknown() {
            assert!(error.message().contains("standby"), "{error}");
            unknown += 1;
        } else {
            assert_eq!(error.code(), ErrorCode::ServerBusy, "{error}");
        }
    }
    assert!((1..=CONNECTIONS).contains(&unknown), "{unknown}");
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    assert!(sql(&database, waiting).await?[0].parse::<usize>()? <= CONNECTIONS);
    sql(&database, &standbys("")).await?;
    sql(&database, reload).await?;
    // All connections return.
    while service.execute(&table, &upsert("p", "after", 2)).await.is_err() {}
    assert_eq!(number(&service, &table, "p", "after").await?, Some(2));
    assert_eq!(number(&service, &table, "p", "before").await?, Some(1));
    Ok(())
}

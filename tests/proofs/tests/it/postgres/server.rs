//! The database itself: its schema, plans, roles, restarts.

use table_model::{
    BlobService, Entity, ErrorCode, Operation, Query, SettingsService, TableName, TableService,
    blob::ListContainers,
    settings::{PolicyHolder, ServiceKind, StoredPolicies},
};
use table_postgres::{Postgres, PostgresOptions};
use table_proofs::clients::Database;
use tokio_postgres::NoTls;

use super::{Error, Outcome, database, number, services, table, upsert};

/// Executes statements beside the service. Returns the first column of the rows.
pub(super) async fn sql(database: &Database, text: &str) -> Result<Vec<String>, Error> {
    let (client, connection) = tokio_postgres::connect(&database.url(), NoTls).await?;
    let running = tokio::spawn(connection);
    let mut lines = Vec::new();
    for message in client.simple_query(text).await? {
        if let tokio_postgres::SimpleQueryMessage::Row(row) = message {
            lines.push(row.get(0).unwrap_or_default().to_owned());
        }
    }
    drop(client);
    running.await??;
    Ok(lines)
}

#[tokio::test(flavor = "multi_thread")]
async fn several_programs_create_the_schema_at_once() -> Outcome {
    let database = database!();
    let opened = futures_util::future::join_all((0..6).map(|_| {
        let url = database.url();
        tokio::spawn(async move { Postgres::connect(&url).await.map(drop) })
    }));
    for result in opened.await {
        result??;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_schema_is_rejected_and_an_address_is_not_repeated() -> Outcome {
    let database = database!();
    services(&database, 1).await?;
    sql(&database, "UPDATE table_patterns.meta SET version = 3").await?;
    let error = Postgres::connect(&database.url()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidInput);
    assert!(error.message().contains("version 3"), "{error}");
    let error = Postgres::connect("postgres://user:secret@127.0.0.1:1/tables").await.unwrap_err();
    assert!(error.is_not_connected() && !error.to_string().contains("secret"), "{error}");
    Ok(())
}

/// A schema of version 1 has no blobs and settings.
#[tokio::test(flavor = "multi_thread")]
async fn an_older_schema_is_extended() -> Outcome {
    let database = database!();
    let first = services(&database, 1).await?;
    let name = table(&first[0], "Kept").await?;
    first[0].execute(&name, &upsert("p", "r", 1)).await?;
    sql(
        &database,
        "SET search_path = table_patterns; DROP TABLE containers, blobs, parts, staged, chunks, garbage, services; \
         ALTER TABLE tables DROP COLUMN policies; ALTER TABLE queues DROP COLUMN policies; UPDATE meta SET version = 1",
    )
    .await?;
    for service in services(&database, 2).await? {
        assert_eq!(number(&service, &name, "p", "r").await?, Some(1));
        let containers = service.list_containers(ListContainers::new()).await?;
        assert!(containers.containers.is_empty());
        let holder = PolicyHolder::Table(name.clone());
        assert_eq!(service.policies(&holder).await?, StoredPolicies::default());
        assert!(service.service_properties(ServiceKind::Table).await?.cors.as_slice().is_empty());
    }
    Ok(())
}

/// A role that owns one schema, and can do nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn a_role_with_one_schema_suffices() -> Outcome {
    let database = database!();
    sql(
        &database,
        "CREATE ROLE little LOGIN; REVOKE ALL ON DATABASE postgres FROM PUBLIC; GRANT CONNECT ON DATABASE postgres TO little; \
         REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE SCHEMA own AUTHORIZATION little",
    )
    .await?;
    let url = database.url().replace("tables@", "little@");
    let error = PostgresOptions::new(&url)?.schema("other")?.connect().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::AuthorizationFailure, "{error}");
    let service = PostgresOptions::new(&url)?.schema("own")?.connect().await?;
    let table = table(&service, "Own").await?;
    service.transact(&table, &[upsert("p", "1", 1), upsert("p", "2", 2)]).await?;
    assert_eq!(number(&service, &table, "p", "2").await?, Some(2));
    service.delete_table(&table).await?;
    Ok(())
}

/// Each statement reads by the index on both keys, also in a table without statistics, and after `ANALYZE`.
#[tokio::test(flavor = "multi_thread")]
async fn every_plan_uses_the_index() -> Outcome {
    let database = database!();
    let services = services(&database, 1).await?;
    let table = table(&services[0], "Planned").await?;
    for partition in 0..20 {
        let operations: Vec<Operation> =
            (0..100).map(|row| upsert(&format!("{partition:02}"), &format!("{row:03}"), 1)).collect();
        services[0].transact(&table, &operations).await?;
    }
    let mut wrong = Vec::new();
    for analyzed in [false, true] {
        if analyzed {
            sql(&database, "ANALYZE table_patterns.e16").await?;
        }
        let statements = table_postgres::statements("table_patterns", 16);
        assert!(statements.len() >= 45, "statements are missing");
        for (place, (name, text, values)) in statements.into_iter().enumerate() {
            // Those on blobs need the settings of the connections.
            let settings =
                if place < 15 { "" } else { "SET enable_seqscan = off; SET enable_bitmapscan = off;" };
            let values = if values.is_empty() { String::new() } else { format!("({values})") };
            let explain = format!(
                "SET plan_cache_mode = force_generic_plan; {settings} PREPARE s AS {text}; EXPLAIN EXECUTE s{values}; DEALLOCATE s"
            );
            let plan = sql(&database, &explain).await.map_err(|error| format!("{name}: {error}"))?.join("\n");
            let writes = ["insert", "upsert", "begin", "discard", "create"];
            let is_insert = writes.iter().any(|word| name.starts_with(word)) || name == "lock";
            let is_indexed = is_insert || plan.contains("Index Cond");
            if !is_indexed || plan.contains("Seq Scan") || plan.contains("Bitmap") {
                wrong.push(format!("{name}: {plan}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_table_is_not_written_by_others() -> Outcome {
    let database = database!();
    let services = services(&database, 2).await?;
    let name = table(&services[0], "Gone").await?;
    services[1].execute(&name, &upsert("p", "r", 1)).await?;
    services[0].delete_table(&name).await?;
    let late = [
        services[1].execute(&name, &upsert("p", "r", 2)).await.unwrap_err(),
        services[1].transact(&name, &[upsert("p", "r", 2)]).await.unwrap_err().without_index(),
        services[1].query(&name, Query::new()).await.unwrap_err(),
        services[1].get(&name, "p", "r", None).await.unwrap_err(),
    ];
    for error in late {
        assert_eq!(error.code(), ErrorCode::TableNotFound, "{error}");
    }
    // Created again, it is another table, which the other process finds.
    services[0].create_table(&name).await?;
    assert_eq!(number(&services[1], &name, "p", "r").await?, None);
    services[1].execute(&name, &upsert("p", "r", 3)).await?;
    assert_eq!(number(&services[0], &name, "p", "r").await?, Some(3));
    Ok(())
}

/// Keys of Latin letters can have the length that the service allows. An entry of an index is limited to about 2,700 bytes.
#[tokio::test(flavor = "multi_thread")]
async fn keys_that_exceed_an_index_entry_are_rejected() -> Outcome {
    let database = database!();
    let services = services(&database, 1).await?;
    let table = table(&services[0], "Long").await?;
    // Not compressible: PostgreSQL compresses long values of an index.
    let mut state = table_tests::seed::Seed::new(7);
    let mut text = |units: usize, first: u32, count: usize| -> String {
        (0..units)
            .map(|_| char::from_u32(first + u32::try_from(state.below(count)).unwrap()).unwrap())
            .collect()
    };
    let (latin, other) = (text(512, 0xc0, 60), text(512, 0x4e00, 20_000));
    let fits = Operation::Insert(Entity::new(latin.clone(), latin));
    services[0].execute(&table, &fits).await?;
    for operations in [1, 2] {
        let long = Operation::Insert(Entity::new(other.clone(), other.clone()));
        let more = Operation::Insert(Entity::new(other.clone(), "1"));
        let error = if operations == 1 {
            services[0].execute(&table, &long).await.unwrap_err()
        } else {
            services[0].transact(&table, &[more, long]).await.unwrap_err()
        };
        assert_eq!(error.code(), ErrorCode::KeyValueTooLarge, "{error}");
    }
    assert_eq!(services[0].query(&table, Query::new()).await?.rows.len(), 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_ends_with_its_writer() -> Outcome {
    let database = database!();
    let name = TableName::new("Leases")?;
    for round in 0..70 {
        let service = Postgres::connect(&database.url()).await?;
        if round == 0 {
            service.create_table(&name).await?;
        }
        service.execute(&name, &upsert("p", "r", round)).await?;
        service.close().await?;
    }
    Ok(())
}

/// The server is killed while writers are waiting. Nothing acknowledged is lost, and the service continues by itself.
#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_a_crash_of_the_server() -> Outcome {
    let mut database = match Database::with(&["fsync=on"]) {
        Ok(database) => database,
        Err(lacking) => return Ok(lacking.pass_over("PostgreSQL")?),
    };
    let services = services(&database, 2).await?;
    let table = table(&services[0], "Crash").await?;
    let (mut settled, mut unknown) = (0, 0);
    for round in 0..2_usize {
        let writers: Vec<_> = (0..6_usize)
            .map(|task| {
                let (service, table) = (services[task % 2].clone(), table.clone());
                tokio::spawn(async move {
                    let partition = format!("{round}-{task}");
                    for n in 0..100_000_i64 {
                        let result = if task < 3 {
                            service.execute(&table, &upsert(&partition, "a", n)).await.map(drop)
                        } else {
                            service
                                .transact(&table, &[upsert(&partition, "a", n), upsert(&partition, "b", n)])
                                .await
                                .map(drop)
                        };
                        if let Err(error) = result {
                            return (partition, n, error);
                        }
                    }
                    panic!("the server was not killed");
                })
            })
            .collect();
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        database.crash()?;
        for writer in writers {
            let (partition, failed, error) = writer.await?;
            let stored = number(&services[0], &table, &partition, "a").await?;
            if error.is_outcome_unknown() {
                unknown += 1;
                assert!(
                    stored == Some(failed) || stored == Some(failed - 1),
                    "{stored:?} of {failed}: {error}"
                );
            } else {
                settled += 1;
                assert_eq!(stored, Some(failed - 1), "{error}");
            }
            if let Some(other) = number(&services[1], &table, &partition, "b").await? {
                assert_eq!(Some(other), stored, "a transaction is incomplete");
            }
        }
    }
    println!("{settled} refused, {unknown} unknown");
    Ok(())
}

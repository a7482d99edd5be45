//! Values of the database that something else changed: they are reported, and affect nothing else.

use table_model::{
    BlobService, Bytes, Condition, Entity, ErrorCode, Metadata, Operation, TableService,
    blob::{BlobAddress, BlockId, BlockSource, PutBlob, PutBlock, ReadBlob},
};
use table_postgres::{Postgres, PostgresOptions};

use super::{Error, Outcome, blobs, database, number, server::sql, services, table, upsert};

/// A timestamp is the clock of later writes, so a damaged one must not be.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_timestamp_is_named_and_affects_no_other_row() -> Outcome {
    let database = database!();
    let mut services = services(&database, 2).await?;
    let (one, table) = (services.remove(0), table(&services[0], "Damaged").await?);
    for row in ["bad", "good"] {
        one.execute(&table, &upsert("p", row, 1)).await?;
    }
    for bit in [50, 60, 61, 62] {
        sql(
            &database,
            &format!("UPDATE table_patterns.e16 SET ts = ts | (1::int8 << {bit}) WHERE r = '\\x626164'"),
        )
        .await?;
        let replace = Operation::Replace(Entity::new("p", "bad"), Condition::Exists);
        for result in [
            one.execute(&table, &replace).await.map(drop),
            one.execute(&table, &upsert("p", "bad", 2)).await.map(drop),
            one.transact(&table, &[upsert("p", "bad", 2), upsert("p", "good", 3)]).await.map(drop),
        ] {
            let error = result.unwrap_err();
            assert_eq!(error.code(), ErrorCode::InternalError, "{bit}: {error}");
            let text = format!("{error:?}");
            assert!(text.contains("RowKey `bad`"), "{bit}: {text}");
        }
        one.execute(&table, &upsert("p", "good", 5)).await?;
        assert_eq!(number(&services[0], &table, "p", "good").await?, Some(5));
        one.execute(
            &table,
            &Operation::Delete {
                partition_key: "p".to_owned(),
                row_key: "bad".to_owned(),
                condition: Condition::Exists,
            },
        )
        .await?;
        one.execute(&table, &upsert("p", "bad", 1)).await?;
    }
    // A damaged reservation is not used.
    sql(&database, "UPDATE table_patterns.writers SET reserved = 1::int8 << 62 WHERE expires < now() AND remainder % 2 = 0")
        .await?;
    for _ in 0..5 {
        let service = Postgres::connect(&database.url()).await?;
        service.execute(&table, &upsert("p", "new", 7)).await?;
        assert_eq!(number(&one, &table, "p", "new").await?, Some(7));
    }
    Ok(())
}

/// The checksum of a chunk contains its place, that of a blob its content.
#[tokio::test(flavor = "multi_thread")]
async fn content_in_another_place_is_reported_with_its_blob() -> Outcome {
    let database = database!();
    let service = services(&database, 1).await?.remove(0);
    let at = |name: &str| BlobAddress::new("photos", name);
    service.create_container(&at("a")?.container, Metadata::new()).await?;
    let read = |name: &'static str| {
        let service = service.clone();
        async move {
            let read = service.get_blob(&at(name)?, ReadBlob::new()).await;
            Ok::<_, Error>(read)
        }
    };
    for (number, name) in ["a", "b"].into_iter().enumerate() {
        let content = blobs::bytes(number as u64, 600_000);
        service.put_blob(&at(name)?, content, PutBlob::new()).await?;
    }
    for (number, name) in ["c", "d"].into_iter().enumerate() {
        let mut list = Vec::new();
        for block in 0..2_u64 {
            let id = BlockId::new(&[u8::try_from(block)?])?;
            let content: Bytes = blobs::bytes(10 + block + number as u64, 1_000);
            service.put_block(&at(name)?, &id, content, PutBlock::default()).await?;
            list.push(BlockSource::Latest(id));
        }
        service.put_block_list(&at(name)?, &list, PutBlob::new()).await?;
    }
    let swap_of = |table: &str, column: &str, key: &str| {
        format!(
            "WITH k AS (SELECT ctid, {column} AS was, row_number() OVER (ORDER BY {key}) AS n, count(*) OVER () AS m \
             FROM table_patterns.{table}) UPDATE table_patterns.{table} AS t SET {column} = o.was FROM k, k AS o \
             WHERE t.ctid = k.ctid AND o.n = k.n % k.m + 1"
        )
    };
    for (what, change, names) in [
        ("chunks", "UPDATE table_patterns.chunks SET content = -content".to_owned(), &["a", "b"][..]),
        ("parts", swap_of("parts", "part", "content, upto"), &["c", "d"]),
        ("content", swap_of("blobs", "content", "name"), &["a", "b", "c", "d"]),
    ] {
        for name in ["a", "b", "c", "d"] {
            assert!(read(name).await?.is_ok(), "{name} before {what}");
        }
        let dump = ["chunks", "parts", "blobs"].map(|table| {
            format!("DROP TABLE IF EXISTS kept_{table}; CREATE TABLE kept_{table} AS SELECT * FROM table_patterns.{table}")
        });
        sql(&database, &dump.join(";")).await?;
        if what == "chunks" {
            // The ends of the chunks of both blobs are the same.
            let swap = "UPDATE table_patterns.chunks SET content = -content; UPDATE table_patterns.chunks AS c SET \
                        content = o.content FROM (SELECT min(-content) AS a, max(-content) AS b FROM \
                        table_patterns.chunks WHERE octet_length(data) > 1000) AS m, LATERAL (SELECT CASE -c.content \
                        WHEN m.a THEN m.b WHEN m.b THEN m.a ELSE -c.content END AS content) AS o";
            sql(&database, swap).await?;
        } else {
            sql(&database, &change).await?;
        }
        for name in names {
            let error = read(name).await?.expect_err(what);
            let text = format!("{error:?}");
            assert!(
                text.contains(&format!("`photos/{name}`")) || text.contains(&format!("`{name}`")),
                "{what}: {text}"
            );
        }
        let restore = ["chunks", "parts", "blobs"].map(|table| {
            format!("TRUNCATE table_patterns.{table}; INSERT INTO table_patterns.{table} SELECT * FROM kept_{table}")
        });
        sql(&database, &restore.join(";")).await?;
    }
    Ok(())
}

/// A stricter isolation of the role would fail writes that waited for others.
#[tokio::test(flavor = "multi_thread")]
async fn the_isolation_of_the_role_does_not_matter() -> Outcome {
    let database = database!();
    services(&database, 1).await?;
    sql(&database, "ALTER ROLE tables SET default_transaction_isolation = 'serializable'").await?;
    let service = PostgresOptions::new(&database.url())?.connect().await?;
    let table = table(&service, "Contended").await?;
    let writers = (0..8).map(|number| {
        let (service, table) = (service.clone(), table.clone());
        tokio::spawn(async move {
            for _ in 0..50 {
                service.execute(&table, &upsert("p", "r", number)).await?;
            }
            Ok::<_, table_model::TableError>(())
        })
    });
    for result in futures_util::future::join_all(writers).await {
        result??;
    }
    Ok(())
}

/// Names that are keywords of SQL.
#[tokio::test(flavor = "multi_thread")]
async fn a_schema_can_have_the_name_of_a_keyword() -> Outcome {
    let database = database!();
    for name in ["user", "order", "1company"] {
        let service = PostgresOptions::new(&database.url())?.schema(name)?.connect().await?;
        let table = table(&service, "Kept").await?;
        service.execute(&table, &upsert("p", "r", 1)).await?;
        assert_eq!(number(&service, &table, "p", "r").await?, Some(1), "{name}");
        service.create_container(&BlobAddress::new("con", "a")?.container, Metadata::new()).await?;
        service.delete_schema().await?;
    }
    Ok(())
}

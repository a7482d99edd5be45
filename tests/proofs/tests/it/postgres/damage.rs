//! Damaged records, and names that the database cannot store.

use table_model::{
    BlobService, Bytes, Condition, Entity, ErrorCode, Metadata, Operation, QueueService, Result, TableError,
    TableService, Timestamp,
    blob::{
        BlobAddress, BlobConditions, BlobETag, BlobMatch, ContainerName, FindBlobs, ListContainers, PutBlob,
        ReadBlob,
    },
    queue::{ListQueues, QueueName},
};
use table_proofs::command;
use table_store::Store;

use super::{Outcome, commands::run, database, number, server::sql, services, table, upsert};

const DESIGN: &str = r#"
tables = 1
design = "damaged"

[entity.Row]
table     = "Damaged"
partition = "{p}"
row       = "{r}"

[entity.Row.fields]
p = "string(40)"
r = "string(40)"
N = "i64"

[entity.Row.index.by_number]
partition = "number_{N:04}"
row       = "{p}_{r}"
"#;

fn is_damaged(error: &TableError) -> bool {
    error.fault().is_some() && error.to_string().contains("checksum")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_entity_is_named_replaced_and_deleted() -> Outcome {
    let database = database!();
    let service = services(&database, 1).await?.remove(0);
    let table = table(&service, "Damaged").await?;
    let rows = ["1", "2", "3", "4", "5", "6"];
    let upserts: Vec<_> = rows.iter().map(|row| upsert("p", row, 1)).collect();
    service.transact(&table, &upserts).await?;
    sql(&database, "UPDATE table_patterns.e16 SET data = set_byte(data, 4, 255)").await?;

    let folder = tempfile::tempdir()?;
    let design = folder.path().join("design.toml");
    std::fs::write(&design, DESIGN)?;
    let design = design.to_str().expect("a path");
    let (code, text) = run(&command::build()?, &["verify", "--design", design, "--store", &database.url()])?;
    assert!(code == Some(1) && text.contains("PartitionKey `p`, RowKey `1`"), "{text}");

    for row in rows {
        let error = service.get(&table, "p", row, None).await.expect_err("read, though it is damaged");
        assert!(is_damaged(&error), "{error}");
    }
    let entity = |row| Entity::new("p", row).with("N", 2_i64);
    let merge = Operation::Merge(entity("1"), Condition::Exists);
    assert!(service.execute(&table, &merge).await.is_err_and(|error| is_damaged(&error)));
    let delete = |row: &str| Operation::Delete {
        partition_key: "p".into(),
        row_key: row.into(),
        condition: Condition::Exists,
    };
    let replace = |row| Operation::Replace(entity(row), Condition::Exists);
    for operation in [upsert("p", "1", 2), replace("2"), delete("3")] {
        service.execute(&table, &operation).await?;
    }
    service.transact(&table, &[upsert("p", "4", 2), replace("5"), delete("6")]).await?;
    for (row, expected) in rows.into_iter().zip([Some(2), Some(2), None, Some(2), Some(2), None]) {
        assert_eq!(number(&service, &table, "p", row).await?, expected, "{row}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_blob_or_container_is_replaced_and_deleted() -> Outcome {
    let database = database!();
    let service = services(&database, 1).await?.remove(0);
    let [replaced, appended, deleted] = [("a", "replaced"), ("a", "appended"), ("a", "deleted")]
        .map(|(container, name)| BlobAddress::new(container.repeat(3), name));
    let (replaced, appended, deleted) = (replaced?, appended?, deleted?);
    service.create_container(&replaced.container, Metadata::new()).await?;
    for at in [&replaced, &deleted] {
        service.put_blob(at, Bytes::from("old"), PutBlob::new()).await?;
    }
    service.create_append_blob(&appended, PutBlob::new()).await?;
    sql(&database, "UPDATE table_patterns.blobs SET record = set_byte(record, 4, 255 - get_byte(record, 4))")
        .await?;
    for at in [&replaced, &appended, &deleted] {
        let error = service.blob_properties(at, &BlobConditions::none()).await.expect_err("damaged");
        assert!(is_damaged(&error) && error.to_string().contains(at.name.as_str()), "{error}");
    }
    let mut other = BlobConditions::none();
    other.if_match = Some(BlobMatch::Version(BlobETag::from(Timestamp::UNIX_EPOCH)));
    let refused = service.delete_blob(&deleted, &other).await;
    assert!(refused.is_err_and(|error| error.code() == ErrorCode::ConditionNotMet));
    service.put_blob(&replaced, Bytes::from("new"), PutBlob::new()).await?;
    assert_eq!(service.get_blob(&replaced, ReadBlob::new()).await?, b"new"[..]);
    service.create_append_blob(&appended, PutBlob::new()).await?;
    service.delete_blob(&deleted, &BlobConditions::none()).await?;

    sql(
        &database,
        "UPDATE table_patterns.containers SET record = set_byte(record, 4, 255 - get_byte(record, 4))",
    )
    .await?;
    let container = &replaced.container;
    assert!(service.list_containers(ListContainers::new()).await.is_err_and(|error| is_damaged(&error)));
    service.set_container_metadata(container, Metadata::new(), &BlobConditions::none()).await?;
    assert_eq!(service.list_containers(ListContainers::new()).await?.containers.len(), 1);
    sql(
        &database,
        "UPDATE table_patterns.containers SET record = set_byte(record, 4, 255 - get_byte(record, 4))",
    )
    .await?;
    service.delete_container(container, &BlobConditions::none()).await?;
    Ok(())
}

/// No text of the database contains U+0000, but a request can.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_with_a_nul_is_listed_as_by_the_store() -> Outcome {
    async fn names(
        service: &(impl BlobService + QueueService),
        start: &str,
        mark: bool,
    ) -> Result<Vec<String>> {
        let (mut containers, mut queues) = (ListContainers::new(), ListQueues::new());
        if mark {
            (containers, queues) = (containers.marker(start), queues.marker(start));
        } else {
            (containers, queues) = (containers.prefix(start), queues.prefix(start));
        }
        let containers = service.list_containers(containers).await?.containers;
        let queues = service.list_queues(queues).await?.queues;
        let containers = containers.iter().map(|container| container.name.to_string());
        let mut names: Vec<_> = containers.chain(queues.iter().map(|queue| queue.name.to_string())).collect();
        let found = service
            .find_blobs(FindBlobs::new(format!("@container = '{start}' AND k = '1'").parse()?))
            .await?;
        names.push(found.blobs.len().to_string());
        Ok(names)
    }
    let database = database!();
    let (service, store) = (services(&database, 1).await?.remove(0), Store::in_memory()?);
    for name in ["abc", "abcd", "abd"] {
        for side in [&service as &dyn BlobService, &store] {
            side.create_container(&ContainerName::new(name)?, Metadata::new()).await?;
        }
        for side in [&service as &dyn QueueService, &store] {
            side.create_queue(&QueueName::new(name)?, Metadata::new()).await?;
        }
    }
    for start in ["abc", "\0", "abc\0", "abc\0d", "ab\0", "abd\0"] {
        for mark in [false, true] {
            let shown = |found: Result<Vec<String>>| found.unwrap_or_else(|error| vec![error.to_string()]);
            let (found, expected) = (names(&service, start, mark).await, names(&store, start, mark).await);
            assert_eq!(shown(found), shown(expected), "{start:?}, {mark}");
        }
    }
    Ok(())
}

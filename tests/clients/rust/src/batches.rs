//! Transactions on one partition.

use azure_core::StatusCode;
use azure_data_tables::prelude::{IfMatchCondition, TableClient};
use futures::StreamExt as _;

use crate::{
    account::{Account, HELD},
    cases::{Cases, Held, equal},
    entity::Entity,
};

pub(crate) async fn add(cases: &mut Cases) {
    cases.add("batches.all_kinds_of_operations_go_together", all_kinds_of_operations_go_together).await;
    cases.add("batches.a_batch_that_fails_changes_nothing", a_batch_that_fails_changes_nothing).await;
    cases.add("batches.a_hundred_go_at_once", a_hundred_go_at_once).await;
}

async fn all(table: &TableClient) -> azure_core::Result<Vec<Entity>> {
    let mut pages = table.query().into_stream::<Entity>();
    let mut found = Vec::new();
    while let Some(page) = pages.next().await {
        found.extend(page?.entities);
    }
    Ok(found)
}

async fn all_kinds_of_operations_go_together(account: Account) -> Held {
    let table = account.table().await?;
    let partition = table.partition_key_client("p");
    let entity = |row: &str| Entity::new("p", row);
    let mut first = partition.transaction();
    for row in ["1", "2", "3", "4"] {
        first = first.insert(entity(row).a(1).b("one"))?;
    }
    first.await?;
    let answer = partition
        .transaction()
        .insert(entity("0").a(0))?
        .update("1", entity("1").a(2), Some(IfMatchCondition::Any))?
        .merge("2", entity("2").a(2), Some(IfMatchCondition::Any))?
        .delete("3", None)?
        .insert_or_merge("4", entity("4").a(4))?
        .insert_or_replace("5", entity("5").a(5))?
        .await?;
    let parts = answer.operation_responses;
    let success = parts.iter().filter(|part| part.status_code.is_success()).count();
    equal(&(parts.len(), success), &(6, 6))?;
    let tagged: Vec<bool> = parts.iter().map(|part| part.etag.is_some()).collect();
    equal(&tagged, &vec![true, true, true, false, true, true])?;
    let expected = vec![
        entity("0").a(0),
        entity("1").a(2),
        entity("2").a(2).b("one"),
        entity("4").a(4).b("one"),
        entity("5").a(5),
    ];
    equal(&all(&table).await?, &expected)
}

async fn a_batch_that_fails_changes_nothing(account: Account) -> Held {
    let table = account.table().await?;
    let partition = table.partition_key_client("p");
    let entity = |row: &str| Entity::new("p", row);
    table.insert::<_, Entity>(entity("there"))?.return_entity(false).await?;
    let answer = partition.transaction().insert(entity("1"))?.insert(entity("there"))?.await?;
    // One part reports the failure, for any number of operations.
    let statuses: Vec<StatusCode> = answer.operation_responses.iter().map(|part| part.status_code).collect();
    equal(&statuses, &vec![StatusCode::Conflict])?;
    equal(&all(&table).await?, &vec![entity("there")])
}

async fn a_hundred_go_at_once(account: Account) -> Held {
    let table = account.table().await?;
    let mut transaction = table.partition_key_client("p").transaction();
    for number in 0..100 {
        transaction = transaction.insert(Entity::new("p", &format!("{number:03}")).a(number))?;
    }
    equal(&transaction.await?.operation_responses.len(), &100)?;
    equal(&all(&table).await?.len(), &100)?;
    HELD
}

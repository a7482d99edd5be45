//! Tables, and single entities.

use azure_core::StatusCode;
use azure_data_tables::prelude::{IfMatchCondition, TableClient};
use futures::StreamExt as _;
use serde::{Deserialize, Serialize};

use crate::{
    account::{Account, HELD},
    cases::{Cases, Held, equal, refused},
    entity::Entity,
};

pub(crate) async fn add(cases: &mut Cases) {
    cases
        .add("entities.a_table_is_made_once_listed_and_deleted", a_table_is_made_once_listed_and_deleted)
        .await;
    cases.add("entities.an_insert_is_taken_once", an_insert_is_taken_once).await;
    cases.add("entities.a_merge_keeps_what_it_does_not_name_and_an_update_does_not", merge_and_update).await;
    cases.add("entities.an_upsert_inserts_or_writes_over", upserts).await;
    cases.add("entities.a_write_with_an_old_etag_is_refused", a_write_with_an_old_etag_is_refused).await;
    cases.add("entities.values_keep_their_type", values_keep_their_type).await;
    cases.add("entities.awkward_keys_are_taken", awkward_keys_are_taken).await;
    cases.add("entities.a_wrong_key_is_refused", a_wrong_key_is_refused).await;
}

async fn get(table: &TableClient, row: &str) -> azure_core::Result<Entity> {
    Ok(table.partition_key_client("p").entity_client(row).get().await?.entity)
}

async fn insert(table: &TableClient, entity: &Entity) -> azure_core::Result<azure_core::Etag> {
    Ok(table.insert::<_, Entity>(entity)?.return_entity(false).await?.etag)
}

async fn a_table_is_made_once_listed_and_deleted(account: Account) -> Held {
    let table = account.table().await?;
    refused(table.create().await, StatusCode::Conflict, "TableAlreadyExists")?;
    let filter = format!("TableName eq '{}'", table.table_name());
    let mut pages = account.service().list().filter(filter).into_stream();
    let page = pages.next().await.ok_or("no page")??;
    equal(
        &page.tables.iter().map(|found| found.name.as_str()).collect::<Vec<_>>(),
        &vec![table.table_name()],
    )?;
    table.delete().await?;
    refused(table.delete().await, StatusCode::NotFound, "ResourceNotFound")
}

async fn an_insert_is_taken_once(account: Account) -> Held {
    let table = account.table().await?;
    let entity = Entity::new("p", "r").a(1);
    let answer = table.insert::<_, Entity>(&entity)?.return_entity(true).await?;
    let with = answer.entity_with_metadata.ok_or("no entity")?;
    equal(&with.entity, &entity)?;
    equal(&with.metadata.etag, &answer.etag.to_string())?;
    let found = table.partition_key_client("p").entity_client("r").get::<Entity>().await?;
    equal(&(found.entity, found.etag), &(entity.clone(), answer.etag))?;
    refused(insert(&table, &entity).await, StatusCode::Conflict, "EntityAlreadyExists")?;
    refused(get(&table, "none").await, StatusCode::NotFound, "ResourceNotFound")?;
    refused(insert(&account.unmade_table(), &entity).await, StatusCode::NotFound, "TableNotFound")
}

async fn merge_and_update(account: Account) -> Held {
    let table = account.table().await?;
    insert(&table, &Entity::new("p", "r").a(1)).await?;
    let client = table.partition_key_client("p").entity_client("r");
    client.merge(Entity::new("p", "r").b("two"), IfMatchCondition::Any)?.await?;
    equal(&get(&table, "r").await?, &Entity::new("p", "r").a(1).b("two"))?;
    client.update(Entity::new("p", "r").b("three"), IfMatchCondition::Any)?.await?;
    equal(&get(&table, "r").await?, &Entity::new("p", "r").b("three"))?;
    let none = table.partition_key_client("p").entity_client("none");
    refused(
        none.update(Entity::new("p", "none"), IfMatchCondition::Any)?.await,
        StatusCode::NotFound,
        "ResourceNotFound",
    )?;
    refused(
        none.merge(Entity::new("p", "none"), IfMatchCondition::Any)?.await,
        StatusCode::NotFound,
        "ResourceNotFound",
    )
}

async fn upserts(account: Account) -> Held {
    let table = account.table().await?;
    let client = table.partition_key_client("p").entity_client("r");
    client.insert_or_merge(Entity::new("p", "r").a(1))?.await?;
    client.insert_or_merge(Entity::new("p", "r").b("two"))?.await?;
    equal(&get(&table, "r").await?, &Entity::new("p", "r").a(1).b("two"))?;
    client.insert_or_replace(Entity::new("p", "r").b("three"))?.await?;
    equal(&get(&table, "r").await?, &Entity::new("p", "r").b("three"))
}

async fn a_write_with_an_old_etag_is_refused(account: Account) -> Held {
    const LOST: &str = "UpdateConditionNotSatisfied";
    let table = account.table().await?;
    let old: IfMatchCondition = insert(&table, &Entity::new("p", "r").a(1)).await?.into();
    let client = table.partition_key_client("p").entity_client("r");
    let new = client.update(Entity::new("p", "r").a(2), old.clone())?.await?.etag;
    let next = Entity::new("p", "r").a(3);
    refused(client.update(&next, old.clone())?.await, StatusCode::PreconditionFailed, LOST)?;
    refused(client.merge(&next, old.clone())?.await, StatusCode::PreconditionFailed, LOST)?;
    refused(client.delete().if_match(old).await, StatusCode::PreconditionFailed, LOST)?;
    equal(&get(&table, "r").await?, &Entity::new("p", "r").a(2))?;
    client.delete().if_match(IfMatchCondition::from(new)).await?;
    refused(client.delete().await, StatusCode::NotFound, "ResourceNotFound")
}

/// The client has no typed properties: an annotation is a member of the struct.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Typed {
    #[serde(rename = "PartitionKey")]
    partition: String,
    #[serde(rename = "RowKey")]
    row: String,
    flag: bool,
    double: f64,
    #[serde(rename = "large@odata.type")]
    large_type: String,
    large: String,
    #[serde(rename = "bytes@odata.type")]
    bytes_type: String,
    bytes: String,
    #[serde(rename = "guid@odata.type")]
    guid_type: String,
    guid: String,
    #[serde(rename = "time@odata.type")]
    time_type: String,
    time: String,
}

async fn values_keep_their_type(account: Account) -> Held {
    let table = account.table().await?;
    let typed = Typed {
        partition: "p".into(),
        row: "r".into(),
        flag: true,
        double: f64::MAX,
        large_type: "Edm.Int64".into(),
        large: i64::MIN.to_string(),
        bytes_type: "Edm.Binary".into(),
        bytes: "AAEC/w==".into(),
        guid_type: "Edm.Guid".into(),
        guid: "dd3cb8f8-93b7-44e2-b74a-c0aa3b27a6d2".into(),
        time_type: "Edm.DateTime".into(),
        time: "2013-08-02T17:37:43.9004348Z".into(),
    };
    table.insert::<_, Typed>(&typed)?.return_entity(false).await?;
    let found = table.partition_key_client("p").entity_client("r").get::<Typed>().await?;
    equal(&found.entity, &typed)
}

async fn awkward_keys_are_taken(account: Account) -> Held {
    let table = account.table().await?;
    // The client does not double quotes, so keys with a quote are not tested.
    for key in ["", " ", "a b", "a+b", "a&b=c;d", "(a,b)", "äöü", "🦀", "a:b@c$d!e*f~g"] {
        let entity = Entity::new(key, key).a(1);
        insert(&table, &entity).await?;
        let client = table.partition_key_client(key).entity_client(key);
        client.merge(Entity::new(key, key).b("two"), IfMatchCondition::Any)?.await?;
        equal(&client.get::<Entity>().await?.entity, &entity.b("two"))?;
        client.delete().await?;
    }
    HELD
}

async fn a_wrong_key_is_refused(account: Account) -> Held {
    let mut pages = account.service_with("d3Jvbmc=".into()).list().into_stream();
    refused(pages.next().await.ok_or("no page")?, StatusCode::Forbidden, "AuthenticationFailed")
}

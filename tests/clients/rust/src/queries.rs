//! Queries over three thousand entities.

use azure_data_tables::prelude::{Filter, Select, TableClient, Top};
use futures::StreamExt as _;
use serde::Deserialize;

use crate::{
    account::Account,
    cases::{Cases, Held, equal},
    entity::Entity,
};

pub(crate) async fn add(cases: &mut Cases) {
    cases.add("queries.three_thousand_entities_come_in_pages_and_by_filters", three_thousand).await;
}

async fn fill(account: &Account) -> azure_core::Result<TableClient> {
    let table = account.table().await?;
    for partition in 0..30 {
        let name = format!("p{partition:02}");
        let mut transaction = table.partition_key_client(&name).transaction();
        for number in partition * 100..partition * 100 + 100 {
            transaction = transaction.insert(Entity::new(&name, &format!("r{number:04}")).a(number))?;
        }
        transaction.await?;
    }
    Ok(table)
}

async fn pages(table: &TableClient, filter: &str, top: Option<u32>) -> azure_core::Result<Vec<Vec<i32>>> {
    let mut query = table.query();
    if !filter.is_empty() {
        query = query.filter(Filter::new(filter.to_owned()));
    }
    if let Some(top) = top {
        query = query.top(Top::new(top));
    }
    let mut stream = query.into_stream::<Entity>();
    let mut found = Vec::new();
    while let Some(page) = stream.next().await {
        found.push(page?.entities.into_iter().filter_map(|entity| entity.a).collect());
    }
    Ok(found)
}

/// An entity with only this property selected.
#[derive(Debug, Deserialize, PartialEq)]
struct Selected {
    a: i32,
    #[serde(rename = "RowKey")]
    row: Option<String>,
}

async fn three_thousand(account: Account) -> Held {
    let table = fill(&account).await?;
    let all = pages(&table, "", None).await?;
    equal(&all.iter().map(Vec::len).collect::<Vec<_>>(), &vec![1000; 3])?;
    equal(&all.concat(), &(0..3000).collect::<Vec<_>>())?;
    let sizes: Vec<usize> = pages(&table, "", Some(700)).await?.iter().map(Vec::len).collect();
    equal(&sizes, &vec![700, 700, 700, 700, 200])?;
    let some = pages(&table, "PartitionKey eq 'p07' and a ge 750 and a lt 753", None).await?;
    equal(&some.concat(), &vec![750, 751, 752])?;
    let query = table.query().filter("RowKey eq 'r0712'").select(Select::new("a"));
    let page = query.into_stream::<Selected>().next().await.ok_or("no page")??;
    equal(&page.entities, &vec![Selected { a: 712, row: None }])
}

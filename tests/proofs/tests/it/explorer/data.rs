//! The stores that the cases in the browser explore.

mod company;

use std::{error::Error, path::Path, time::Duration};

use futures_util::future::try_join_all;
use table_patterns::Tables;
use table_store::{
    BlobService, Durability, Entity, Metadata, OpenOptions, Operation, QueueService, Store, TableName,
    TableService, Timestamp, Value,
    blob::{BlobAddress, PutBlob},
    queue::PutMessage,
};

use company::Employee;

/// The design of `staff.tables`.
const STAFF: &str = r#"
tables = 1
design = "staff"
[entity.Person]
table = "Staff"
partition = "{department}"
row = "emp_{id:06}"
[entity.Person.fields]
department = "string(40)"
id = "u32"
name = "string(40)"
title = "string(40)"
salary = "i32"
active = "bool"
[query.older]
find = "Person"
where = "department = ? and salary > 20%"
rate = "20/s"
[load.Person]
count = 100_000
insert = "50/s"
values.department = { distinct = 40 }
"#;

type Done = Result<(), Box<dyn Error>>;

/// Number of partitions of `partitions.tables`, and of rows of `long.tables`.
const PARTITIONS: u32 = 100_000;
const LONG: u32 = 60_000;

/// Writes all stores into a folder.
pub(super) async fn write(folder: &Path) -> Done {
    staff(&open(folder, "staff")?).await?;
    std::fs::write(folder.join("staff.toml"), STAFF)?;
    late(&open(folder, "late")?).await?;
    values(&open(folder, "values")?).await?;
    company(&open(folder, "company")?).await?;
    std::fs::write(folder.join("company.rs"), include_str!("data/company.rs"))?;
    partitions(&open(folder, "partitions")?).await?;
    long(&open(folder, "long")?).await
}

fn open(folder: &Path, name: &str) -> Result<Store, Box<dyn Error>> {
    let durability = Durability::Relaxed { at_most: Duration::from_secs(10) };
    Ok(OpenOptions::new().durability(durability).open(folder.join(format!("{name}.tables")))?)
}

/// Two partitions, a poison queue and a container.
async fn staff(store: &Store) -> Done {
    const TITLES: [&str; 3] = ["Engineer", "Technique Leader", "Staff"];
    let table: TableName = "Staff".parse()?;
    store.create_table(&table).await?;
    for (partition, count) in [("Development", 1_500), ("Sales", 600)] {
        let rows = (0..count).zip(TITLES.iter().cycle()).map(|(number, title)| {
            Entity::new(partition, format!("emp_{number:06}"))
                .with("name", format!("Person {number}"))
                .with("title", *title)
                .with("salary", 40_000 + 7 * number)
                .with("active", number % 2 == 0)
        });
        insert(store, &table, rows).await?;
    }
    for queue in ["jobs", "jobs-poison"] {
        let queue = queue.parse()?;
        store.create_queue(&queue, Metadata::new()).await?;
        store.put_message(&queue, PutMessage::new("<script>window.pwned = 1</script>")).await?;
    }
    let page = BlobAddress::new("photos", "<img src=x onerror='window.pwned=1'>.html")?;
    store.create_container(&page.container, Metadata::new()).await?;
    store
        .put_blob(&page, "<script>window.pwned = 1</script>".into(), PutBlob::new().content_type("text/html"))
        .await?;
    Ok(store.close().await?)
}

/// A pending follow-up, a parked one, and a message that could not be processed.
async fn late(store: &Store) -> Done {
    let table: TableName = "Orders".parse()?;
    store.create_table(&table).await?;
    let written = Timestamp::now().saturating_sub(Duration::from_secs(3 * 3_600 + 60));
    let record = |key: &str, tries: i32, error: &str| {
        let record = Entity::new("2026-11", key).with("_k", "c").with("_at", written);
        record.with("_tries", tries).with("_err", error)
    };
    let records = [record("!o_0001", 2, "no response"), record("!x_0002", 9, "the index table is full")];
    insert(store, &table, records.into_iter()).await?;
    let queue = "orders-poison".parse()?;
    store.create_queue(&queue, Metadata::new()).await?;
    store.put_message(&queue, PutMessage::new("{}")).await?;
    Ok(store.close().await?)
}

/// Employees with their index rows. The badge of the last one has changed, and no worker has updated its index row.
async fn company(store: &Store) -> Done {
    let tables = Tables::from(store.clone());
    let employee = |id: u32| Employee {
        department: "Sales".to_owned(),
        id,
        name: format!("Person {id}"),
        email: format!("person{id}@contoso.com"),
        badge: id,
    };
    for id in 1..=5 {
        tables.insert(&employee(id)).await?;
    }
    let mut last = Employee::point("Sales", 5).get(&tables).await?.ok_or("the last employee is missing")?;
    last.badge = 55;
    tables.with_deferred_updates().replace(&last).await?;
    drop(tables);
    Ok(store.close().await?)
}

/// Extremes of numbers, and texts that try to be something else.
async fn values(store: &Store) -> Done {
    let table: TableName = "Values".parse()?;
    store.create_table(&table).await?;
    let number = |name: &str, value: Value| Entity::new("numbers", name).with("value", value);
    let numbers = [
        number("a_most", Value::Int64(i64::MAX)),
        number("b_least", Value::Int64(i64::MIN)),
        number("c_above", Value::Int64((1 << 53) + 1)),
        number("d_below", Value::Int64(-(1 << 53) - 1)),
        number("e_one", Value::Double(1.0)),
        number("f_zero", Value::Double(-0.0)),
        number("g_none", Value::Double(f64::NAN)),
        number("h_int", Value::Int32(1)),
    ];
    insert(store, &table, numbers.into_iter()).await?;
    let hostile = Entity::new("<b>&amp;", "<img src=x onerror='window.pwned=1'>\u{202e}txt")
        .with("script", "<script>window.pwned = 1</script>")
        .with("attribute", "\" onmouseover=\"window.pwned = 1\" x=\"")
        .with("reversed", "abc\u{202e}def\u{200b}ghi")
        .with("controls", "nul\0bell\u{7}tab\tline\nend")
        .with("empty", "")
        .with("long", "ä".repeat(32 << 10))
        .with("größe_名", "<svg onload='window.pwned=1'>")
        .with("bytes", (0..=255).collect::<Vec<u8>>());
    insert(store, &table, [hostile].into_iter()).await?;
    Ok(store.close().await?)
}

async fn partitions(store: &Store) -> Done {
    let table: TableName = "Wide".parse()?;
    store.create_table(&table).await?;
    let numbers: Vec<u32> = (0..PARTITIONS).collect();
    for chunk in numbers.chunks(2_000) {
        let insert = |number: &u32| Operation::Insert(Entity::new(format!("p{number:06}"), "r"));
        let inserts: Vec<Operation> = chunk.iter().map(insert).collect();
        try_join_all(inserts.iter().map(|insert| store.execute(&table, insert))).await?;
    }
    Ok(store.close().await?)
}

/// One partition in which every 20,000th row is wanted.
async fn long(store: &Store) -> Done {
    let table: TableName = "Long".parse()?;
    store.create_table(&table).await?;
    let rows = (0..LONG).map(|number| {
        Entity::new("p", format!("{number:08}"))
            .with("wanted", number % 20_000 == 5)
            .with("number", i64::from(number))
    });
    insert(store, &table, rows).await?;
    Ok(store.close().await?)
}

/// Inserts the entities of a partition.
async fn insert(store: &Store, table: &TableName, entities: impl Iterator<Item = Entity>) -> Done {
    let operations: Vec<Operation> = entities.map(Operation::Insert).collect();
    try_join_all(operations.chunks(100).map(|chunk| store.transact(table, chunk))).await?;
    Ok(())
}

//! A plain table client: no derive, no patterns, entities as stored.
//!
//! ```text
//! tables serve --in-memory &        # or Azurite; both listen where the default connection string points
//! cargo run -p table-rest --features client --example plain_client
//! cargo run -p table-rest --features client --example plain_client -- "DefaultEndpointsProtocol=https;AccountName=…"
//! ```

use table_model::{
    Condition, Entity, ErrorCode, Filter, Operation, Query, Row, TableName, TableService, Timestamp, Value,
};
use table_rest::client::Account;

/// The record of the program. The conversion to an entity and back takes a few lines.
#[derive(Debug)]
struct Employee {
    department: String,
    id: u32,
    name: String,
    age: i32,
    hired: Timestamp,
}

impl Employee {
    fn to_entity(&self) -> Entity {
        Entity::new(&self.department, format!("empid_{:06}", self.id))
            .with("Name", self.name.as_str())
            .with("Age", self.age)
            .with("Hired", self.hired)
    }

    fn from_row(row: &Row) -> Option<Self> {
        let text = |name| match row.properties.get(name)? {
            Value::String(text) => Some(text.clone()),
            _ => None,
        };
        let (Value::Int32(age), Value::DateTime(hired)) =
            (row.properties.get("Age")?, row.properties.get("Hired")?)
        else {
            return None;
        };
        Some(Self {
            department: row.partition_key.clone()?,
            id: row.row_key.as_deref()?.strip_prefix("empid_")?.parse().ok()?,
            name: text("Name")?,
            age: *age,
            hired: *hired,
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "UseDevelopmentStorage=true".to_owned());
    let tables = Account::from_connection_string(&text)?.tables()?;
    let table: TableName = "PlainEmployees".parse()?;
    match tables.create_table(&table).await {
        Err(error) if error.code() != ErrorCode::TableAlreadyExists => return Err(error.into()),
        _ => println!("{table} is there, on {}", tables.endpoint().root()),
    }

    // Single inserts, and a transaction: one partition, at most 100 operations, atomic.
    let hired: Timestamp = "2014-07-31T18:00:00Z".parse()?;
    let employee =
        |id, name: &str, age| Employee { department: "Sales".into(), id, name: name.into(), age, hired };
    tables.execute(&table, &Operation::InsertOrReplace(employee(1, "Jo", 34).to_entity())).await?;
    let others = [employee(2, "Mo", 58), employee(3, "Al", 19)];
    let upserts: Vec<_> = others.iter().map(|one| Operation::InsertOrReplace(one.to_entity())).collect();
    tables.transact(&table, &upserts).await?;

    // A point read, and a conditional update that does not overwrite concurrent changes.
    let row = tables.get(&table, "Sales", "empid_000001", None).await?.ok_or("just written")?;
    let older = Entity::new("Sales", "empid_000001").with("Age", 35);
    tables.execute(&table, &Operation::Merge(older.clone(), row.etag.clone().into())).await?;
    let late = tables.execute(&table, &Operation::Merge(older, row.etag.into())).await;
    if let Err(refused) = late {
        println!("the same version again: {refused}");
    }

    // A query, page by page.
    let mut query = Query::new().filter(Filter::parse("PartitionKey eq 'Sales' and Age ge 30")?).top(1);
    loop {
        let page = tables.query(&table, query.clone()).await?;
        for row in page.rows {
            println!("{:?}", Employee::from_row(&row));
        }
        let Some(next) = page.continuation else { break };
        query = query.continuation(next);
    }

    let (partition_key, row_key) = ("Sales".to_owned(), "empid_000003".to_owned());
    let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
    tables.execute(&table, &delete).await?;
    tables.delete_table(&table).await?;
    Ok(())
}

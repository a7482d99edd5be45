//! Compares the rows on the page about the file format with stored rows.

use table_patterns::prelude::*;
use table_store::{Query, TableName, Value};

#[derive(TableEntity)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_name, row = "name_{last_name}_{id:06}", copy(age)))]
#[table(lookup(by_last_name, on = last_name))]
#[table(lookup(by_city, on = city, ids = "EmployeeIDs"))]
struct Employee {
    department: String,
    id: u32,
    last_name: String,
    email: String,
    city: String,
    age: i32,
}

/// Formats a row as on the page.
fn printed(row: &table_store::Row) -> String {
    let properties = row.properties.iter().map(|(name, value)| match (name.as_ref(), value) {
        ("_tx", Value::String(token)) => {
            assert_eq!(token.len(), 26);
            "_tx".to_owned()
        }
        (name, Value::String(text)) => format!("{name} {text}"),
        (name, Value::Int32(number)) => format!("{name} {number}"),
        (name, Value::Int64(number)) => format!("{name} {number}"),
        (name, value) => format!("{name} {value:?}"),
    });
    let properties: Vec<String> = properties.collect();
    format!("{:<24}  {}", row.row_key.as_deref().unwrap_or_default(), properties.join(", "))
}

#[test]
fn the_rows_of_the_page_are_the_rows_of_the_store() {
    let page = include_str!("../../../../docs/format.md");
    let tables = Tables::in_memory().unwrap();
    let employee = Employee {
        department: "Sales".into(),
        id: 223,
        last_name: "Jones".into(),
        email: "jonesj@contoso.com".into(),
        city: "Oslo".into(),
        age: 34,
    };
    tables.blocking().insert(&employee).unwrap();
    let table = TableName::new("Employees").unwrap();
    let segment = pollster::block_on(tables.service().query(&table, Query::new())).unwrap();
    let rows: Vec<String> = segment.rows.into_iter().map(|row| printed(&row)).collect();
    assert_eq!(rows.len(), 5);
    let block = rows.join("\n");
    assert!(page.contains(&block), "the page does not show\n{block}");
}

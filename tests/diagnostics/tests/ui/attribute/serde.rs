// errors: 4
use table_patterns::prelude::*;

#[derive(TableEntity, serde::Serialize, serde::Deserialize)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    #[serde(skip)]
    password: String,
    #[serde(default)]
    age: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
    #[serde(rename(serialize = "mail", deserialize = "email"))]
    email: String,
    #[serde(default)]
    #[table(keep)]
    kept: i32,
    #[serde(rename(serialize = "a", deserialize = "b"))]
    #[table(rename = "Nick")]
    nick: String,
}

fn main() {}

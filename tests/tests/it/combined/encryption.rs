//! Encrypted properties together with other patterns, with changing keys.

use pollster::block_on;
use table_patterns::{KeyRing, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{department}", row = "department")]
struct Department {
    department: String,
    name: String,
    #[table(encrypt)]
    account: String,
    #[table(from_source)]
    employees: i64,
    #[table(from_source)]
    oldest: Option<i32>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{department}", row = "empid_{id:06}")]
#[table(counted_in(Department::employees), max_in(Department::oldest, of = age))]
struct Employee {
    department: String,
    id: u32,
    age: i32,
}

fn department() -> Department {
    Department {
        department: "Sales".into(),
        name: "Sales".into(),
        account: "DE02 1203".into(),
        employees: 0,
        oldest: None,
    }
}

fn sealed() -> Tables {
    Tables::in_memory().unwrap().with_keys(KeyRing::generate().unwrap())
}

#[test]
fn patch_beside_last_source_keeps_secrets_readable() {
    block_on(async {
        let tables = sealed();
        tables.insert(&department()).await.unwrap();
        tables.insert(&Employee { department: "Sales".into(), id: 1, age: 30 }).await.unwrap();
        let point = Department::point("Sales");
        let stored = point.get(&tables).await.unwrap().unwrap();
        assert_eq!((stored.employees, stored.oldest), (1, Some(30)));
        let employee = Employee::point("Sales", 1).get(&tables).await.unwrap().unwrap();
        tables
            .transact()
            .merge(stored.patch().name("Sales and Marketing".into()))
            .delete(&employee)
            .commit()
            .await
            .unwrap();
        let stored = point.get(&tables).await.unwrap().unwrap();
        assert_eq!((stored.account.as_str(), stored.employees, stored.oldest), ("DE02 1203", 0, None));
        assert_eq!(stored.name, "Sales and Marketing");

        // The same by key, with a secret.
        tables.insert(&Employee { department: "Sales".into(), id: 2, age: 31 }).await.unwrap();
        let employee = Employee::point("Sales", 2).get(&tables).await.unwrap().unwrap();
        tables
            .transact()
            .merge(Department::patch("Sales").account("DE99".into()))
            .delete(&employee)
            .commit()
            .await
            .unwrap();
        let stored = point.get(&tables).await.unwrap().unwrap();
        assert_eq!((stored.account.as_str(), stored.employees, stored.oldest), ("DE99", 0, None));
    });
}

//! Several kinds of entities in one table and one partition (R4, `G-HET`): read as an enum, as one kind, as property
//! bags; and changed together in one transaction (R1).
//!
//! `cargo run --example shared_table`

use table_examples::Outcome;
use table_patterns::prelude::*;

/// A department and the number of its employees.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Company", partition = "{name}", row = "department")]
struct Department {
    name: String,
    employee_count: i32,
}

/// An employee, in the partition of the department.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Company", partition = "{department}", row = "empid_{id:06}")]
struct Employee {
    department: String,
    id: u32,
    first_name: String,
}

/// Whatever lives in a department's partition.
#[derive(TableUnion, Debug)]
#[table(partition = "{department}", unknown = keep)]
enum Member {
    Department(Stored<Department>),
    Employee(Stored<Employee>),
    #[table(other)]
    Other(Stored<Entity>),
}

fn main() -> Outcome {
    pollster::block_on(run())
}

async fn run() -> Outcome {
    let tables = Tables::in_memory()?;
    tables.insert(&Department { name: "Sales".into(), employee_count: 0 }).await?;

    println!("an employee and the department's count, in one transaction:");
    for (id, first_name) in [(1, "Ada"), (2, "Grace"), (3, "Hedy")] {
        let department = Department::point("Sales").get(&tables).await?.ok_or("the department is there")?;
        tables
            .transact()
            .insert(&Employee { department: "Sales".into(), id, first_name: first_name.into() })
            .merge(department.patch().employee_count(department.employee_count + 1))
            .commit()
            .await?;
    }

    println!("a row that this program knows nothing of:");
    let mut visitor = Entity::new("Company", "Sales", "visitor_1")?;
    visitor.set("EntityType", "Visitor");
    visitor.set("Name", "Somebody");
    tables.insert(&visitor).await?;

    println!("the partition, as an enum:");
    for member in Member::rows("Sales").all(&tables).await? {
        match member {
            Member::Department(department) => println!("  department of {}", department.employee_count),
            Member::Employee(employee) => println!("  employee {} {}", employee.id, employee.first_name),
            Member::Other(row) => println!("  something else: {}", row.row_key()),
        }
    }

    println!("a count raised without knowing the type (G-HET-3):");
    let mut bag = Entity::point("Company", "Sales", "department")
        .get(&tables)
        .await?
        .ok_or("the department is there")?;
    if let Some(count) = bag.get::<i32>("employee_count")? {
        bag.set("employee_count", count + 1);
        tables.merge(bag.changes()).await?;
    }
    let department = Department::point("Sales").get(&tables).await?.ok_or("the department is there")?;
    assert_eq!(department.employee_count, 4);
    println!("  now {}", department.employee_count);
    Ok(())
}

//! Request counts of denormalized fields, as stated in the guide: in the partition of their sources, and in others.

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::struct_field_names, reason = "a key is often named as its entity")]

use pollster::block_on;
use table_patterns::prelude::*;
use table_store::{OpenOptions, Store};
use table_tests::counting::{Calls, Counting};

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Employee)]
struct Manager {
    id: u32,
    email: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "department")]
struct Department {
    department: String,
    budget: i64,
    #[table(from_source)]
    manager: Option<Manager>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(copied_to(Department::manager, when = is_manager))]
struct Employee {
    department: String,
    id: u32,
    is_manager: bool,
    email: String,
    age: i32,
}

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Player)]
struct Captain {
    name: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Teams", partition = "{team}", row = "team")]
struct Team {
    team: String,
    #[table(from_source)]
    captain: Option<Captain>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Players", partition = "{club}", row = "p_{id:04}")]
#[table(copied_to(Team::captain, when = leads))]
struct Player {
    club: String,
    id: u32,
    team: String,
    name: String,
    leads: bool,
    score: i32,
}

fn counted() -> (Tables, Counting<Store>) {
    let service = Counting::new(OpenOptions::new().in_memory().unwrap());
    let tables = Tables::new(service.clone());
    block_on(tables.create::<Employee>()).unwrap();
    block_on(tables.create::<Player>()).unwrap();
    block_on(tables.create::<Team>()).unwrap();
    service.take();
    (tables, service)
}

fn calls(finds: u64, queries: u64, writes: u64, transactions: u64) -> Calls {
    Calls { finds, queries, writes, transactions, ..Calls::default() }
}

fn employee(id: u32, is_manager: bool) -> Employee {
    Employee { department: "Sales".into(), id, is_manager, email: format!("{id}@example.com"), age: 30 }
}

#[test]
fn only_who_is_copied_reads_the_sink_beside_it() {
    let (tables, service) = counted();
    let b = tables.blocking();
    b.insert(&Department { department: "Sales".into(), budget: 0, manager: None }).unwrap();
    service.take();
    b.insert(&employee(1, false)).unwrap();
    assert_eq!(service.take(), calls(0, 0, 1, 0), "one who is not copied costs nothing");
    b.insert(&employee(2, true)).unwrap();
    assert_eq!(service.take(), calls(1, 0, 0, 1), "a manager");
    let found = b.get(&Department::point("Sales")).unwrap().unwrap();
    assert_eq!(found.manager.as_ref().map(|manager| manager.id), Some(2));
    assert_eq!(service.take(), calls(1, 0, 0, 0), "one point query for both");

    let stored = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    service.take();
    let written = b.merge(stored.patch().email("jo@example.com".to_owned())).unwrap();
    assert_eq!(service.take(), calls(1, 0, 0, 1), "what is copied changes");
    let mut stored = stored.written(&written);
    b.merge(Employee::patch("Sales", 2).age(31)).unwrap();
    assert_eq!(service.take(), calls(0, 0, 1, 0), "what is not copied costs nothing");
    b.get(&Employee::point("Sales", 2)).unwrap();
    stored.is_manager = false;
    assert!(b.replace(&stored).unwrap_err().is_conflict());
    service.take();
    b.replace_any(&employee(2, false)).unwrap();
    assert_eq!(service.take(), calls(2, 1, 0, 1), "the next is looked for");
    b.upsert(&employee(1, true)).unwrap();
    assert_eq!(service.take(), calls(2, 0, 0, 1), "an upsert reads the entity, too");
    b.delete_at(Employee::point("Sales", 1)).unwrap();
    assert_eq!(service.take(), calls(2, 1, 0, 1), "a delete by key");
}

#[test]
fn a_sink_elsewhere_follows_in_so_many_requests() {
    let (tables, service) = counted();
    let b = tables.blocking();
    let player = |team: &str, name: &str, leads| Player {
        club: "c".into(),
        id: 1,
        team: team.into(),
        name: name.into(),
        leads,
        score: 0,
    };
    b.insert(&player("red", "Jo", false)).unwrap();
    assert_eq!(service.take(), calls(0, 0, 1, 0), "one who is not copied costs nothing");
    b.replace_any(&player("red", "Jo", true)).unwrap();
    assert_eq!(service.take(), calls(4, 0, 2, 2), "one who is from now on");
    b.insert(&Team { team: "red".into(), captain: None }).unwrap();
    let red = b.get(&Team::point("red")).unwrap().unwrap();
    assert_eq!(red.captain, Some(Captain { name: "Jo".into() }));
    let stored = b.get(&Player::point("c", 1)).unwrap().unwrap();
    service.take();
    let written = b.merge(stored.patch().name("Ann".to_owned())).unwrap();
    assert_eq!(service.take(), calls(3, 0, 1, 2), "what is copied changes");
    let stored = stored.written(&written);
    let written = b.merge(stored.patch().score(5)).unwrap();
    assert_eq!(service.take(), calls(0, 0, 1, 0), "what is not copied costs nothing");
    let mut stored = stored.written(&written);
    stored.team = "blue".into();
    let written = b.replace(&stored).unwrap();
    assert_eq!(service.take(), calls(5, 1, 2, 3), "from a team to another");
    b.delete(&stored.written(&written)).unwrap();
    assert_eq!(service.take(), calls(3, 1, 1, 2), "a delete");
}

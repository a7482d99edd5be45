//! Copies of the fields of an entity in the row of another, in the same partition and in other partitions.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::struct_field_names, reason = "a key is often named as its entity")]

use pollster::block_on;
use table_model::{Condition, Entity as Row, Operation, Properties, Query as StoreQuery, TableName, Value};
use table_patterns::{DifferenceKind, prelude::*};

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Employee)]
struct Manager {
    id: u32,
    first_name: String,
    email: Option<String>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "department")]
struct Department {
    department: String,
    budget: i64,
    #[table(from_source)]
    manager: Option<Manager>,
    #[table(from_source)]
    employees: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(copied_to(Department::manager, when = is_manager), counted_in(Department::employees))]
struct Employee {
    department: String,
    id: u32,
    is_manager: bool,
    #[table(rename = "FirstName")]
    first_name: String,
    email: Option<String>,
    age: i32,
}

fn employee(id: u32, is_manager: bool) -> Employee {
    Employee {
        department: "Sales".into(),
        id,
        is_manager,
        first_name: format!("Jo{id}"),
        email: Some(format!("jo{id}@example.com")),
        age: 30,
    }
}

fn manager(id: u32) -> Manager {
    Manager { id, first_name: format!("Jo{id}"), email: Some(format!("jo{id}@example.com")) }
}

fn sales(budget: i64) -> Department {
    Department { department: "Sales".into(), budget, manager: Some(manager(99)), employees: 99 }
}

/// Returns the manager stored in the department, which must exist.
fn kept(tables: &Tables) -> Option<Manager> {
    tables.blocking().get(&Department::point("Sales")).unwrap().unwrap().manager.clone()
}

fn is_there(tables: &Tables) -> bool {
    tables.blocking().get(&Department::point("Sales")).unwrap().is_some()
}

/// Returns the rows of a table, including internal rows.
fn rows(tables: &Tables, table: &str) -> Vec<Row> {
    let table = TableName::new(table).unwrap();
    let rows = block_on(tables.service().query(&table, StoreQuery::default())).unwrap().rows;
    let row = |row: table_model::RowRef<'_>| Row {
        partition_key: row.partition_key.unwrap().to_owned(),
        row_key: row.row_key.unwrap().to_owned(),
        properties: row.properties.to_properties(),
    };
    rows.iter().map(row).collect()
}

fn properties(tables: &Tables, table: &str, row_key: &str) -> Properties {
    rows(tables, table).into_iter().find(|row| row.row_key == row_key).unwrap().properties
}

#[test]
fn a_sink_holds_the_fields_of_the_one_that_says_so() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(5)).unwrap();
    assert_eq!(kept(&tables), None, "what the user writes there is not stored");
    b.insert(&employee(1, false)).unwrap();
    assert_eq!(kept(&tables), None);
    b.upsert(&employee(2, true)).unwrap();
    assert_eq!(kept(&tables), Some(manager(2)));

    let row = properties(&tables, "Employees", "department");
    assert_eq!(row.get("manager_id"), Some(&Value::Int64(2)));
    assert_eq!(row.get("manager_FirstName"), Some(&Value::from("Jo2")), "named as the source stores it");
    assert_eq!(row.get("_src_manager"), Some(&Value::from(r#"["Employees","Sales","empid_000002"]"#)));

    let mut stored = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    stored.email = None;
    b.replace(&stored).unwrap();
    assert_eq!(kept(&tables), Some(Manager { email: None, ..manager(2) }), "what is absent goes there, too");
    let mut stored = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    stored.is_manager = false;
    b.replace(&stored).unwrap();
    assert_eq!(kept(&tables), None);
    let row = properties(&tables, "Employees", "department");
    assert!(row.iter().all(|(name, _)| !name.contains("manager")), "{row:?}");
    b.replace_any(&employee(1, true)).unwrap();
    assert_eq!(kept(&tables), Some(manager(1)));
    b.delete_at(Employee::point("Sales", 1)).unwrap();
    assert_eq!(kept(&tables), None);
}

#[test]
fn of_several_the_one_whose_key_comes_first_is_copied() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(5)).unwrap();
    for (id, first) in [(5, 5), (7, 5), (3, 3), (4, 3)] {
        b.insert(&employee(id, true)).unwrap();
        assert_eq!(kept(&tables), Some(manager(first)));
    }
    for (id, first) in [(7, Some(3)), (3, Some(4)), (4, Some(5)), (5, None)] {
        b.delete_at(Employee::point("Sales", id)).unwrap();
        assert_eq!(kept(&tables), first.map(manager), "the next one is looked for");
    }
}

#[test]
fn a_new_manager_takes_over_in_one_transaction() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(5)).unwrap();
    b.insert(&employee(1, true)).unwrap();
    b.insert(&employee(2, false)).unwrap();
    let mut old = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    let mut new = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    (old.is_manager, new.is_manager) = (false, true);
    block_on(tables.transact().replace(&old).replace(&new).commit()).unwrap();
    assert_eq!(kept(&tables), Some(manager(2)));

    // Together with the target entity, from which a merge could not remove the copy.
    let department = b.get(&Department::point("Sales")).unwrap().unwrap();
    let patch = department.patch().budget(9);
    block_on(tables.transact().merge(patch).delete_at(Employee::point("Sales", 2)).commit()).unwrap();
    let department = b.get(&Department::point("Sales")).unwrap().unwrap();
    assert_eq!((department.budget, &department.manager, department.employees), (9, &None, 1));
}

#[test]
fn a_patch_of_what_was_read_changes_the_copy() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(5)).unwrap();
    b.insert(&employee(1, true)).unwrap();
    b.insert(&employee(2, false)).unwrap();
    let stored = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    b.merge(stored.patch().first_name("Ann".to_owned()).age(31)).unwrap();
    assert_eq!(kept(&tables), Some(Manager { first_name: "Ann".into(), ..manager(1) }));
    let stored = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    b.merge(stored.patch().first_name("Bob".to_owned())).unwrap();
    assert_eq!(kept(&tables), Some(Manager { first_name: "Ann".into(), ..manager(1) }));

    b.merge(Employee::patch("Sales", 1).age(32)).unwrap();
    let error = b.merge(Employee::patch("Sales", 1).first_name("Joe".to_owned())).unwrap_err();
    assert!(
        matches!(error, Error::CopiedElsewhere { property: "FirstName", sink: "Department", .. }),
        "{error}"
    );
    let stored = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    assert_eq!((stored.first_name.as_str(), stored.age), ("Ann", 32), "nothing was sent");
}

#[test]
fn writers_of_a_sink_keep_the_copy() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(1, true)).unwrap();
    assert!(!is_there(&tables), "no reader sees a row that only keeps values");
    b.insert(&sales(1)).unwrap();
    let expected = Some(manager(1));
    assert_eq!(kept(&tables), expected);
    let mut stored = b.get(&Department::point("Sales")).unwrap().unwrap();
    (stored.budget, stored.manager) = (2, None);
    b.replace(&stored).unwrap();
    assert_eq!(kept(&tables), expected);
    b.upsert(&sales(4)).unwrap();
    assert_eq!(kept(&tables), expected);
    b.merge(Department::patch("Sales").budget(5)).unwrap();
    assert_eq!(kept(&tables), expected);
    b.delete_at(Department::point("Sales")).unwrap();
    assert!(!is_there(&tables));
    b.insert(&sales(6)).unwrap();
    assert_eq!(kept(&tables), expected, "it outlives the sink");
    b.delete_at(Department::point("Sales")).unwrap();
    b.delete_at(Employee::point("Sales", 1)).unwrap();
    assert_eq!(rows(&tables, "Employees"), [], "nothing is kept of nobody");
}

/// A projection of the target with the copy.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Department)]
struct Head {
    department: String,
    manager: Option<Manager>,
}

#[test]
fn a_projection_of_the_sink_asks_for_the_properties_of_the_copy() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(1)).unwrap();
    b.insert(&employee(1, true)).unwrap();
    let query = Department::rows("Sales").select::<Head>();
    let explain = query.explain().unwrap().to_string();
    assert!(explain.contains("_src_manager, manager_id, manager_FirstName, manager_email"), "{explain}");
    assert_eq!(b.all(&query).unwrap(), [Head { department: "Sales".into(), manager: Some(manager(1)) }]);
}

/// The target is in another table, with a source property as its key. All copied fields are optional.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Teams", partition = "teams", row = "t_{team}", allow(append_only))]
struct Team {
    team: String,
    motto: String,
    #[table(from_source, rename = "Captain")]
    captain: Option<Captain>,
    #[table(from_source)]
    best: Option<i32>,
}

#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Player)]
struct Captain {
    nickname: Option<String>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Players", partition = "{club}", row = "p_{id:04}")]
#[table(copied_to(Team::captain, when = is_captain), max_in(Team::best, of = score))]
struct Player {
    club: String,
    id: u32,
    team: Option<String>,
    captain: bool,
    nickname: Option<String>,
    score: i32,
}

impl Player {
    const fn is_captain(&self) -> bool {
        self.captain
    }
}

fn player(id: u32, team: &str, captain: bool, nickname: Option<&str>) -> Player {
    let (team, nickname) = (Some(team.to_owned()), nickname.map(str::to_owned));
    Player { club: "c".into(), id, team, captain, nickname, score: 1 }
}

fn new_team(name: &str) -> Team {
    Team { team: name.into(), motto: "on".into(), captain: None, best: None }
}

fn captain(tables: &Tables, team: &str) -> Option<Captain> {
    tables.blocking().get(&Team::point(team)).unwrap().unwrap().captain.clone()
}

fn known_as(nickname: &str) -> Captain {
    Captain { nickname: Some(nickname.to_owned()) }
}

#[test]
fn a_copy_elsewhere_follows() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for name in ["red", "blue"] {
        b.insert(&new_team(name)).unwrap();
    }
    b.insert(&player(1, "red", true, Some("ace"))).unwrap();
    b.insert(&player(2, "red", false, Some("bee"))).unwrap();
    assert_eq!(captain(&tables, "red"), Some(known_as("ace")));
    b.upsert(&player(1, "red", true, None)).unwrap();
    assert_eq!(captain(&tables, "red"), Some(Captain { nickname: None }), "one of whom nothing is known");
    b.replace_any(&player(1, "blue", true, Some("ace"))).unwrap();
    assert_eq!(captain(&tables, "red"), None, "the team that is left");
    assert_eq!(captain(&tables, "blue"), Some(known_as("ace")), "the team that is joined");
    b.insert(&Player { club: "b".into(), ..player(9, "blue", true, Some("cat")) }).unwrap();
    assert_eq!(captain(&tables, "blue"), Some(known_as("cat")), "club `b` comes before club `c`");
    b.delete_at(Player::point("b", 9)).unwrap();
    assert_eq!(captain(&tables, "blue"), Some(known_as("ace")));

    b.delete_at(Team::point("blue")).unwrap();
    b.upsert(&new_team("blue")).unwrap();
    assert_eq!(captain(&tables, "blue"), Some(known_as("ace")));
    for id in 1..=2 {
        b.delete_at(Player::point("c", id)).unwrap();
    }
    for name in ["red", "blue"] {
        assert_eq!(captain(&tables, name), None);
        b.delete_at(Team::point(name)).unwrap();
    }
    assert_eq!((rows(&tables, "Teams"), rows(&tables, "Players")), (vec![], vec![]), "nothing is left");
}

#[test]
fn many_at_once_of_whom_few_are_copied_elsewhere_leave_room_for_the_record() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&new_team("red")).unwrap();
    let team = |id| (id == 7).then(|| "red".to_owned());
    let all: Vec<Player> =
        (0..250).map(|id| Player { team: team(id), ..player(id, "", true, Some("ace")) }).collect();
    block_on(tables.bulk().insert_all(&all).run()).unwrap().into_result().unwrap();
    assert_eq!(captain(&tables, "red"), Some(known_as("ace")));
}

#[test]
fn a_record_that_is_followed_three_times_copies_once() {
    let tables = Tables::in_memory().unwrap();
    let lazy = tables.with_deferred_updates();
    let b = lazy.blocking();
    b.insert(&new_team("red")).unwrap();
    b.insert(&player(1, "red", true, Some("ace"))).unwrap();
    b.insert(&player(2, "red", true, Some("bee"))).unwrap();
    assert_eq!(captain(&tables, "red"), None, "it follows by a worker");
    let is_record = |row: &Row| row.row_key.starts_with("!o_");
    let records: Vec<Row> = rows(&tables, "Players").into_iter().filter(is_record).collect();
    assert_eq!(records.len(), 2);
    let mut first = None;
    for _ in 0..3 {
        assert_eq!(block_on(tables.catch_up()).unwrap().followed, 2);
        let teams = rows(&tables, "Teams");
        assert_eq!(first.get_or_insert_with(|| teams.clone()), &teams);
        assert_eq!(captain(&tables, "red"), Some(known_as("ace")));
        for record in &records {
            past(&tables, "Players", &Operation::Insert(record.clone()));
        }
    }
}

/// Writes to the store directly, bypassing the library.
fn past(tables: &Tables, table: &str, operation: &Operation) {
    let table = TableName::new(table).unwrap();
    block_on(tables.service().execute(&table, operation)).unwrap();
}

fn delete(partition_key: &str, row_key: &str) -> Operation {
    let (partition_key, row_key) = (partition_key.into(), row_key.into());
    Operation::Delete { partition_key, row_key, condition: Condition::Exists }
}

fn merge(partition_key: &str, row_key: &str, name: &'static str, value: &str) -> Operation {
    Operation::Merge(Row::new(partition_key, row_key).with(name, value), Condition::Exists)
}

/// Returns the differences found, and checks that a repair removes all of them.
fn mended<E: TableEntity>(tables: &Tables) -> Vec<(DifferenceKind, Option<&'static str>)> {
    let found = block_on(tables.verify::<E>().run()).unwrap();
    let report = block_on(tables.verify::<E>().repair().run()).unwrap();
    assert_eq!(report.repaired, report.count(), "{report}");
    let after = block_on(tables.verify::<E>().run()).unwrap();
    assert!(after.is_clean(), "{after}");
    let mut found: Vec<_> = found.differences.iter().map(|found| (found.what, found.index)).collect();
    found.sort();
    found
}

#[test]
fn a_verification_finds_and_repairs_copies() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(1)).unwrap();
    b.insert(&employee(1, true)).unwrap();
    b.insert(&employee(2, true)).unwrap();
    assert_eq!(mended::<Employee>(&tables), []);
    let wrong = (DifferenceKind::WrongTotal, Some("Department"));
    past(&tables, "Employees", &merge("Sales", "department", "manager_email", "x"));
    assert_eq!(mended::<Employee>(&tables), [wrong]);
    assert_eq!(kept(&tables), Some(manager(1)));
    past(&tables, "Employees", &merge("Sales", "department", "_src_manager", "x"));
    assert_eq!(mended::<Employee>(&tables), [wrong]);
    past(&tables, "Employees", &delete("Sales", "empid_000001"));
    assert_eq!(mended::<Employee>(&tables), [wrong]);
    assert_eq!(kept(&tables), Some(manager(2)));
    past(&tables, "Employees", &delete("Sales", "department"));
    assert_eq!(mended::<Employee>(&tables), [wrong]);
    b.insert(&sales(1)).unwrap();
    assert_eq!(kept(&tables), Some(manager(2)));
}

#[test]
fn a_verification_finds_and_repairs_copies_elsewhere() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&new_team("red")).unwrap();
    b.insert(&player(1, "red", true, Some("ace"))).unwrap();
    b.insert(&player(2, "red", false, Some("bee"))).unwrap();
    assert_eq!(mended::<Player>(&tables), []);
    let key = |id| format!("!c_4_Team5_t_red6_Player7_Players1_c6_p_{id:04}");
    let of = |what| (what, Some("Team"));

    past(&tables, "Teams", &merge("teams", "t_red", "Captain_nickname", "x"));
    assert_eq!(mended::<Player>(&tables), [of(DifferenceKind::WrongTotal)]);
    assert_eq!(captain(&tables, "red"), Some(known_as("ace")));
    past(&tables, "Teams", &merge("teams", &key(1), "Captain_nickname", "x"));
    assert_eq!(mended::<Player>(&tables), [of(DifferenceKind::Stale), of(DifferenceKind::WrongTotal)]);
    assert_eq!(captain(&tables, "red"), Some(known_as("ace")));
    past(&tables, "Teams", &delete("teams", &key(1)));
    assert_eq!(mended::<Player>(&tables), [of(DifferenceKind::Missing), of(DifferenceKind::WrongTotal)]);
    past(&tables, "Players", &delete("c", "p_0001"));
    assert_eq!(mended::<Player>(&tables), [of(DifferenceKind::Orphaned)]);
    assert_eq!(captain(&tables, "red"), None);
}

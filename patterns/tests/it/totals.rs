//! Aggregates over many entities in the row of one entity, in the same partition and in other partitions.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::struct_field_names, reason = "a key is often named as its entity")]

use pollster::block_on;
use table_patterns::{DifferenceKind, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "department")]
struct Department {
    department: String,
    budget: i64,
    #[table(from_source)]
    employees: i64,
    #[table(from_source)]
    ages: i64,
    #[table(from_source)]
    oldest: Option<i32>,
    #[table(from_source)]
    youngest: Option<i32>,
    #[table(from_source)]
    managers: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(
    counted_in(Department::employees),
    summed_in(Department::ages, of = age),
    max_in(Department::oldest, of = age),
    min_in(Department::youngest, of = age),
    counted_in(Department::managers, when = is_manager)
)]
struct Employee {
    department: String,
    id: u32,
    age: i32,
    is_manager: bool,
    name: String,
}

fn employee(id: u32, age: i32) -> Employee {
    Employee { department: "Sales".into(), id, age, is_manager: false, name: "Jo".into() }
}

fn sales(budget: i64) -> Department {
    Department {
        department: "Sales".into(),
        budget,
        employees: 77,
        ages: 77,
        oldest: Some(77),
        youngest: None,
        managers: 77,
    }
}

/// Count, sum, extremes and managers.
type Kept = (i64, i64, Option<i32>, Option<i32>, i64);

/// Returns the number of rows of a table, including internal rows.
fn rows_of(tables: &Tables, table: &str) -> usize {
    let table = table_model::TableName::new(table).unwrap();
    block_on(tables.service().query(&table, table_model::Query::default())).unwrap().rows.len()
}

fn kept(tables: &Tables) -> Option<Kept> {
    let found = tables.blocking().get(&Department::point("Sales")).unwrap()?;
    Some((found.employees, found.ages, found.oldest, found.youngest, found.managers))
}

#[test]
fn a_sink_keeps_what_its_sources_add() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(5)).unwrap();
    assert_eq!(kept(&tables), Some((0, 0, None, None, 0)), "what the user writes there is not stored");
    b.insert(&employee(1, 30)).unwrap();
    b.upsert(&Employee { is_manager: true, ..employee(2, 50) }).unwrap();
    b.insert(&employee(3, 20)).unwrap();
    assert_eq!(kept(&tables), Some((3, 100, Some(50), Some(20), 1)));

    let mut stored = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    stored.age = 29;
    stored.is_manager = false;
    b.replace(&stored).unwrap();
    assert_eq!(kept(&tables), Some((3, 79, Some(30), Some(20), 0)), "the next largest is looked for");
    b.replace_any(&employee(1, 10)).unwrap();
    assert_eq!(kept(&tables), Some((3, 59, Some(29), Some(10), 0)));
    b.delete_at(Employee::point("Sales", 1)).unwrap();
    assert_eq!(kept(&tables), Some((2, 49, Some(29), Some(20), 0)));
    let stored = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    b.delete(&stored).unwrap();
    b.delete_at(Employee::point("Sales", 3)).unwrap();
    assert_eq!(kept(&tables), Some((0, 0, None, None, 0)), "and nothing is left of an extreme");
}

#[test]
fn writers_of_a_sink_keep_what_others_keep_in_it() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(1)).unwrap();
    b.insert(&employee(1, 30)).unwrap();
    let expected = Some((1, 30, Some(30), Some(30), 0));

    let mut stored = b.get(&Department::point("Sales")).unwrap().unwrap();
    (stored.budget, stored.employees) = (2, 99);
    b.replace(&stored).unwrap();
    assert_eq!(kept(&tables), expected);
    b.replace_any(&sales(3)).unwrap();
    assert_eq!(kept(&tables), expected);
    b.upsert(&sales(4)).unwrap();
    assert_eq!(kept(&tables), expected);
    b.merge(Department::patch("Sales").budget(5)).unwrap();
    assert_eq!(kept(&tables), expected);
    let stored = b.get(&Department::point("Sales")).unwrap().unwrap();
    b.merge(stored.patch().budget(6)).unwrap();
    assert_eq!(kept(&tables), expected);
    assert_eq!(b.get(&Department::point("Sales")).unwrap().unwrap().budget, 6);
    assert!(b.insert(&sales(7)).unwrap_err().is_conflict());
}

#[test]
fn what_is_kept_outlives_the_sink() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    // The sources are inserted first.
    b.insert(&employee(1, 30)).unwrap();
    assert_eq!(kept(&tables), None, "no reader sees a row that only keeps values");
    assert_eq!(b.all(&Department::rows("Sales")).unwrap().len(), 0);
    assert_eq!(b.all(&Employee::rows("Sales")).unwrap().len(), 1);
    assert!(b.merge(Department::patch("Sales").budget(5)).unwrap_err().is_not_found());
    assert!(b.replace_any(&sales(1)).unwrap_err().is_not_found());
    assert!(b.delete_at(Department::point("Sales")).unwrap_err().is_not_found());

    b.insert(&sales(1)).unwrap();
    assert_eq!(kept(&tables), Some((1, 30, Some(30), Some(30), 0)));
    b.delete_at(Department::point("Sales")).unwrap();
    assert_eq!(kept(&tables), None);
    b.insert(&employee(2, 40)).unwrap();
    b.upsert(&sales(2)).unwrap();
    assert_eq!(kept(&tables), Some((2, 70, Some(40), Some(30), 0)));
    let stored = b.get(&Department::point("Sales")).unwrap().unwrap();
    b.delete(&stored).unwrap();
    b.delete_at(Employee::point("Sales", 1)).unwrap();
    b.delete_at(Employee::point("Sales", 2)).unwrap();
    assert_eq!(rows_of(&tables, "Employees"), 0, "nothing is kept of nobody");
}

#[test]
fn one_transaction_writes_a_sink_once() {
    let tables = Tables::in_memory().unwrap();
    block_on(
        tables
            .transact()
            .insert(&employee(1, 30))
            .insert(&sales(1))
            .insert(&employee(2, 50))
            .insert(&employee(3, 40))
            .commit(),
    )
    .unwrap();
    assert_eq!(kept(&tables), Some((3, 120, Some(50), Some(30), 0)));
    let b = tables.blocking();
    let department = b.get(&Department::point("Sales")).unwrap().unwrap();
    let second = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    block_on(
        tables
            .transact()
            .merge(department.patch().budget(9))
            .merge(second.patch().age(20))
            .delete_at(Employee::point("Sales", 3))
            .commit(),
    )
    .unwrap();
    assert_eq!(kept(&tables), Some((2, 50, Some(30), Some(20), 0)));
    assert_eq!(b.get(&Department::point("Sales")).unwrap().unwrap().budget, 9);

    // All of them, including the aggregate entity: no values remain to be stored.
    let department = b.get(&Department::point("Sales")).unwrap().unwrap();
    block_on(
        tables
            .transact()
            .merge(department.patch().budget(10))
            .delete_at(Employee::point("Sales", 1))
            .delete_at(Employee::point("Sales", 2))
            .commit(),
    )
    .unwrap();
    assert_eq!(kept(&tables), Some((0, 0, None, None, 0)));
    assert_eq!(b.get(&Department::point("Sales")).unwrap().unwrap().budget, 10);
}

#[test]
fn a_patch_of_what_is_summed_changes_the_sum() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(1, 30)).unwrap();
    b.insert(&sales(1)).unwrap();
    let stored = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    b.merge(stored.patch().age(31)).unwrap();
    assert_eq!(kept(&tables), Some((1, 31, Some(31), Some(31), 0)));
}

#[test]
fn many_at_once_are_counted() {
    let tables = Tables::in_memory().unwrap();
    let all: Vec<_> = (0..250).map(|id| employee(id, i32::try_from(id % 50).unwrap())).collect();
    let b = tables.blocking();
    b.insert(&sales(1)).unwrap();
    block_on(tables.bulk().insert_all(&all).run()).unwrap().into_result().unwrap();
    let sum = all.iter().map(|employee| i64::from(employee.age)).sum();
    assert_eq!(kept(&tables), Some((250, sum, Some(49), Some(0), 0)));
    block_on(tables.bulk().upsert_all(&[employee(0, 60), employee(1, 0)]).run())
        .unwrap()
        .into_result()
        .unwrap();
    assert_eq!(kept(&tables), Some((250, sum + 59, Some(60), Some(0), 0)));
}

#[test]
fn a_sum_that_does_not_fit_is_refused_before_it_is_sent() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let weight = |id, grams| Weight { place: "a".into(), id, grams };
    b.insert(&weight(1, i64::MAX)).unwrap();
    assert!(matches!(b.insert(&weight(2, 1)), Err(Error::Property(_))));
    assert!(b.get(&Weight::point("a", 2)).unwrap().is_none());
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Weights", partition = "{place}", row = "place")]
struct Place {
    place: String,
    #[table(from_source)]
    grams: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Weights", partition = "{place}", row = "w_{id:04}")]
#[table(summed_in(Place::grams, of = grams))]
struct Weight {
    place: String,
    id: u32,
    grams: i64,
}

/// The aggregate is in another table, with a source property as its key.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Teams", partition = "teams", row = "t_{team}", allow(append_only))]
struct Team {
    team: String,
    motto: String,
    #[table(from_source)]
    members: i64,
    #[table(from_source)]
    score: i64,
    #[table(from_source)]
    best: Option<i32>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Players", partition = "{club}", row = "p_{id:04}")]
#[table(counted_in(Team::members), summed_in(Team::score, of = score), max_in(Team::best, of = score))]
struct Player {
    club: String,
    id: u32,
    team: Option<String>,
    score: i32,
}

fn player(id: u32, team: Option<&str>, score: i32) -> Player {
    Player { club: "c".into(), id, team: team.map(str::to_owned), score }
}

fn team(tables: &Tables, name: &str) -> Option<(i64, i64, Option<i32>)> {
    let found = tables.blocking().get(&Team::point(name)).unwrap()?;
    Some((found.members, found.score, found.best))
}

#[test]
fn a_sink_elsewhere_follows() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for name in ["red", "blue"] {
        let (team, motto) = (name.to_owned(), "on".to_owned());
        b.insert(&Team { team, motto, members: 9, score: 9, best: Some(9) }).unwrap();
    }
    b.insert(&player(1, Some("red"), 5)).unwrap();
    b.insert(&player(2, Some("red"), 7)).unwrap();
    b.insert(&player(3, None, 9)).unwrap();
    assert_eq!(team(&tables, "red"), Some((2, 12, Some(7))));
    let mut stored = b.get(&Player::point("c", 2)).unwrap().unwrap();
    stored.team = Some("blue".into());
    b.replace(&stored).unwrap();
    assert_eq!(team(&tables, "red"), Some((1, 5, Some(5))), "the group that is left");
    assert_eq!(team(&tables, "blue"), Some((1, 7, Some(7))), "the group that is joined");
    let stored = b.get(&Player::point("c", 2)).unwrap().unwrap();
    b.merge(stored.patch().score(8)).unwrap();
    assert_eq!(team(&tables, "blue"), Some((1, 8, Some(8))));
    let error = b.merge(Player::patch("c", 2).team("red".to_owned())).unwrap_err();
    assert!(matches!(error, Error::DecidesSink { property: "team", .. }), "{error}");

    b.delete_at(Team::point("red")).unwrap();
    b.upsert(&player(1, Some("red"), 6)).unwrap();
    assert_eq!(team(&tables, "red"), None);
    b.upsert(&Team { team: "red".into(), motto: "again".into(), members: 0, score: 0, best: None }).unwrap();
    assert_eq!(team(&tables, "red"), Some((1, 6, Some(6))));
    for id in 1..=3 {
        b.delete_at(Player::point("c", id)).unwrap();
    }
    for name in ["red", "blue"] {
        assert_eq!(team(&tables, name), Some((0, 0, None)));
        b.delete_at(Team::point(name)).unwrap();
    }
    assert_eq!(rows_of(&tables, "Teams"), 0, "nothing is left beside the sinks");
    assert_eq!(rows_of(&tables, "Players"), 0);
}

#[test]
fn a_record_that_is_followed_three_times_adds_once() {
    let tables = Tables::in_memory().unwrap();
    let lazy = tables.with_deferred_updates();
    let b = lazy.blocking();
    b.insert(&Team { team: "red".into(), motto: "on".into(), members: 0, score: 0, best: None }).unwrap();
    b.insert(&player(1, Some("red"), 5)).unwrap();
    b.insert(&player(2, Some("red"), 6)).unwrap();
    assert_eq!(team(&tables, "red"), Some((0, 0, None)), "it follows by a worker");
    let service = tables.service().clone();
    let table = table_model::TableName::new("Players").unwrap();
    let rows = block_on(service.query(&table, table_model::Query::default())).unwrap().rows;
    let records: Vec<_> = rows
        .iter()
        .filter(|row| row.row_key.unwrap().starts_with("!o_"))
        .map(|row| table_model::Entity {
            partition_key: row.partition_key.unwrap().to_owned(),
            row_key: row.row_key.unwrap().to_owned(),
            properties: row.properties.to_properties(),
        })
        .collect();
    assert_eq!(records.len(), 2);
    for _ in 0..3 {
        assert_eq!(block_on(tables.catch_up()).unwrap().followed, 2);
        assert_eq!(team(&tables, "red"), Some((2, 11, Some(6))));
        for record in &records {
            block_on(service.execute(&table, &table_model::Operation::Insert(record.clone()))).unwrap();
        }
    }
}

/// Entities that contribute to each other: stored aggregates are not passed on, so there is no loop.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Ones", partition = "{key}", row = "one", counted_in(Two::ones))]
struct One {
    key: String,
    #[table(from_source)]
    twos: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Twos", partition = "{key}", row = "two", counted_in(One::twos))]
struct Two {
    key: String,
    #[table(from_source)]
    ones: i64,
}

#[test]
fn two_entities_may_count_each_other() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&One { key: "a".into(), twos: 0 }).unwrap();
    b.insert(&Two { key: "a".into(), ones: 0 }).unwrap();
    assert_eq!(b.get(&One::point("a")).unwrap().unwrap().twos, 1);
    assert_eq!(b.get(&Two::point("a")).unwrap().unwrap().ones, 1);
    b.delete_at(One::point("a")).unwrap();
    assert_eq!(b.get(&Two::point("a")).unwrap().unwrap().ones, 0);
    b.delete_at(Two::point("a")).unwrap();
    for table in ["Ones", "Twos"] {
        assert_eq!(rows_of(&tables, table), 0, "{table}");
    }
}

/// Writes to the store directly, bypassing the library.
fn past(tables: &Tables, table: &str, operation: &table_model::Operation) {
    let table = table_model::TableName::new(table).unwrap();
    block_on(tables.service().execute(&table, operation)).unwrap();
}

fn delete(partition_key: &str, row_key: &str) -> table_model::Operation {
    table_model::Operation::Delete {
        partition_key: partition_key.into(),
        row_key: row_key.into(),
        condition: table_model::Condition::Exists,
    }
}

fn merge(partition_key: &str, row_key: &str, name: &'static str, value: i64) -> table_model::Operation {
    let entity = table_model::Entity::new(partition_key, row_key).with(name, value);
    table_model::Operation::Merge(entity, table_model::Condition::Exists)
}

/// Returns the differences found, and checks that a repair removes all of them.
fn mended<E: TableEntity>(tables: &Tables) -> Vec<(DifferenceKind, Option<&'static str>)> {
    let found = block_on(tables.verify::<E>().run()).unwrap();
    let report = block_on(tables.verify::<E>().repair().run()).unwrap();
    assert_eq!(report.repaired, report.count(), "{report}");
    let after = block_on(tables.verify::<E>().run()).unwrap();
    assert!(after.is_clean(), "{after}");
    found.differences.iter().map(|difference| (difference.what, difference.index)).collect()
}

#[test]
fn a_verification_finds_and_repairs_wrong_totals() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&sales(1)).unwrap();
    b.insert(&employee(1, 30)).unwrap();
    b.insert(&employee(2, 40)).unwrap();
    assert_eq!(mended::<Employee>(&tables), []);
    let expected = Some((2, 70, Some(40), Some(30), 0));
    let wrong = (DifferenceKind::WrongTotal, Some("Department"));

    past(&tables, "Employees", &merge("Sales", "department", "employees", 9));
    assert_eq!(mended::<Employee>(&tables), [wrong]);
    assert_eq!(kept(&tables), expected);
    past(&tables, "Employees", &delete("Sales", "empid_000002"));
    assert_eq!(mended::<Employee>(&tables), [wrong]);
    assert_eq!(kept(&tables), Some((1, 30, Some(30), Some(30), 0)));
    past(&tables, "Employees", &delete("Sales", "department"));
    assert_eq!(mended::<Employee>(&tables), [wrong]);
    assert_eq!(kept(&tables), None, "only its values are back");
    b.insert(&sales(1)).unwrap();
    assert_eq!(kept(&tables), Some((1, 30, Some(30), Some(30), 0)));
}

#[test]
fn a_verification_finds_and_repairs_contributions() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&Team { team: "red".into(), motto: "on".into(), members: 0, score: 0, best: None }).unwrap();
    b.insert(&player(1, Some("red"), 5)).unwrap();
    b.insert(&player(2, Some("red"), 7)).unwrap();
    assert_eq!(mended::<Player>(&tables), []);
    let key = |id| format!("!c_4_Team5_t_red6_Player7_Players1_c6_p_{id:04}");
    let of = |what| (what, Some("Team"));

    past(&tables, "Teams", &merge("teams", "t_red", "score", 1));
    assert_eq!(mended::<Player>(&tables), [of(DifferenceKind::WrongTotal)]);
    assert_eq!(team(&tables, "red"), Some((2, 12, Some(7))));

    past(&tables, "Teams", &merge("teams", &key(1), "score", 6));
    let mut found = mended::<Player>(&tables);
    found.sort();
    assert_eq!(found, [of(DifferenceKind::Stale), of(DifferenceKind::WrongTotal)]);
    assert_eq!(team(&tables, "red"), Some((2, 12, Some(7))));

    past(&tables, "Teams", &delete("teams", &key(2)));
    let mut found = mended::<Player>(&tables);
    found.sort();
    assert_eq!(found, [of(DifferenceKind::Missing), of(DifferenceKind::WrongTotal)]);
    assert_eq!(team(&tables, "red"), Some((2, 12, Some(7))));

    past(&tables, "Players", &delete("c", "p_0002"));
    assert_eq!(mended::<Player>(&tables), [of(DifferenceKind::Orphaned)]);
    assert_eq!(team(&tables, "red"), Some((1, 5, Some(5))));

    past(&tables, "Teams", &delete("teams", "t_red"));
    assert_eq!(mended::<Player>(&tables), [of(DifferenceKind::WrongTotal)]);
    b.upsert(&Team { team: "red".into(), motto: "on".into(), members: 0, score: 0, best: None }).unwrap();
    assert_eq!(team(&tables, "red"), Some((1, 5, Some(5))));
}

//! Lookups in the partition of the entity (P4, option 2): lists of rows, and lists in one row that overflow into rows.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use table_patterns::{Error, Explain, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(lookup(by_last_name, on = last_name, place = partition))]
#[table(lookup(by_home, on = (city, floor), ids = "EmployeeIDs", row = "home_{city}_{floor:02}"))]
#[table(lookup(by_badge_color, on = badge_color, ids = "EmployeeIDs"))]
struct Employee {
    department: String,
    id: u32,
    last_name: String,
    email: String,
    city: String,
    floor: u8,
    badge_color: Option<String>,
    age: i32,
}

fn employee(id: u32, last_name: &str) -> Employee {
    Employee {
        department: "Sales".into(),
        id,
        last_name: last_name.into(),
        email: format!("e{id}@contoso.com"),
        city: "Oslo".into(),
        floor: 3,
        badge_color: None,
        age: 30,
    }
}

/// Returns all rows of the table: RowKeys and property names.
fn layout(tables: &Tables) -> Vec<(String, Vec<String>)> {
    let all = tables.blocking().all(&Employee::scan_table().bag()).unwrap();
    all.iter()
        .map(|bag| (bag.row_key().to_owned(), bag.iter().map(|(name, _)| name.to_owned()).collect()))
        .collect()
}

fn keys(tables: &Tables) -> Vec<String> {
    layout(tables).into_iter().map(|(key, _)| key).collect()
}

/// Returns the members in a list row.
fn list(tables: &Tables, row_key: &str) -> Option<String> {
    let bag = tables.blocking().get(&DynamicEntity::point("Employees", "Sales", row_key)).unwrap()?;
    bag.get::<String>("EmployeeIDs").unwrap()
}

fn ids(found: &[Stored<Employee>]) -> Vec<u32> {
    found.iter().map(|employee| employee.id).collect()
}

#[test]
fn an_insert_writes_the_entity_into_its_lists() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2, "Jones")).unwrap();
    b.insert(&Employee { badge_color: Some("red".into()), ..employee(1, "Jones") }).unwrap();
    let rows = layout(&tables);
    assert_eq!(
        keys(&tables),
        [
            "badgecolor_red",
            "email_e1@contoso.com",
            "email_e2@contoso.com",
            "empid_000001",
            "empid_000002",
            "home_Oslo_03",
            "lastname_Jones!empid_000001",
            "lastname_Jones!empid_000002",
        ]
    );
    assert_eq!(rows[5].1, ["EmployeeIDs", "_tx", "EntityType"]);
    assert_eq!(rows[6].1, ["_tx", "EntityType"]);
    assert_eq!(list(&tables, "home_Oslo_03").unwrap(), r#"["empid_000001","empid_000002"]"#);
    assert_eq!(list(&tables, "badgecolor_red").unwrap(), r#"["empid_000001"]"#);
}

#[test]
fn a_lookup_gives_the_entities_of_a_list() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 1..=20 {
        b.insert(&employee(id, if id % 3 == 0 { "Smith" } else { "Jones" })).unwrap();
    }
    assert_eq!(
        ids(&b.all(&Employee::by_last_name("Sales", "Smith")).unwrap()),
        [3, 6, 9, 12, 15, 18],
        "in the order of their keys"
    );
    assert_eq!(ids(&b.all(&Employee::by_home("Sales", "Oslo", 3)).unwrap()), (1..=20).collect::<Vec<_>>());
    assert!(b.all(&Employee::by_home("Sales", "Oslo", 4)).unwrap().is_empty());
    assert!(b.all(&Employee::by_last_name("Sales", "Jon")).unwrap().is_empty(), "a list is of one value");
    assert!(b.all(&Employee::by_last_name("Nowhere", "Jones")).unwrap().is_empty());
    assert!(b.all(&Employee::by_badge_color("Sales", "red")).unwrap().is_empty());
    // Queries on the entity rows return each entity once.
    assert_eq!(b.all(&Employee::rows("Sales")).unwrap().len(), 20);
    assert_eq!(b.all(&Employee::scan_partition("Sales")).unwrap().len(), 20);
    assert_eq!(b.all(&Employee::scan_table()).unwrap().len(), 20);
    let bags = b.all(&Employee::by_last_name("Sales", "Smith").bag()).unwrap();
    assert_eq!(bags[0].row_key(), "empid_000003");
}

#[test]
fn a_lookup_says_what_it_costs() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 1..=5 {
        b.insert(&employee(id, "Jones")).unwrap();
    }
    let by_row: Explain = Employee::by_last_name("Sales", "Jones").explain().unwrap();
    assert_eq!((by_row.class, by_row.lookup), (QueryClass::MultiPoint, Some("by_last_name")));
    let filter = by_row.filter.unwrap().to_string();
    assert!(filter.contains("RowKey ge 'lastname_Jones!' and RowKey lt 'lastname_Jones\"'"), "{filter}");
    let by_list = Employee::by_home("Sales", "Oslo", 3).explain().unwrap().to_string();
    assert!(by_list.contains("ge 'home_Oslo_03'"), "{by_list}");
    assert!(by_list.ends_with("then each member with a point query"), "{by_list}");
    let report = pollster::block_on(Employee::by_last_name("Sales", "Jones").report(&tables)).unwrap();
    // The list, then five entities.
    assert_eq!(report.stats.to_string(), "multi-point: 6 requests, 6 ranges, 10 read, 5 returned");
    let report = pollster::block_on(Employee::by_home("Sales", "Oslo", 3).report(&tables)).unwrap();
    assert_eq!(report.stats.to_string(), "multi-point: 6 requests, 6 ranges, 6 read, 5 returned");
}

#[test]
fn pages_of_a_list_go_on_where_they_stopped() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 1..=25 {
        b.insert(&employee(id, "Jones")).unwrap();
    }
    for query in [Employee::by_last_name("Sales", "Jones"), Employee::by_home("Sales", "Oslo", 3)] {
        let query = query.page_size(4);
        let mut found = Vec::new();
        let mut page = b.page(&query).unwrap();
        loop {
            assert!(page.items.len() <= 4);
            found.extend(ids(&page.items));
            let Some(cursor) = page.cursor else { break };
            page = b.page(&query.clone().resume(cursor.to_string().parse().unwrap())).unwrap();
        }
        assert_eq!(found, (1..=25).collect::<Vec<_>>());
        assert_eq!(ids(&b.all(&query.clone().take(6)).unwrap()), (1..=6).collect::<Vec<_>>());
        let mut stream = query.stream(&tables);
        for _ in 0..7 {
            pollster::block_on(stream.try_next()).unwrap().unwrap();
        }
        let rest = query.clone().resume(stream.cursor().unwrap());
        assert_eq!(ids(&b.all(&rest).unwrap()), (8..=25).collect::<Vec<_>>());
    }
}

#[test]
fn a_changed_value_moves_the_entity_between_lists() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 1..=3 {
        b.insert(&employee(id, "Jones")).unwrap();
    }
    let mut jo = b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap();
    jo.last_name = "Smith".into();
    jo.floor = 4;
    jo.badge_color = Some("red".into());
    assert!(b.replace(&jo).unwrap().repaired_indexes.is_empty());
    assert_eq!(ids(&b.all(&Employee::by_last_name("Sales", "Jones")).unwrap()), [1, 3]);
    assert_eq!(ids(&b.all(&Employee::by_last_name("Sales", "Smith")).unwrap()), [2]);
    assert_eq!(list(&tables, "home_Oslo_03").unwrap(), r#"["empid_000001","empid_000003"]"#);
    assert_eq!(list(&tables, "home_Oslo_04").unwrap(), r#"["empid_000002"]"#);
    let jo = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    // A change without effect on lists is one operation on the entity and its full copies.
    b.merge(jo.patch().age(44)).unwrap();
    assert_eq!(ids(&b.all(&Employee::by_badge_color("Sales", "red")).unwrap()), [2]);
    // Removing the last member deletes the list.
    let mut jo = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    (jo.badge_color, jo.floor) = (None, 3);
    b.replace(&jo).unwrap();
    assert_eq!((list(&tables, "badgecolor_red"), list(&tables, "home_Oslo_04")), (None, None));
    for id in 1..=3 {
        b.delete_at(Employee::point("Sales", id)).unwrap();
    }
    assert!(keys(&tables).is_empty());
}

#[test]
fn all_verbs_keep_the_lists() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let home = |floor: u8| ids(&b.all(&Employee::by_home("Sales", "Oslo", floor)).unwrap());
    let at = |id, floor| Employee { floor, ..employee(id, "Jones") };
    b.upsert(&at(1, 1)).unwrap();
    b.upsert(&at(1, 2)).unwrap();
    assert_eq!((home(1), home(2)), (vec![], vec![1]));
    b.replace_any(&at(1, 1)).unwrap();
    b.commit(tables.transact().insert(&at(2, 1)).insert(&at(3, 1)).upsert(&at(1, 3))).unwrap();
    assert_eq!((home(1), home(3)), (vec![2, 3], vec![1]));
    pollster::block_on(tables.update(Employee::point("Sales", 2), |jo| jo.floor = 3)).unwrap();
    assert_eq!((home(1), home(3)), (vec![3], vec![1, 2]));
    let mut jo = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    jo.id = 9;
    b.rekey(&jo).unwrap();
    assert_eq!(home(3), [1, 9]);
    assert_eq!(ids(&b.all(&Employee::by_last_name("Sales", "Jones")).unwrap()), [1, 3, 9]);
    assert!(b.delete_if_exists(Employee::point("Sales", 9)).unwrap());
    let many: Vec<Employee> = (100..400).map(|id| at(id, 3)).collect();
    assert_eq!(b.run(tables.bulk().insert_all(&many)).unwrap().written(), 300);
    assert_eq!(home(3).len(), 301);
    let moved: Vec<_> = many.iter().map(|e| at(e.id, 4)).collect();
    b.run(tables.bulk().upsert_all(&moved)).unwrap().into_result().unwrap();
    assert_eq!((home(3).len(), home(4).len()), (1, 300));
    let error = b.insert(&at(1, 5)).unwrap_err();
    assert!(error.is_conflict(), "{error}");
    assert_eq!(home(5), [] as [u32; 0], "a refused insert is in no list");
}

#[test]
fn a_text_that_would_end_the_list_is_refused() {
    let tables = Tables::in_memory().unwrap();
    let error = tables.blocking().insert(&employee(1, "Jo!nes")).unwrap_err().to_string();
    assert!(error.contains("last_name") && error.contains(":esc"), "{error}");
    let error = Employee::by_last_name("Sales", "Jo!nes").explain().unwrap_err().to_string();
    assert!(error.contains("\"lastname_{last_name:esc}\" instead of \"lastname_{last_name}\""), "{error}");
}

#[test]
fn a_member_that_is_gone_or_changed_is_passed_over_and_counted() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 1..=4 {
        b.insert(&employee(id, "Jones")).unwrap();
    }
    // A client that bypasses the lists.
    b.delete_at(DynamicEntity::point("Employees", "Sales", "empid_000002")).unwrap();
    let mut bag = b.get(&DynamicEntity::point("Employees", "Sales", "empid_000003")).unwrap().unwrap();
    bag.set("last_name", "Smith");
    // Without its token, the row is not recognized as one with derived rows.
    bag.remove("_tx");
    b.replace_any(&*bag).unwrap();
    let report = pollster::block_on(Employee::by_last_name("Sales", "Jones").report(&tables)).unwrap();
    assert_eq!(ids(&report.items), [1, 4]);
    assert_eq!(report.stats.skipped, 2);
    assert!(report.stats.to_string().ends_with("2 returned, 2 skipped"));
}

#[test]
fn a_list_outgrows_its_row_and_keeps_everyone_once() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let many: Vec<Employee> = (0..1500).map(|id| employee(id, "Jones")).collect();
    b.run(tables.bulk().insert_all(&many)).unwrap().into_result().unwrap();
    let inside: Vec<String> = serde_json::from_str(&list(&tables, "home_Oslo_03").unwrap()).unwrap();
    // Each member takes 12 characters, two quotes and a comma, of 16,384.
    assert_eq!(inside.len(), 1092);
    let beside = keys(&tables).iter().filter(|key| key.starts_with("home_Oslo_03!")).count();
    assert_eq!(beside, 1500 - 1092);
    let all = Employee::by_home("Sales", "Oslo", 3);
    assert_eq!(ids(&b.all(&all).unwrap()), (0..1500).collect::<Vec<_>>());
    // Free space in the row is not used again, because concurrent inserts of new members would conflict there.
    for id in [0, 1, 1400] {
        b.delete_at(Employee::point("Sales", id)).unwrap();
    }
    b.insert(&employee(0, "Jones")).unwrap();
    assert!(keys(&tables).contains(&"home_Oslo_03!empid_000000".to_owned()));
    let found = ids(&b.all(&all).unwrap());
    assert_eq!(found.len(), 1498);
    assert!(found.is_sorted());
    let mut pages = Vec::new();
    let mut query = all.page_size(700);
    loop {
        let page = b.page(&query).unwrap();
        pages.extend(ids(&page.items));
        let Some(cursor) = page.cursor else { break };
        query = query.resume(cursor);
    }
    assert_eq!(pages, found);
}

#[test]
fn a_list_that_somebody_changed_is_mended_by_the_next_write() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(1, "Jones")).unwrap();
    b.insert(&employee(2, "Jones")).unwrap();
    b.delete_at(DynamicEntity::point("Employees", "Sales", "home_Oslo_03")).unwrap();
    let mut jo = b.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    jo.floor = 4;
    assert_eq!(b.replace(&jo).unwrap().repaired_indexes, ["by_home"]);
    assert_eq!(list(&tables, "home_Oslo_04").unwrap(), r#"["empid_000001"]"#);
    let mut bag = b.get(&DynamicEntity::point("Employees", "Sales", "home_Oslo_04")).unwrap().unwrap();
    bag.set("EmployeeIDs", "no list");
    bag.remove("_tx");
    b.replace_any(&*bag).unwrap();
    let error = b.insert(&Employee { floor: 4, ..employee(3, "Jones") }).unwrap_err();
    assert!(matches!(error, Error::Decode(_)) && error.to_string().contains("EmployeeIDs"), "{error}");
    assert!(b.all(&Employee::by_home("Sales", "Oslo", 4)).is_err());
}

#[derive(TableUnion)]
#[table(partition = "{department}")]
enum Member {
    Employee(Stored<Employee>),
}

#[test]
fn a_union_passes_over_lists() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&employee(2, "Jones")).unwrap();
    let members = tables.blocking().all(&Member::rows("Sales")).unwrap();
    assert!(matches!(members.as_slice(), [Member::Employee(jo)] if jo.id == 2));
}

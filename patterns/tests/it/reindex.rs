//! Indexes added to existing entities, and newer versions of a type: filled, removed and written while the job is
//! interrupted after each page.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two indexes for words said twice")]
#![allow(dead_code, reason = "what rows of indexes hold is compared by verify")]

use std::sync::atomic::{AtomicU32, Ordering};

use crate::by_hand::watched::Watched;
use table_patterns::{DifferenceKind, Error, Job, RepairStatus, Sweep, prelude::*};

const INDEXES: [&str; 6] = ["by_email", "by_name", "by_badge", "by_age", "by_last_name", "by_city"];

/// The type before it had indexes.
mod before {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    pub(super) struct Employee {
        pub(super) department: String,
        pub(super) id: u32,
        pub(super) email: String,
        pub(super) last_name: String,
        pub(super) badge: u32,
        pub(super) age: u16,
        pub(super) city: String,
    }
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_name, row = "name_{last_name}_{id:06}", copy(age)))]
#[table(index(by_badge, partition = "badge_{department}", row = "{badge:08}_{id:06}", copy(age)))]
#[table(index(by_age, table = "EmployeesByAge", partition = "{age:03}", row = "{department}_{id:06}"))]
#[table(lookup(by_last_name, on = last_name))]
#[table(lookup(by_city, on = city, ids = "EmployeeIDs"))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    last_name: String,
    badge: u32,
    age: u16,
    city: String,
}

fn employee(id: u32) -> before::Employee {
    before::Employee {
        department: if id.is_multiple_of(2) { "Sales" } else { "IT" }.into(),
        id,
        email: format!("e{id}@contoso.com"),
        last_name: "Jones".into(),
        badge: 1000 + id,
        age: 30,
        city: "Oslo".into(),
    }
}

fn tables() -> Tables {
    let tables = Tables::in_memory().unwrap();
    for id in 1..=20 {
        tables.blocking().insert(&employee(id)).unwrap();
    }
    tables
}

/// Runs a job page by page, each page twice, as if the job was killed before it saved its progress. Only the text of
/// the cursor is preserved. Returns the number of pages.
fn page_by_page<J: Job>(begin: impl Fn() -> Sweep<J>) -> usize {
    let mut cursor: Option<String> = None;
    for pages in 1..1_000 {
        let resumed = || match &cursor {
            Some(text) => begin().resume(text.parse().unwrap()),
            None => begin(),
        };
        let mut killed = resumed().page_size(3);
        pollster::block_on(killed.step()).unwrap();
        let mut again = resumed().page_size(3);
        let more = pollster::block_on(again.step()).unwrap();
        cursor = again.cursor().map(|cursor| cursor.to_string());
        assert_eq!(more, cursor.is_some());
        if !more {
            return pages;
        }
    }
    panic!("it has no end");
}

#[test]
fn an_index_is_filled_whatever_sort_it_is() {
    let tables = tables();
    for index in INDEXES {
        let report = tables.blocking().sweep(tables.reindex::<Employee>(index)).unwrap();
        assert_eq!((report.entities, report.written, report.lagging), (20, 20, 0), "{index}");
        assert!(report.without.is_empty(), "{index}");
        let again = tables.blocking().sweep(tables.reindex::<Employee>(index)).unwrap();
        assert_eq!((again.entities, again.written), (20, 0), "{index}");
    }
    let report = tables.blocking().sweep(tables.verify::<Employee>()).unwrap();
    assert!(report.is_clean() && report.lagging == 0, "{report}");
    assert_eq!(tables.blocking().all(&Employee::by_city("IT", "Oslo")).unwrap().len(), 10);
    assert_eq!(tables.blocking().all(&Employee::by_age_rows(30)).unwrap().len(), 20);
    assert_eq!(pollster::block_on(tables.lag()).unwrap().pending, Some(0));
}

#[test]
fn a_job_that_is_killed_in_each_page_ends_right() {
    let tables = tables();
    for index in INDEXES {
        let pages = page_by_page(|| tables.reindex::<Employee>(index));
        assert!(pages >= 7, "{index}: {pages} pages");
    }
    let report = tables.blocking().sweep(tables.verify::<Employee>()).unwrap();
    assert!(report.is_clean() && report.lagging == 0, "{report}");
    assert_eq!(report.entities, 20);
    page_by_page(|| tables.verify::<Employee>().repair());
    for index in INDEXES {
        page_by_page(|| tables.remove_index_rows::<Employee>(index));
    }
    let left = tables.blocking().all(&Employee::scan_table().bag()).unwrap();
    assert_eq!(left.len(), 20);
}

#[test]
fn the_rows_of_one_index_go_and_no_others() {
    let tables = tables();
    for index in INDEXES {
        drop(tables.blocking().sweep(tables.reindex::<Employee>(index)).unwrap());
    }
    let removed = tables.blocking().sweep(tables.remove_index_rows::<Employee>("by_badge")).unwrap();
    assert_eq!((removed.removed, removed.left_count), (20, 0));
    assert!(tables.blocking().all(&Employee::by_badge_rows("IT")).unwrap().is_empty());
    let report = tables.blocking().sweep(tables.verify::<Employee>()).unwrap();
    assert_eq!((report.count(), report.count_of(DifferenceKind::Missing)), (20, 20), "{report}");
    assert!(report.differences.iter().all(|one| one.index == Some("by_badge")), "{report}");
    // There is one list row in each partition.
    for (index, rows) in [("by_city", 2), ("by_last_name", 20)] {
        let dry = tables.blocking().sweep(tables.remove_index_rows::<Employee>(index).dry_run()).unwrap();
        let removed = tables.blocking().sweep(tables.remove_index_rows::<Employee>(index)).unwrap();
        assert_eq!((dry.removed, removed.removed, removed.left_count), (rows, rows, 0));
    }
    assert_eq!(tables.blocking().all(&Employee::by_name_rows("IT")).unwrap().len(), 10);
}

#[test]
fn an_entity_whose_unique_value_is_taken_is_named() {
    let tables = tables();
    let twin = before::Employee { email: "e2@contoso.com".into(), ..employee(4) };
    tables.blocking().replace_any(&twin).unwrap();
    let report = tables.blocking().sweep(tables.reindex::<Employee>("by_email")).unwrap();
    assert_eq!((report.entities, report.written, report.without.len()), (20, 19, 1));
    assert_eq!(report.without[0].what, DifferenceKind::Taken);
    assert!(matches!(report.without[0].repair, RepairStatus::Left));
    assert!(report.without[0].entity.as_ref().unwrap().row_key() == "empid_000004");
}

#[test]
fn entity_whose_unique_value_is_taken_while_it_is_checked_is_named() {
    for is_verify in [false, true] {
        let finds = AtomicU32::new(0);
        let watched = Watched::new(|_, _| {}).before_find(move |store, row_key| {
            // The first read finds no row. Before the second, entity 2 gets the email.
            if row_key == "email_e4@contoso.com" && finds.fetch_add(1, Ordering::Relaxed) == 1 {
                let other = Employee { email: "e4@contoso.com".into(), ..indexed(employee(2)) };
                Tables::from(store.clone()).blocking().insert(&other).unwrap();
            }
        });
        let tables = Tables::new(watched);
        tables.blocking().insert(&employee(4)).unwrap();
        if is_verify {
            let report = tables.blocking().sweep(tables.verify::<Employee>().repair()).unwrap();
            let email = report.differences.iter().find(|one| one.index == Some("by_email")).unwrap();
            assert!(matches!(email.repair, RepairStatus::Left), "{report}");
            assert_eq!(report.repaired, report.count() - 1, "{report}");
        } else {
            let report = tables.blocking().sweep(tables.reindex::<Employee>("by_email")).unwrap();
            assert_eq!((report.written, report.without.len()), (0, 1));
            assert_eq!(report.without[0].what, DifferenceKind::Taken);
        }
    }
}

fn indexed(employee: before::Employee) -> Employee {
    let before::Employee { department, id, email, last_name, badge, age, city } = employee;
    Employee { department, id, email, last_name, badge, age, city }
}

/// Entities 2 and 4 had one email before the unique index was declared. The index row belongs to entity 2.
#[test]
fn duplicate_from_before_a_unique_index_leaves_the_row_to_its_owner() {
    for how in ["delete", "delete_at", "change", "touch", "upsert", "move"] {
        let tables = tables();
        let b = tables.blocking();
        let email = "e2@contoso.com";
        b.replace_any(&before::Employee { email: email.into(), ..employee(4) }).unwrap();
        for index in INDEXES {
            drop(b.sweep(tables.reindex::<Employee>(index)).unwrap());
        }
        let mut second = b.get(&Employee::point("Sales", 4)).unwrap().unwrap();
        second.age = 31;
        match how {
            "delete" => b.delete(&second).unwrap(),
            "delete_at" => b.delete_at(Employee::point("Sales", 4)).unwrap(),
            "change" => {
                second.email = "e4@contoso.com".into();
                b.replace(&second).map(drop).unwrap();
                assert_eq!(b.get(&Employee::by_email("Sales", "e4@contoso.com")).unwrap().unwrap().id, 4);
            }
            "touch" => b.replace(&second).map(drop).unwrap(),
            "upsert" => b.upsert(&*second).map(drop).unwrap(),
            _ => {
                second.id = 44;
                b.rekey(&second).map(drop).unwrap();
            }
        }
        let found = b.get(&Employee::by_email("Sales", email)).unwrap().unwrap();
        assert_eq!((found.id, found.age), (2, 30), "{how}");
        let mut third = b.get(&Employee::point("Sales", 6)).unwrap().unwrap();
        third.email = email.into();
        assert!(matches!(b.replace(&third), Err(Error::Unique(_))), "{how}: the value is taken");
        let report = b.sweep(tables.verify::<Employee>()).unwrap();
        let expected = u64::from(!matches!(how, "delete" | "delete_at" | "change"));
        assert_eq!((report.count(), report.count_of(DifferenceKind::Taken)), (expected, expected), "{how}");
        // The owner can still release the value.
        b.delete(&found).unwrap();
        third = b.get(&Employee::point("Sales", 6)).unwrap().unwrap();
        third.email = email.into();
        b.replace(&third).unwrap();
        assert_eq!(b.get(&Employee::by_email("Sales", email)).unwrap().unwrap().id, 6, "{how}");
    }
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
struct Listed {
    department: String,
    id: u32,
    email: String,
    age: u16,
}

#[test]
fn duplicate_that_is_patched_leaves_the_row_to_its_owner() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let listed = |id, email: &str| Listed { department: "Sales".into(), id, email: email.into(), age: 30 };
    b.insert(&listed(2, "e2")).unwrap();
    let mut raw = DynamicEntity::new("Employees", "Sales", "empid_000004").unwrap();
    raw.set("email", "e2");
    raw.set("age", 30);
    raw.set("EntityType", "Listed");
    b.insert(&raw).unwrap();
    let second = b.get(&Listed::point("Sales", 4)).unwrap().unwrap();
    b.merge(second.patch().age(31)).unwrap();
    assert_eq!(b.get(&Listed::point("Sales", 4)).unwrap().unwrap().age, 31);
    let found = b.get(&Listed::by_email("Sales", "e2")).unwrap().unwrap();
    assert_eq!((found.id, found.age), (2, 30));
    // A patch of the owner changes the row.
    let first = b.get(&Listed::point("Sales", 2)).unwrap().unwrap();
    b.merge(first.patch().age(32)).unwrap();
    assert_eq!(b.get(&Listed::by_email("Sales", "e2")).unwrap().unwrap().age, 32);
}

/// The duplicate gets the row if its owner is deleted.
#[test]
fn duplicate_gets_the_row_that_its_owner_released() {
    let tables = tables();
    let b = tables.blocking();
    b.replace_any(&before::Employee { email: "e2@contoso.com".into(), ..employee(4) }).unwrap();
    for index in INDEXES {
        drop(b.sweep(tables.reindex::<Employee>(index)).unwrap());
    }
    b.delete_at(Employee::point("Sales", 2)).unwrap();
    let second = b.get(&Employee::point("Sales", 4)).unwrap().unwrap();
    assert_eq!(b.replace(&second).unwrap().repaired_indexes, ["by_email"]);
    assert_eq!(b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap().id, 4);
    assert!(b.sweep(tables.verify::<Employee>()).unwrap().is_clean());
}

#[test]
fn an_index_that_is_not_there_is_an_error_that_names_those_that_are() {
    let tables = tables();
    let error = tables.blocking().sweep(tables.reindex::<Employee>("by_bagde")).unwrap_err();
    assert!(matches!(&error, Error::NoSuchIndex { entity: "Employee", .. }), "{error}");
    assert!(error.to_string().contains("by_badge"), "{error}");
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{town}", row = "p_{id:04}")]
#[table(index(by_name, row = "name_{name}_{id:04}"))]
struct PersonV1 {
    town: String,
    id: u16,
    name: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{town}", row = "p_{id:04}", version = 2, from(PersonV1))]
#[table(index(by_name, row = "name_{name}_{id:04}"))]
#[table(index(by_initial, partition = "initial_{initial}", row = "{town}_{id:04}"))]
struct Person {
    town: String,
    id: u16,
    name: String,
    initial: String,
}

impl From<PersonV1> for Person {
    fn from(PersonV1 { town, id, name }: PersonV1) -> Self {
        let initial = name.chars().take(1).collect();
        Self { town, id, name, initial }
    }
}

fn people() -> Tables {
    let tables = Tables::in_memory().unwrap();
    for id in 1..=10 {
        let person = PersonV1 { town: "Oslo".into(), id, name: format!("Jo{id}") };
        tables.blocking().insert(&person).unwrap();
    }
    tables
}

#[test]
fn older_versions_are_written_as_the_newest_with_their_rows() {
    let tables = people();
    let b = tables.blocking();
    b.upsert(&Person { town: "Oslo".into(), id: 3, name: "Al".into(), initial: "A".into() }).unwrap();
    // Initially, only the rows of the new index are missing.
    let report = b.sweep(tables.verify::<Person>()).unwrap();
    assert_eq!((report.count(), report.count_of(DifferenceKind::Missing)), (9, 9), "{report}");
    let report = b.sweep(tables.upgrade::<Person>().page_size(4)).unwrap();
    assert_eq!((report.written, report.failed.len()), (9, 0));
    let report = b.sweep(tables.verify::<Person>()).unwrap();
    assert!(report.is_clean() && report.lagging == 0, "{report}");
    assert!(b.all(&PersonV1::scan_partition("Oslo")).unwrap().is_empty());
    assert_eq!(b.all(&Person::by_initial_rows("J")).unwrap().len(), 9);
    assert_eq!(b.sweep(tables.upgrade::<Person>()).unwrap().written, 0);
}

#[test]
fn an_upgrade_that_is_killed_in_each_page_ends_right() {
    let tables = people();
    page_by_page(|| tables.upgrade::<Person>());
    let report = tables.blocking().sweep(tables.verify::<Person>()).unwrap();
    assert!(report.is_clean(), "{report}");
    assert_eq!(tables.blocking().all(&Person::by_initial_rows("J")).unwrap().len(), 10);
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Notes", partition = "{town}", row = "n_{id:04}", entity_type = "Note")]
#[table(index(by_word, row = "word_{word}_{id:04}"))]
struct NoteV1 {
    town: String,
    id: u16,
    word: String,
}

/// Does not read the older version, like a design, which describes one version.
#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Notes",
    partition = "{town}",
    row = "n_{id:04}",
    entity_type = "Note",
    version = 2,
    oldest = 2
)]
#[table(index(by_word, row = "word_{word}_{id:04}"))]
struct NoteV2 {
    town: String,
    id: u16,
    word: String,
    text: String,
}

/// Has another index, with keys of the same form.
#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Notes",
    partition = "{town}",
    row = "n_{id:04}",
    entity_type = "Note",
    version = 3,
    oldest = 3
)]
#[table(index(by_text, row = "word_{text}_{id:04}"))]
struct NoteV3 {
    town: String,
    id: u16,
    text: String,
}

#[test]
fn index_rows_of_older_versions_are_deleted() {
    let store = table_store::Store::in_memory().unwrap();
    // A handle rejects types with colliding keys.
    let tables = || Tables::from(store.clone());
    let (town, word, text) = (|| "Oslo".to_owned(), || "hello".to_owned(), || "hello you".to_owned());
    tables().blocking().insert(&NoteV1 { town: town(), id: 1, word: word() }).unwrap();
    tables().blocking().insert(&NoteV2 { town: town(), id: 2, word: word(), text: text() }).unwrap();
    tables().blocking().insert(&NoteV3 { town: town(), id: 3, text: text() }).unwrap();
    let tables_of_v2 = tables();
    let removed = tables_of_v2.blocking().sweep(tables_of_v2.remove_index_rows::<NoteV2>("by_word")).unwrap();
    assert_eq!((removed.removed, removed.left_count), (2, 0));
    assert_eq!(tables().blocking().all(&NoteV3::by_text_rows("Oslo")).unwrap().len(), 1);
}

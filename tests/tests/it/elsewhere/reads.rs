//! The results and the contents of lists.

use table_patterns::prelude::*;
use table_store::{
    OpenOptions,
    blob::{BlobAddress, BlobService, ListBlobs, ReadBlob},
};

use super::person::{Person, ids, listed};

fn filled() -> Tables {
    let tables = Tables::in_memory().unwrap();
    for (team, id) in [("Red", 2), ("Blue", 7), ("Red", 1)] {
        tables.blocking().insert(&Person::new(team, id)).unwrap();
    }
    tables
}

#[test]
fn each_place_gives_the_same_members_of_all_partitions() {
    let expected = vec![("Blue".to_owned(), 7), ("Red".to_owned(), 1), ("Red".to_owned(), 2)];
    assert_eq!(listed(&filled()), [(); 4].map(|()| expected.clone()));
}

#[test]
fn what_leaves_a_list_is_not_in_it_and_what_stays_asks_nothing() {
    let tables = filled();
    let b = tables.blocking();
    let mut person = b.get(&Person::point("Red", 1)).unwrap().unwrap();
    person.note = "nothing that a list is of".into();
    let written = b.replace(&person).unwrap();
    assert!(written.receipt.is_none());
    let mut person = person.written(&written);
    (person.name, person.city, person.skill, person.age) = ("Smith".into(), None, "none".into(), 31);
    let written = b.replace(&person).unwrap();
    assert!(written.receipt.is_some());
    let rest = vec![("Blue".to_owned(), 7), ("Red".to_owned(), 2)];
    assert_eq!(listed(&tables), [(); 4].map(|()| rest.clone()));
    assert_eq!(ids(&b.all(&Person::by_name("Smith")).unwrap()), [("Red", 1)]);
    assert_eq!(ids(&b.all(&Person::by_skill("none")).unwrap()), [("Red", 1)]);
    b.delete_at(Person::point("Red", 1)).unwrap();
    assert!(b.all(&Person::by_name("Smith")).unwrap().is_empty());
    assert!(b.all(&Person::by_age(31)).unwrap().is_empty());
    assert_eq!(pollster::block_on(tables.catch_up()).unwrap().followed, 0);
}

#[test]
fn what_is_stored_is_what_the_format_says() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone());
    let b = tables.blocking();
    b.insert(&Person::new("Red", 1)).unwrap();
    b.insert(&Person::new("Blue", 7)).unwrap();
    let row = b.get(&DynamicEntity::point("PeopleByName", "Jones", "name!Red!id_000001")).unwrap().unwrap();
    assert_eq!(row.get::<String>("_src").unwrap().unwrap(), r#"["People","Red","id_000001"]"#);
    assert!(row.value("name").is_none(), "nothing of the entity is repeated");
    let row = b.get(&DynamicEntity::point("Homes", "Oslo_003", "home")).unwrap().unwrap();
    let pairs = r#"[["Blue","id_000007"],["Red","id_000001"]]"#;
    assert_eq!(row.get::<String>("PersonDetails").unwrap().unwrap(), pairs);
    assert!(b.get(&DynamicEntity::point("People", "age_030", "ages!Red!id_000001")).unwrap().is_some());
    let names = pollster::block_on(store.list_blobs(&"people".parse().unwrap(), ListBlobs::new())).unwrap();
    let name = names.items[0].name().to_owned();
    assert!(
        names.items.len() == 1 && name.starts_with("by_skill/R") && name.strip_suffix(".jsonl").is_some(),
        "{name}"
    );
    assert_eq!(name.matches('/').count(), 1, "{name}");
    let blob = BlobAddress::new("people", &name).unwrap();
    let lines = pollster::block_on(store.get_blob(&blob, ReadBlob::new())).unwrap();
    assert_eq!(lines, "[\"Blue\",\"id_000007\"]\n[\"Red\",\"id_000001\"]\n");
    // The delete of the last member deletes the list.
    b.delete_at(Person::point("Red", 1)).unwrap();
    b.delete_at(Person::point("Blue", 7)).unwrap();
    assert!(b.get(&DynamicEntity::point("Homes", "Oslo_003", "home")).unwrap().is_none());
    assert!(pollster::block_on(store.get_blob(&blob, ReadBlob::new())).is_err());
}

#[test]
fn a_stale_row_never_shows_an_entity_that_is_of_another_list() {
    let tables = filled();
    let lazy = tables.with_deferred_updates();
    let moved =
        Person { name: "Smith".into(), age: 31, skill: "x".into(), city: None, ..Person::new("Red", 2) };
    let written = pollster::block_on(lazy.upsert(&moved)).unwrap();
    let rest = vec![("Blue".to_owned(), 7), ("Red".to_owned(), 1)];
    assert_eq!(listed(&tables), [(); 4].map(|()| rest.clone()), "they are in the lists, and passed over");
    let report = pollster::block_on(Person::by_skill("R/W #1?").report(&tables)).unwrap();
    assert_eq!((report.stats.skipped, report.stats.returned), (1, 2));
    assert!(tables.blocking().all(&Person::by_name("Smith")).unwrap().is_empty(), "not yet");
    assert_eq!(tables.blocking().all(&Person::by_name("Smith").after(&written)).unwrap().len(), 1);
    assert_eq!(tables.blocking().all(&Person::by_skill("x")).unwrap().len(), 1, "all of one commit follow");
}

#[test]
fn pages_go_on_where_they_stopped_in_each_place() {
    let tables = filled();
    for query in [Person::by_name("Jones"), Person::by_home("Oslo", 3), Person::by_skill("R/W #1?")] {
        let page = pollster::block_on(query.clone().page_size(2).page(&tables)).unwrap();
        assert_eq!(ids(&page.items), [("Blue", 7), ("Red", 1)]);
        let cursor: Cursor = page.cursor.unwrap().to_string().parse().unwrap();
        let rest = tables.blocking().all(&query.resume(cursor)).unwrap();
        assert_eq!(ids(&rest), [("Red", 2)]);
    }
}

#[test]
fn explain_says_where_a_list_is() {
    let text = Person::by_name("Jones").explain().unwrap().to_string();
    assert!(text.starts_with("multi-point on PeopleByName\n  PartitionKey eq 'Jones'"), "{text}");
    let explain = Person::by_skill("Rust").explain().unwrap();
    assert_eq!(
        explain.to_string(),
        "multi-point on People\n  blob by_skill/Rust.jsonl\n  reads the list of `by_skill`, then each member with a \
         point query"
    );
}

#[test]
fn without_a_blob_service_nothing_is_sent() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::new(store);
    assert!(matches!(tables.blocking().insert(&Person::new("Red", 1)), Err(Error::BlobsNotConfigured)));
    assert!(tables.blocking().get(&Person::point("Red", 1)).unwrap().is_none());
    assert!(matches!(tables.blocking().all(&Person::by_skill("x")), Err(Error::BlobsNotConfigured)));
}

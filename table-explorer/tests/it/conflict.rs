//! Entities that another process changes while a person edits them.

use table_model::{Entity, Value};

use crate::{JO, client::Served, delete, merge, row, store};

fn jo() -> Entity {
    Entity::new("Sales", "1")
        .with("Age", 34)
        .with("Name", "Jo")
        .with("Title", "Engineer")
        .with("Note", "same")
}

#[test]
fn changes_of_different_properties_are_merged() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    merge(&store, Entity::new("Sales", "1").with("Title", "Manager").with("Added", 1));
    let before = row(&store, "1");
    let conflict = served.submit(&page, "/save", |form| {
        form.property("Age", None, "35").add("Left", "DateTime", "2002-08-31");
    });
    conflict
        .is(200)
        .has("This entity changed while you were editing it")
        .has("4 properties changed on one side only");
    conflict.lacks("choose a value").has("not edited, or the same in all: <bdi>Name, Note");
    assert_eq!(row(&store, "1"), before, "nothing is written");
    served.submit(&conflict, "/save", |_| {}).is(303);
    let left = Value::DateTime("2002-08-31".parse().unwrap());
    let expected = jo().with("Age", 35).with("Title", "Manager").with("Added", 1).with("Left", left);
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
}

#[test]
fn changes_of_one_property_need_a_choice() {
    for (choice, age) in [("stored", 40), ("yours", 35)] {
        let store = store([jo()]);
        let served = Served::writable(&store);
        let page = served.get(JO);
        merge(&store, Entity::new("Sales", "1").with("Age", 40).with("Title", "Manager"));
        let conflict = served.submit(&page, "/save", |form| {
            form.property("Age", None, "35").property("Name", None, "Joe");
        });
        conflict.is(200).has("1 property changed on both sides").has("class=\"clash\"");
        served.submit(&conflict, "/save", |_| {}).is(400).has("choose a value of `Age`");
        served
            .submit(&conflict, "/save", |form| {
                form.set("pick-0", choice);
            })
            .is(303);
        let expected = jo().with("Age", age).with("Name", "Joe").with("Title", "Manager");
        assert_eq!(row(&store, "1").unwrap().properties, expected.properties, "{choice}");
    }
}

#[test]
fn a_second_conflict_starts_from_the_second_version() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    merge(&store, Entity::new("Sales", "1").with("Title", "Manager"));
    let first = served.submit(&page, "/save", |form| {
        form.property("Age", None, "35");
    });
    merge(&store, Entity::new("Sales", "1").with("Age", 50).with("Note", "other"));
    let second = served.submit(first.is(200), "/save", |_| {});
    second.is(200).has("1 property changed on both sides").has("1 property changed on one side only");
    assert_eq!(row(&store, "1").unwrap().properties.get("Age"), Some(&Value::from(50)));
    served
        .submit(&second, "/save", |form| {
            form.set("pick-0", "yours");
        })
        .is(303);
    let expected = jo().with("Age", 35).with("Title", "Manager").with("Note", "other");
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
}

#[test]
fn a_choice_can_be_edited_further() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    merge(&store, Entity::new("Sales", "1").with("Title", "Manager"));
    let conflict = served.submit(&page, "/save", |form| {
        form.property("Age", None, "35");
    });
    let form = served.submit(&conflict, "/save", |form| {
        form.set("do", "edit");
    });
    form.is(200).has("value=\"35\"").has("value=\"Manager\"");
    served
        .submit(&form, "/save", |form| {
            form.property("Age", None, "36");
        })
        .is(303);
    let expected = jo().with("Age", 36).with("Title", "Manager");
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
}

#[test]
fn a_removed_property_is_a_change() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    merge(&store, Entity::new("Sales", "1").with("Note", "other"));
    let conflict = served.submit(&page, "/save", |form| {
        form.property("Note", Some(""), "").property("Name", Some(""), "");
    });
    conflict.is(200).has("1 property changed on both sides");
    served
        .submit(&conflict, "/save", |form| {
            form.set("pick-1", "yours");
        })
        .is(303);
    let expected = Entity::new("Sales", "1").with("Age", 34).with("Title", "Engineer");
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
}

#[test]
fn a_deleted_entity_is_inserted_again_on_request() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    delete(&store, "1");
    let deleted = served.submit(&page, "/save", |form| {
        form.property("Age", None, "35").property("Note", Some(""), "");
    });
    deleted.is(200).has("This entity was deleted while you were editing it");
    assert_eq!(row(&store, "1"), None, "nothing is written");
    served.submit(&deleted, "/new", |_| {}).is(303);
    let expected = Entity::new("Sales", "1").with("Age", 35).with("Name", "Jo").with("Title", "Engineer");
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
    served.submit(&deleted, "/new", |_| {}).is(200).has("An entity with these keys exists");
}

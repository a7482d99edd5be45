//! Copies, moves and deletes.

use table_model::Entity;

use crate::{client::Served, delete, merge, row, store};

const KEY: &str = "/t/Employees/e/key?pk=Sales&rk=1";
const DELETE: &str = "/t/Employees/e/delete?pk=Sales&rk=1";

fn jo() -> Entity {
    Entity::new("Sales", "1").with("Age", 34)
}

#[test]
fn a_copy_has_another_key() {
    let store = store([jo(), Entity::new("Sales", "2")]);
    let served = Served::writable(&store);
    let page = served.get(KEY);
    let copied = |to: &str| {
        served.submit(&page, "/key", |form| {
            form.set("to-rk", to).set("do", "duplicate");
        })
    };
    assert_eq!(copied("3").is(303).header("location"), Some("/t/Employees/e?pk=Sales&rk=3"));
    assert_eq!(row(&store, "3").unwrap().properties, jo().properties);
    assert!(row(&store, "1").is_some());
    copied("1").is(200).has("These are the keys of the entity");
    copied("2").is(200).has("An entity with these keys exists");
    copied("!o_1").is(403).has("maintained by a design");
}

#[test]
fn a_move_is_one_transaction_within_a_partition() {
    let store = store([jo(), Entity::new("Sales", "2")]);
    let served = Served::writable(&store);
    let page = served.get(KEY);
    page.has("A move inserts it under the other key and deletes it");
    let moved = |partition: &str, to: &str| {
        served.submit(&page, "/key", |form| {
            form.set("to-pk", partition).set("to-rk", to).set("do", "move");
        })
    };
    moved("Other", "1").is(200).has("A transaction does not span two partitions");
    moved("Sales", "2").is(200).has("An entity with these keys exists");
    assert!(row(&store, "1").is_some());
    moved("Sales", "3").is(303);
    assert_eq!(row(&store, "3").unwrap().properties, jo().properties);
    assert_eq!(row(&store, "1"), None);
}

#[test]
fn a_move_of_another_version_is_asked_again() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(KEY);
    merge(&store, jo().with("Age", 35));
    let again = served.submit(&page, "/key", |form| {
        form.set("to-rk", "3").set("do", "move");
    });
    again.is(200).has("has changed since this page was shown").has("value=\"3\"");
    assert_eq!((row(&store, "1").is_some(), row(&store, "3")), (true, None));
    served
        .submit(&again, "/key", |form| {
            form.set("do", "move");
        })
        .is(303);
    assert_eq!(row(&store, "3").unwrap().properties, jo().with("Age", 35).properties);
}

#[test]
fn only_the_version_that_was_shown_is_deleted() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(DELETE);
    merge(&store, jo().with("Age", 35));
    let again = served.submit(&page, "/delete", |form| {
        form.set("do", "delete");
    });
    again.is(200).has("has changed since").has("35");
    assert!(row(&store, "1").is_some());
    let deleted = served.submit(&again, "/delete", |form| {
        form.set("do", "delete");
    });
    assert_eq!(row(&store, "1"), None);
    deleted.is(200).has("Deleted");
    served
        .submit(&deleted, "/new", |form| {
            form.set("do", "insert");
        })
        .is(303);
    assert_eq!(row(&store, "1").unwrap().properties, jo().with("Age", 35).properties);
}

#[test]
fn a_deleted_entity_is_reported_so() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(DELETE);
    delete(&store, "1");
    served
        .submit(&page, "/delete", |form| {
            form.set("do", "delete");
        })
        .is(303);
    served.get("/").has("The entity had been deleted already.");
    served.get(DELETE).is(404);
}

//! Writes to an account that is not in this process.

use table_model::{Condition, Entity, Operation, Value};

use crate::{
    JO,
    client::{Reply, Served},
    row,
    service::{Event, Remote},
    store,
};

fn jo() -> Entity {
    Entity::new("Sales", "1").with("Age", 34).with("Name", "Jo\n<b>")
}

fn save(served: &Served, age: &str) -> Reply {
    served.submit(&served.get(JO), "/save", |form| {
        form.property("Age", None, age);
    })
}

/// Types the name of the account.
fn confirm(served: &Served, question: &Reply) -> Reply {
    served.submit(question, "/save", |form| {
        form.set("account-typed", "acme");
    })
}

#[test]
fn the_name_of_the_account_is_typed_once() {
    let store = store([jo()]);
    let remote = Remote::new(&store);
    let served = remote.serve();
    let question = save(&served, "35");
    question.is(200).has("Write to this account?").has("https://acme.table.core.windows.net");
    let wrong = served.submit(&question, "/save", |form| {
        form.set("account-typed", "acm");
    });
    wrong.is(200).has("This is not the name of the account");
    assert_eq!(remote.writes(), 0);
    confirm(&served, &wrong).is(303);
    assert_eq!(row(&store, "1").unwrap().properties, jo().with("Age", 35).properties);
    save(&served, "36").is(303);
    assert_eq!(remote.writes(), 2);
}

#[test]
fn an_unknown_outcome_is_said_and_not_retried() {
    for (event, evidence, age) in [
        (Event::LostResponse, "has the values of the write now", 35),
        (Event::LostRequest, "so far the write was not applied", 34),
    ] {
        let store = store([jo()]);
        let remote = Remote::new(&store);
        let served = remote.serve();
        remote.next(event);
        let reply = confirm(&served, &save(&served, "35"));
        reply
            .is(504)
            .has("The outcome is unknown")
            .has("Read again")
            .has("the connection was reset")
            .has(evidence);
        assert_eq!(
            (remote.writes(), row(&store, "1").unwrap().properties.get("Age")),
            (1, Some(&Value::from(age)))
        );
    }
}

#[test]
fn an_unknown_outcome_of_a_basket_keeps_it() {
    let store = store([jo()]);
    let remote = Remote::new(&store);
    let served = remote.serve();
    confirm(&served, &save(&served, "35")).is(303);
    served
        .submit(&served.get(JO), "/save", |form| {
            form.property("Age", None, "36").set("do", "basket");
        })
        .is(303);
    remote.next(Event::LostResponse);
    let commit = || {
        served.submit(&served.get("/basket"), "/basket", |form| {
            form.set("do", "commit");
        })
    };
    commit().is(504).has("has the values of the write now");
    served.get("/basket").has("1 of 100 operations");
    commit().is(200).has("Nothing was committed").has("Compare");
    let compared = served.get("/basket/resolve?table=Employees&pk=Sales&rk=1");
    compared.is(200).has("No property differs between the stored version and yours");
}

#[test]
fn a_write_between_read_and_save_is_a_conflict() {
    let store = store([jo()]);
    let remote = Remote::new(&store);
    let served = remote.serve();
    confirm(&served, &save(&served, "35")).is(303);
    remote.next(Event::Before(Operation::Merge(jo().with("Age", 50), Condition::Exists)));
    save(&served, "36").is(200).has("1 property changed on both sides");
    let (partition_key, row_key) = ("Sales".to_owned(), "1".to_owned());
    remote.next(Event::Before(Operation::Delete { partition_key, row_key, condition: Condition::Exists }));
    save(&served, "36").is(200).has("This entity was deleted while you were editing it");
    assert_eq!(row(&store, "1"), None);
}

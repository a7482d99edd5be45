//! Changes that are collected for one transaction.

use table_model::{Entity, Value};

use crate::{client::Served, delete, merge, row, store};

fn employees() -> impl Iterator<Item = Entity> {
    (0..3).map(|id| Entity::new("Sales", id.to_string()).with("Age", id).with("Name", "Jo"))
}

/// Puts a change of the age of an entity into the basket.
fn collect(served: &Served, key: &str, age: &str) {
    let page = served.get(&format!("/t/Employees/e?pk=Sales&rk={key}"));
    let added = served.submit(&page, "/save", |form| {
        form.property("Age", None, age).set("do", "basket");
    });
    assert_eq!(added.is(303).header("location"), Some("/basket"));
}

fn commit(served: &Served) -> crate::client::Reply {
    served.submit(&served.get("/basket"), "/basket", |form| {
        form.set("do", "commit");
    })
}

#[test]
fn a_basket_is_committed_as_one_transaction() {
    let store = store(employees());
    let served = Served::writable(&store);
    served.get("/basket").is(200).has("The basket is empty");
    let notice = "A change of this entity is in the";
    served.get("/t/Employees/e?pk=Sales&rk=0").lacks(notice);
    collect(&served, "0", "50");
    served.get("/t/Employees/e?pk=Sales&rk=0").has(notice);
    served.get("/t/Employees/e?pk=Sales&rk=2").lacks(notice);
    collect(&served, "0", "60");
    served
        .submit(&served.get("/t/Employees/e/delete?pk=Sales&rk=1"), "/delete", |form| {
            form.set("do", "basket");
        })
        .is(303);
    served
        .submit(&served.get("/t/Employees/new?pk=Sales"), "/new", |form| {
            form.set("rk", "9").add("Age", "Int32", "9").set("do", "basket");
        })
        .is(303);
    let page = served.get("/basket");
    page.has("3 of 100 operations").has("<del>0</del><ins>60</ins>").has("merge").has("delete").has("insert");
    served.get("/").has("Basket <span class=\"count\">3</span>");
    assert_eq!(
        row(&store, "0").unwrap().properties.get("Age"),
        Some(&Value::from(0)),
        "nothing is written yet"
    );
    commit(&served).is(303);
    served.get("/basket").has("Committed 3 operations as one transaction").has("The basket is empty");
    assert_eq!(row(&store, "0").unwrap().properties.get("Age"), Some(&Value::from(60)));
    assert_eq!((row(&store, "1"), row(&store, "9").is_some()), (None, true));
    let times = ["0", "9"].map(|key| row(&store, key).unwrap().timestamp);
    assert_eq!(times[0], times[1], "one transaction");
}

#[test]
fn the_failing_row_is_named_and_compared() {
    let store = store(employees());
    let served = Served::writable(&store);
    collect(&served, "0", "50");
    collect(&served, "1", "51");
    merge(&store, Entity::new("Sales", "1").with("Age", 99).with("Name", "Joe"));
    let failed = commit(&served);
    failed.is(200).has("Nothing was committed").has("<code><bdi>1</bdi></code>: The entity has changed");
    failed
        .has("/basket/resolve?table=Employees&amp;pk=Sales&amp;rk=1")
        .lacks("resolve?table=Employees&amp;pk=Sales&amp;rk=0");
    assert_eq!(row(&store, "0").unwrap().properties.get("Age"), Some(&Value::from(0)), "all or nothing");
    served.get("/basket").has("2 of 100 operations");

    let compared = served.get("/basket/resolve?table=Employees&pk=Sales&rk=1");
    compared.is(200).has("1 property changed on both sides").has("Add merged to basket");
    served
        .submit(&compared, "/save", |form| {
            form.set("pick-0", "yours").set("do", "basket");
        })
        .is(303);
    served.get("/basket").has("<del>99</del><ins>51</ins>");
    commit(&served).is(303);
    let expected = Entity::new("Sales", "1").with("Age", 51).with("Name", "Joe");
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
    assert_eq!(row(&store, "0").unwrap().properties.get("Age"), Some(&Value::from(50)));
}

#[test]
fn a_deleted_row_is_inserted_again_or_removed() {
    let store = store(employees());
    let served = Served::writable(&store);
    collect(&served, "0", "50");
    collect(&served, "1", "51");
    delete(&store, "1");
    commit(&served).is(200).has("The entity has been deleted");
    let compared = served.get("/basket/resolve?table=Employees&pk=Sales&rk=1");
    compared.is(200);
    served
        .submit(&compared, "/new", |form| {
            form.set("do", "basket");
        })
        .is(303);
    commit(&served).is(303);
    assert_eq!(
        row(&store, "1").unwrap().properties,
        Entity::new("", "").with("Age", 51).with("Name", "Jo").properties
    );

    collect(&served, "0", "1");
    collect(&served, "2", "1");
    let page = served.get("/basket");
    served
        .submit(&page, "/basket", |form| {
            form.set("do", "remove:2");
        })
        .is(303);
    served.get("/basket").has("1 of 100 operations");
    served
        .submit(&page, "/basket", |form| {
            form.set("do", "empty");
        })
        .is(303);
    served.get("/basket").has("The basket is empty");
    served
        .submit(&page, "/basket", |form| {
            form.set("do", "commit");
        })
        .is(404);
}

#[test]
fn an_insert_of_an_existing_row_is_named() {
    let store = store(employees());
    let served = Served::writable(&store);
    collect(&served, "0", "50");
    let page = served.get("/t/Employees/new?pk=Sales");
    served
        .submit(&page, "/new", |form| {
            form.set("rk", "2").set("do", "basket");
        })
        .is(303);
    commit(&served)
        .is(200)
        .has("<code><bdi>2</bdi></code>: An entity with these keys exists")
        .lacks("resolve");
    assert_eq!(row(&store, "0").unwrap().properties.get("Age"), Some(&Value::from(0)));
}

#[test]
fn selected_rows_are_deleted() {
    let store = store(employees());
    let served = Served::writable(&store);
    let page = served.get("/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27");
    page.has("form=\"selected\" name=\"row\" value=\"pk=Sales&amp;rk=1\"");
    let mut form = page.form("/basket");
    form.set("do", "delete");
    for key in ["1", "2"] {
        form.fields.push(("row".to_owned(), format!("pk=Sales&rk={key}")));
    }
    let fields: Vec<_> = form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    served.post(&form.action, &fields).is(303);
    served.get("/basket").has("2 of 100 operations").has("<del>1</del>");
    commit(&served).is(303);
    assert_eq!((row(&store, "0").is_some(), row(&store, "1"), row(&store, "2")), (true, None, None));
}

#[test]
fn the_page_of_a_full_basket_is_small() {
    let wide = |at| {
        let properties = (0..50).map(|name| (format!("P{name}"), "x".repeat(200))).collect();
        Entity { properties, ..Entity::new("Sales", format!("{at:03}")) }
    };
    let store = store((0..100).map(wide));
    let served = Served::writable(&store);
    let rows: Vec<String> = (0..100).map(|at| format!("pk=Sales&rk={at:03}")).collect();
    let fields = rows.iter().map(|row| ("row", row.as_str()));
    let fields: Vec<_> = [("table", "Employees"), ("do", "delete")].into_iter().chain(fields).collect();
    served.post("/basket", &fields).is(303);
    let page = served.get("/basket");
    page.is(200).has("100 of 100 operations").has("more properties");
    assert!(page.text.len() < 100_000, "{}", page.text.len());
    served
        .submit(&page, "/basket", |form| {
            form.set("do", "commit");
        })
        .is(303);
    assert_eq!((row(&store, "000"), row(&store, "099")), (None, None));
}

#[test]
fn two_partitions_are_two_transactions() {
    let store = store(employees().chain([Entity::new("Research", "1").with("Age", 1)]));
    let served = Served::writable(&store);
    collect(&served, "0", "50");
    let page = served.get("/t/Employees/e?pk=Research&rk=1");
    served
        .submit(&page, "/save", |form| {
            form.property("Age", None, "2").set("do", "basket");
        })
        .is(303);
    served.get("/basket").has("2 partitions, so 2 transactions");
    commit(&served).is(303);
    served.get("/basket").has("1 of 100 operations").has("Research");
}

//! Forms of entities with hostile keys and values.

use table_model::Entity;

use crate::{client::Served, merge, row, store};

const KEY: &str = "\"><script>k\u{202e}";
const VALUE: &str = "\"></textarea><script>v</script>\n\u{202e}\u{0}'";

#[test]
fn forms_show_hostile_values_as_text() {
    let store = store([Entity::new("Sales", KEY).with("Text", VALUE).with("Age", 1)]);
    let served = Served::writable(&store);
    let entity = "pk=Sales&rk=%22%3E%3Cscript%3Ek%E2%80%AE";
    let is_text = |page: &crate::client::Reply| {
        page.is(200).lacks("<script>k").lacks("<script>v").lacks("</textarea><script");
    };
    let page = served.get(&format!("/t/Employees/e?{entity}"));
    is_text(&page);
    for path in ["e/key", "e/delete", "new"] {
        is_text(&served.get(&format!("/t/Employees/{path}?{entity}")));
    }
    is_text(&served.get(&format!("/t/Employees/e/value?{entity}&name=Text")));
    let rejected = served.submit(&page, "/save", |form| {
        form.property("Age", None, VALUE).add(KEY, "String", VALUE);
    });
    is_text(rejected.has("Nothing was saved"));
    let hostile = Entity::new("Sales", KEY);
    merge(&store, hostile.clone().with("Text", format!("{VALUE}2")));
    let conflict = served.submit(&page, "/save", |form| {
        form.property("Text", Some("Escaped"), "<script>v</script>\\u{0}").set("do", "basket");
    });
    is_text(conflict.has("choose a value"));
    served
        .submit(&conflict, "/save", |form| {
            form.set("pick-0", "yours").set("do", "basket");
        })
        .is(303);
    let basket = served.get("/basket");
    is_text(basket.has("1 of 100 operations"));
    served
        .submit(&basket, "/basket", |form| {
            form.set("do", "commit");
        })
        .is(303);
    let expected = hostile.with("Text", "<script>v</script>\0").with("Age", 1);
    assert_eq!(row(&store, KEY).unwrap().properties, expected.properties);
}

//! Rows that a design maintains.

use table_explorer::{Explorer, Place};
use table_model::Entity;
use table_store::Store;

use crate::{client::Served, row, store};

const WARNING: &str = "Raw: rows that a design maintains";

fn rows() -> Store {
    store([
        Entity::new("Sales", "1").with("Age", 34),
        Entity::new("Sales", "2").with("Age", 34).with("_tx", "01KB5W3C9T0F8N2PAQ7ZK1M4GS"),
        Entity::new("Sales", "!o_1").with("Age", 34),
    ])
}

#[test]
fn a_row_of_a_design_is_read_only() {
    let store = rows();
    let served = Served::writable(&store);
    let token = served.form_token();
    for key in ["2", "%21o_1"] {
        let page = served.get(&format!("/t/Employees/e?pk=Sales&rk={key}"));
        page.is(200).has("maintained by a design").has("--design").lacks("method=\"post\"").lacks("Delete");
        served.get(&format!("/t/Employees/e/delete?pk=Sales&rk={key}")).is(403);
        served.get(&format!("/t/Employees/e/key?pk=Sales&rk={key}")).is(403);
        served
            .get(&format!("/t/Employees/e/value?pk=Sales&rk={key}&name=Age"))
            .is(200)
            .lacks("method=\"post\"");
    }
    for key in ["2", "!o_1"] {
        let before = row(&store, key).unwrap();
        let etag = before.etag.to_string();
        let fields = [
            ("pk", "Sales"),
            ("rk", key),
            ("etag", etag.as_str()),
            ("part", "1"),
            ("form-token", token.as_str()),
            ("name", "Age"),
            ("kind", "Int32"),
            ("text", "1"),
            ("was", "Int32:34"),
        ];
        served.post("/t/Employees/e/save", &fields).is(403).has("maintained by a design");
        let fields = [&fields[..], &[("do", "basket")]].concat();
        served.post("/t/Employees/e/save", &fields).is(403);
        let selected = format!("pk=Sales&rk={key}");
        served.post("/basket", &[("table", "Employees"), ("do", "delete"), ("row", &selected)]).is(403);
        served.post("/t/Employees/e/delete", &[("pk", "Sales"), ("rk", key), ("etag", &etag)]).is(403);
        assert_eq!(row(&store, key).unwrap(), before);
    }
    served.get("/").lacks(WARNING);
}

#[test]
fn no_row_becomes_one_of_a_design() {
    let store = rows();
    let served = Served::writable(&store);
    let page = served.get("/t/Employees/e?pk=Sales&rk=1");
    served
        .submit(&page, "/save", |form| {
            form.add("_src", "String", "x");
        })
        .is(403);
    let page = served.get("/t/Employees/new?pk=Sales");
    served
        .submit(&page, "/new", |form| {
            form.set("rk", "!o_2");
        })
        .is(403);
    served
        .submit(&page, "/new", |form| {
            form.set("rk", "3").add("_tx", "String", "x");
        })
        .is(403);
    assert_eq!((row(&store, "!o_2"), row(&store, "3")), (None, None));
}

#[test]
fn raw_changes_it_with_a_warning() {
    let store = rows();
    let place = Place::of_store("company.tables", store.clone());
    let served = Served::start(Explorer::new(place).writable(true).raw(true));
    for path in ["/", "/t/Employees", "/t/Employees/rows", "/basket", "/nothing"] {
        served.get(path).has(WARNING);
    }
    let page = served.get("/t/Employees/e?pk=Sales&rk=2");
    served
        .submit(&page, "/save", |form| {
            form.property("Age", None, "35");
        })
        .is(303);
    assert_eq!(row(&store, "2").unwrap().properties.get("Age"), Some(&35.into()));
    let page = served.get("/t/Employees/e/delete?pk=Sales&rk=%21o_1");
    let deleted = |typed: &str| {
        served.submit(&page, "/delete", |form| {
            form.set("typed", typed);
        })
    };
    deleted("o_1").is(200).has("Type the RowKey");
    assert!(row(&store, "!o_1").is_some());
    deleted("!o_1").is(200).has("Restore");
    assert_eq!(row(&store, "!o_1"), None);
}

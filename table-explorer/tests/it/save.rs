//! Saving the form of an entity.

use table_model::{Entity, Timestamp, Uuid, Value};

use crate::{JO, client::Served, merge, row, store};

fn jo() -> Entity {
    Entity::new("Sales", "1").with("Age", 34).with("Name", "Jo").with("Note", "")
}

#[test]
fn a_save_merges_the_changed_properties() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    let saved = served.submit(&page, "/save", |form| {
        form.property("Age", None, "35").add("Level", "Int64", "7");
    });
    saved.is(303);
    assert_eq!(saved.header("location"), Some(JO));
    served.get(JO).has("Saved, merged: Age, Level").has("value=\"35\"");
    served.get(JO).lacks("Saved, merged");
    let expected = jo().with("Age", 35).with("Level", 7_i64);
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
}

#[test]
fn every_value_round_trips_through_the_form() {
    let time: Timestamp = "2014-07-31T18:00:00.1234567Z".parse().unwrap();
    let values = [
        ("Max", Value::from(i64::MAX)),
        ("Min", Value::from(i64::MIN)),
        ("Exact", Value::from((1_i64 << 53) + 1)),
        ("One", Value::from(1.0)),
        ("Zero", Value::from(-0.0)),
        ("Nan", Value::from(f64::NAN)),
        ("Infinite", Value::from(f64::NEG_INFINITY)),
        ("Time", Value::from(time)),
        ("Guid", Value::from(Uuid::from_u128(5))),
        ("Raw", Value::from(vec![0_u8, 127, 255])),
        ("Yes", Value::from(true)),
        ("Empty", Value::from("")),
        ("Lines", Value::from("a\nb\n\n<b>&\"'")),
        ("First", Value::from("\n\nb")),
        ("Control", Value::from("a\r\n\0\u{202e}\\n")),
    ];
    let properties: table_model::Properties = values.iter().cloned().collect();
    let store = store([Entity { properties: properties.clone(), ..Entity::new("Sales", "1") }]);
    let served = Served::writable(&store);
    let before = row(&store, "1").unwrap();
    served.submit(&served.get(JO), "/save", |_| {}).is(200).has("No property differs");
    assert_eq!(row(&store, "1").unwrap(), before, "nothing is written without a change");
    served
        .submit(&served.get(JO), "/save", |form| {
            form.property("Yes", None, "false").set("do", "replace");
        })
        .is(303);
    let mut expected = properties;
    expected.set("Yes", false);
    assert_eq!(row(&store, "1").unwrap().properties, expected);

    let page = served.get(JO);
    page.has("placeholder=\"2026-01-31T08:30:00Z\"").has("placeholder=\"true or false\"");
    served
        .submit(&page, "/save", |form| {
            form.property("Max", None, "-9223372036854775808")
                .property("Min", None, "9223372036854775807")
                .property("One", None, "5e-324")
                .property("Zero", None, "Infinity")
                .property("Raw", None, "DE AD")
                .property("Control", Some("Escaped"), "\\u{0}\\\\")
                .property("Time", None, "1601-01-01");
        })
        .is(303);
    for (name, value) in [
        ("Max", Value::from(i64::MIN)),
        ("Min", Value::from(i64::MAX)),
        ("One", Value::from(5e-324)),
        ("Zero", Value::from(f64::INFINITY)),
        ("Raw", Value::from(vec![0xde_u8, 0xad])),
        ("Control", Value::from("\0\\")),
        ("Time", Value::from(Timestamp::MIN_STORED)),
    ] {
        expected.set(name, value);
    }
    assert_eq!(row(&store, "1").unwrap().properties, expected);
}

#[test]
fn a_removed_property_needs_a_replace() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    page.has("A merge cannot remove a property");
    served.submit(&page, "/save", |form| {
        form.property("Name", Some(""), "Jo").property("Age", None, "40");
    });
    served.get(JO).has("Saved, replaced the entity: Age, Name");
    let expected = Entity::new("Sales", "1").with("Age", 40).with("Note", "");
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
}

#[test]
fn a_value_is_checked_before_anything_is_sent() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let before = row(&store, "1");
    for (kind, text, message) in [
        ("Int32", "2147483648", "expected an integer from -2147483648"),
        ("DateTime", "0001-01-01", "out of range"),
        ("Guid", "x", "expected a Guid"),
        ("Binary", "0", "hex digits"),
    ] {
        let reply = served.submit(&served.get(JO), "/save", |form| {
            form.property("Age", Some(kind), text).property("Name", None, "Typed <b>");
        });
        reply.is(200).has(message).has("value=\"Typed &lt;b&gt;\"").has(&format!("value=\"{text}\""));
    }
    let page = served.get(JO);
    served
        .submit(&page, "/save", |form| {
            form.add("RowKey", "String", "x");
        })
        .is(200)
        .has("property name is invalid");
    served
        .submit(&page, "/save", |form| {
            form.add("Age", "String", "x");
        })
        .is(200)
        .has("in the form already");
    served
        .submit(&page, "/save", |form| {
            form.add("Long", "String", &"x".repeat(32_769));
        })
        .is(200)
        .has("exceeds");
    assert_eq!(row(&store, "1"), before);
}

#[test]
fn a_large_value_is_changed_alone() {
    let text = "x".repeat(20_000);
    let store = store([jo().with("Text", text.as_str())]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    assert!(page.text.len() < 100_000);
    served
        .submit(&page, "/save", |form| {
            form.property("Age", None, "1");
        })
        .is(303);
    assert_eq!(row(&store, "1").unwrap().properties.get("Text"), Some(&Value::from(text)));
    let page = served.get("/t/Employees/e/value?pk=Sales&rk=1&name=Text");
    served
        .submit(&page, "/save", |form| {
            form.property("Text", None, "short\r\ntext");
        })
        .is(303);
    let expected = jo().with("Age", 1).with("Text", "short\ntext");
    assert_eq!(row(&store, "1").unwrap().properties, expected.properties);
    served
        .submit(&served.get(JO), "/save", |form| {
            form.property("Text", Some(""), "");
        })
        .is(303);
    assert_eq!(row(&store, "1").unwrap().properties, jo().with("Age", 1).properties);
}

#[test]
fn a_form_of_many_properties_is_small() {
    let many = (0..252).map(|at| (format!("Property{at:03}"), at)).collect();
    let store = store([Entity { properties: many, ..Entity::new("Sales", "1") }]);
    let served = Served::writable(&store);
    let page = served.get(JO);
    assert!(page.text.len() < 100_000, "{}", page.text.len());
    served
        .submit(&page, "/save", |form| {
            form.property("Property001", None, "-1").property("Property002", Some(""), "");
        })
        .is(303);
    let properties = row(&store, "1").unwrap().properties;
    assert_eq!((properties.len(), properties.get("Property001")), (251, Some(&Value::from(-1))));
    assert_eq!(properties.get("Property250"), Some(&Value::from(250)));
    served
        .submit(&served.get(JO), "/save", |form| {
            form.add("Property250", "Int32", "1");
        })
        .has("change it instead of adding");

    let page = served.get(JO);
    merge(&store, Entity::new("Sales", "1").with("Property000", 7).with("Property250", 8));
    let conflict = served.submit(&page, "/save", |form| {
        form.property("Property001", None, "-2");
    });
    conflict.has("2 properties changed on one side only").lacks("Property250");
    served.submit(&conflict, "/save", |_| {}).is(303);
    let properties = row(&store, "1").unwrap().properties;
    let values =
        ["Property000", "Property001", "Property250"].map(|name| properties.get(name).cloned().unwrap());
    assert_eq!(values, [7, -2, 8].map(Value::from));
}

#[test]
fn an_entity_is_inserted_once() {
    let store = store([]);
    let served = Served::writable(&store);
    let page = served.get("/t/Employees/new?pk=Sales");
    page.lacks("expected");
    let insert = |page: &crate::client::Reply| {
        served.submit(page, "/new", |form| {
            form.set("rk", "1")
                .add("Age", "Int32", "34")
                .add("Name", "String", "Jo")
                .add("Note", "String", "");
        })
    };
    insert(&page).is(303);
    assert_eq!(row(&store, "1").unwrap().properties, jo().properties);
    insert(&page).is(200).has("An entity with these keys exists").has("value=\"Jo\"");
    served
        .submit(&page, "/new", |form| {
            form.set("rk", "a/b");
        })
        .is(200)
        .has("out of range");
}

#[test]
fn without_its_token_or_from_another_origin_a_form_changes_nothing() {
    let store = store([jo()]);
    let served = Served::writable(&store);
    let before = row(&store, "1");
    let mut form = served.get(JO).form("/save");
    form.property("Age", None, "99");
    let body = |is_token: bool| {
        let fields = form.fields.iter().filter(|(name, _)| is_token || name != "form-token");
        let fields: Vec<_> = fields.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        crate::client::form(&fields)
    };
    let own = format!("http://{}", served.address);
    let send = |headers: &[(&str, &str)], body: &str| {
        served.send("POST", "/t/Employees/e/save", headers, body).is(403).status
    };
    send(&[served.cookie(), ("origin", &own)], &body(false));
    send(&[served.cookie(), ("origin", "http://127.0.0.1:1")], &body(true));
    send(&[served.cookie()], &body(true));
    send(&[("origin", &own)], &body(true));
    assert_eq!(row(&store, "1"), before);
    served.send("POST", "/t/Employees/e/save", &[served.cookie(), ("origin", &own)], &body(true)).is(303);
    assert_eq!(
        row(&store, "1").unwrap().properties.get("Age"),
        Some(&Value::from(99)),
        "the form is complete"
    );
}

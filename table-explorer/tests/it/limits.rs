//! Limits of connections, requests and pages.

use std::{
    io::Write as _,
    net::TcpStream,
    time::{Duration, Instant},
};

use table_model::Entity;

use crate::{
    client::{Reply, Served, form},
    row, store,
};

#[test]
fn idle_connections_and_slow_heads_block_nobody() {
    let served = Served::writable(&store([]));
    let sockets: Vec<TcpStream> = (0..40)
        .map(|at| {
            let mut socket = TcpStream::connect(served.address).unwrap();
            let head = if at % 2 == 0 { "" } else { "GET / HTTP/1.1\r\nhost:" };
            socket.write_all(head.as_bytes()).unwrap();
            socket
        })
        .collect();
    let start = Instant::now();
    served.get("/").is(200);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    drop(sockets);
}

#[test]
fn forms_have_a_limit_of_size_and_fields() {
    let served = Served::writable(&store([Entity::new("Sales", "1")]));
    let save = "/t/Employees/e/save";
    served.post(save, &[("text", &"x".repeat(2 << 20))]).is(413).has("at most 2097152 bytes");
    let field = [("name", "a"), ("kind", ""), ("text", ""), ("was", "")];
    served.post(save, &field.repeat(10_000)).is(413).has("at most 1000 fields");
    let origin = format!("http://{}", served.address);
    let headers = [served.cookie(), ("origin", &origin), ("content-type", "multipart/form-data; boundary=X")];
    let part = "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n";
    let start = Instant::now();
    let token =
        part.replace("\"a\"", "\"form-token\"").replace("v\r\n", &format!("{}\r\n", served.form_token()));
    let body = format!("{token}{}--X--\r\n", part.repeat(20_000));
    served.send("POST", "/import", &headers, &body).is(413).has("at most 1000 fields");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_long_address_has_a_page_that_says_what_to_do() {
    let served = Served::read_only(&store([Entity::new("Sales", "1")]));
    let path = |length: usize| format!("/t/Employees/rows?filter={}", "a".repeat(length));
    served.get(&path(30_000)).is(200);
    let reply = served.get(&path(40_000));
    reply.is(414).has("Shorten the filter").has("href=\"/t/Employees/rows\"").lacks("aaaa");
    served.get(&format!("/{}", "a".repeat(40_000))).is(414).has("href=\"/\"").lacks("aaaa");
}

/// Checks that a page is small.
fn is_small(page: &Reply) -> &Reply {
    assert!(page.is(200).text.len() < 100_000, "{} bytes", page.text.len());
    page
}

#[test]
fn pages_of_large_entities_are_small() {
    let key = "\"<".repeat(200);
    let many = (0..240).map(|at| (format!("{}{at:03}", "N".repeat(200)), "\"'<".repeat(100)));
    let entity = Entity { properties: many.collect(), ..Entity::new("Sales", &*key) };
    let store = store([entity]);
    let path = format!("/t/Employees/e?{}", form(&[("pk", "Sales"), ("rk", &key)]));
    for served in [Served::read_only(&store), Served::writable(&store)] {
        let page = served.get(&path);
        is_small(&page).has("more properties, which would make the page too large");
        let name = format!("{}239", "N".repeat(200));
        let mut asked = page.form("/e/value");
        asked.set("name", &name);
        let fields: Vec<_> =
            asked.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        served.get(&format!("{}?{}", asked.action, form(&fields))).is(200).has("&quot;'&lt;");
    }
}

#[test]
fn a_large_value_is_shown_in_part_and_changed_in_full() {
    let text = "<&>\"'".repeat(6_500);
    let data = vec![7; 60_000];
    let store = store([Entity::new("Sales", "1").with("Text", text.as_str()).with("Data", data)]);
    let served = Served::writable(&store);
    let path = "/t/Employees/e/value?pk=Sales&rk=1&name=";
    for name in ["Text", "Data"] {
        let page = served.get(&format!("{path}{name}"));
        is_small(&page).has("This is the start of the value").has("download=1").lacks("Save");
    }
    assert_eq!(served.get(&format!("{path}Text&download=1")).text, text);
    let page = served.get(&format!("{path}Text&edit=1"));
    let changed = format!("{text}.");
    served
        .submit(&page, "/save", |form| {
            form.property("Text", None, &changed);
        })
        .is(303);
    assert_eq!(row(&store, "1").unwrap().properties.get("Text"), Some(&changed.into()));
}

#[test]
fn columns_are_shown_once() {
    let served = Served::read_only(&store([Entity::new("Sales", "1").with("A", 1)]));
    let path = "/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27&columns=";
    let reply = served.get(&format!("{path}A{}", ",B,A".repeat(1_000)));
    let to = reply.is(303).header("location").unwrap().to_owned();
    assert!(to.ends_with("&columns=A%2CB"), "{to}");
    is_small(&served.get(&to));
    let names: Vec<String> = (0..50).map(|at| format!("C{at}")).collect();
    let reply = served.get(&format!("{path}{}", names.join(",")));
    served.get(reply.is(303).header("location").unwrap()).is(200).has("At most 40 columns").lacks("C40");
}

#[test]
fn a_page_of_a_large_basket_is_small() {
    let keys: Vec<String> = (0..100).map(|at| format!("{}{at:03}", "\"".repeat(200))).collect();
    let store = store(keys.iter().map(|key| Entity::new("Sales", &**key).with("Age", 1)));
    let served = Served::writable(&store);
    let rows: Vec<String> = keys.iter().map(|key| form(&[("pk", "Sales"), ("rk", key)])).collect();
    let mut fields: Vec<(&str, &str)> = rows.iter().map(|row| ("row", row.as_str())).collect();
    fields.extend([("table", "Employees"), ("do", "delete")]);
    served.post("/basket", &fields).is(303);
    let page = served.get("/basket");
    is_small(&page).has("100 of 100 operations").has("more changes, which would make the page too large");
    served
        .submit(&page, "/basket", |form| {
            form.set("do", "commit");
        })
        .is(303);
    assert!(keys.iter().all(|key| row(&store, key).is_none()));
}

//! Pages that read.

use table_model::Entity;

use crate::{client::Served, store};

fn employees() -> impl Iterator<Item = Entity> {
    (0..250).map(|id| Entity::new("Sales", format!("{id:03}")).with("Age", id))
}

#[test]
fn a_read_only_explorer_has_no_way_to_write() {
    let store = store(employees().take(3));
    let served = Served::read_only(&store);
    for path in [
        "/",
        "/t/Employees",
        "/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27",
        "/t/Employees/e?pk=Sales&rk=001",
    ] {
        let page = served.get(path);
        page.is(200)
            .has("Read-only")
            .lacks("form-token")
            .lacks("method=\"post\"")
            .lacks("Delete")
            .lacks("disabled");
    }
    for path in [
        "/t/Employees/new",
        "/t/Employees/e/key?pk=Sales&rk=001",
        "/t/Employees/e/delete?pk=Sales&rk=001",
        "/basket",
    ] {
        served.get(path).is(403).has("Start the explorer with --write").lacks("method=\"post\"").lacks("Age");
    }
}

#[test]
fn rows_are_paged_by_their_token() {
    let served = Served::read_only(&store(employees()));
    let first = served.get("/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27");
    first.is(200).has("<b>100</b> rows").has("rk=099").lacks("rk=100");
    let (_, next) = first.text.split_once("rel=\"next\"").unwrap();
    let next = next.split_once("href=\"").unwrap().1.split('"').next().unwrap();
    served.get(&next.replace("&amp;", "&")).is(200).has("rk=100").has("rk=199").lacks("rk=099");
}

#[test]
fn a_scan_requires_consent() {
    let served = Served::read_only(&store(employees()));
    let path = "/t/Employees/rows?filter=Age%20eq%207";
    served.get(path).is(200).has("name=\"scan\"").lacks("rk=007");
    served.get(&format!("{path}&scan=1")).is(200).has("rk=007");
}

#[test]
fn a_page_of_rows_with_long_keys_is_small() {
    let long = |at| Entity::new("Sales", format!("{at:03}{}", "\u{e9}".repeat(400)));
    let served = Served::writable(&store((0..150).map(long)));
    let page = served.get("/t/Employees/rows?filter=PartitionKey%20eq%20%27Sales%27");
    assert!(page.text.len() < 100_000, "{}", page.text.len());
    page.is(200).has("more would exceed the 100 KB of a page");
}

#[test]
fn the_page_of_a_large_entity_is_small() {
    let large = (0..252).map(|at| (format!("P{at}"), "\u{1}".repeat(2_000))).collect();
    let served = Served::read_only(&store([Entity { properties: large, ..Entity::new("Sales", "1") }]));
    let page = served.get("/t/Employees/e?pk=Sales&rk=1");
    assert!(page.text.len() < 100_000, "{}", page.text.len());
    page.is(200).has("name=P251");
}

#[test]
fn values_stay_text() {
    let hostile = "<script>alert(1)</script>\u{202e}\u{0}\"'&";
    let served = Served::read_only(&store([Entity::new("a\"<b>\u{202e}", "&amp;").with("Text", hostile)]));
    let page = served.get("/t/Employees/e?pk=a%22%3Cb%3E%E2%80%AE&rk=%26amp%3B");
    page.is(200).has("&lt;script&gt;").has("&amp;amp;").lacks("<script>").lacks("a\"<b>").lacks("\u{202e}");
}

#[test]
fn what_does_not_exist_is_said_so() {
    let served = Served::read_only(&store([]));
    for path in ["/t/Nothing", "/t/a-b", "/t/Employees/e?pk=a&rk=b", "/nothing", "/a/other/t/Employees"] {
        served.get(path).is(404);
    }
    served.get("/t/Employees/e?pk=a").is(400);
    served.get("/t/Employees").is(200).has("The table is empty");
}

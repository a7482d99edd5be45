//! Signed URLs.

use table_explorer::{Explorer, Place};
use table_store::Store;

use crate::{client::Served, store};

const KEY: &str = "c2VjcmV0IGtleSBvZiB0aGUgYWNjb3VudCBvZiB0aGUgdGVzdHM=";

fn place(store: &Store) -> Place {
    let connection = format!("AccountName=acme;AccountKey={KEY};EndpointSuffix=core.windows.net");
    Place::of_store("acme", store.clone()).connection(connection.parse().unwrap())
}

#[test]
fn a_url_is_signed_to_read_for_an_hour() {
    let place = place(&store([]));
    assert!(!format!("{place:?}").contains(KEY));
    let served = Served::start(Explorer::new(place));
    let page = served.get("/sas");
    page.is(200).has("Read entities").lacks("Delete entities").has("--write").lacks(KEY);
    let signed = served.submit(&page, "/sas", |form| {
        form.set("table", "Employees").set("spk", "Sales").set("srk", "1");
    });
    signed
        .is(200)
        .has("https://acme.table.core.windows.net/Employees?sv=")
        .has("sp=r&amp;")
        .has("spr=https&amp;")
        .has("spk=Sales")
        .has("sig=")
        .has("Read entities of Employees")
        .lacks(KEY);
    served.get("/sas").lacks("sig=");
}

#[test]
fn refused_terms_are_not_signed() {
    let served = Served::start(Explorer::new(place(&store([]))));
    let page = served.get("/sas");
    for (field, value, reason) in [
        ("srk", "1", "a RowKey requires the PartitionKey"),
        ("permission", "d", "requires an explorer with --write"),
        ("expiry", "2001-01-01T00:00:00Z", "the expiry is over"),
        ("table", "no table", "is not a table name"),
    ] {
        let refused = served.submit(&page, "/sas", |form| {
            form.set("table", "Employees").set(field, value);
        });
        refused.is(200).has(reason).lacks("sig=");
    }
    let writable = Served::start(Explorer::new(place(&store([]))).writable(true));
    let signed = writable.submit(&writable.get("/sas"), "/sas", |form| {
        form.set("table", "Employees").set("permission", "d");
    });
    signed.has("sp=d&amp;").has("Delete entities of Employees");
}

#[test]
fn a_store_file_has_no_account() {
    let served = Served::read_only(&store([]));
    served.get("/").lacks("/sas");
    served.get("/sas").is(200).has("A store file has no account").lacks("<form class=\"card");
}

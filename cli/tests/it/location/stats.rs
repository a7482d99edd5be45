//! The contents of a store.

use std::fs;

use serde_json::json;
use table_store::Entity;

use crate::location::{Company, tables};

#[test]
fn what_there_is_is_listed_without_reading_it() {
    let company = Company::new();
    let listed = company.call(&["stats"]);
    assert_eq!(listed.code, 0);
    let (first, rest) = listed.out.split_once('\n').unwrap();
    assert!(first.ends_with(" bytes, 1 table, 1 queue, 1 container"), "{first}");
    let words: Vec<&str> = rest.split_whitespace().collect();
    assert_eq!(words, ["table", "Employees", "queue", "messages", "work", "1", "container", "photos"]);

    let object = company.call(&["stats", "--json"]).json();
    assert_eq!(object["tables"], json!([{ "name": "Employees" }]));
    assert_eq!(object["queues"], json!([{ "name": "work", "messages": 1 }]));
    assert_eq!(object["containers"], json!([{ "name": "photos" }]));
    assert!(object["file_bytes"].as_u64().unwrap() > 10_000);
}

#[test]
fn a_scan_counts_entities_partitions_bytes_and_properties() {
    let company = Company::new();
    let object = company.call(&["stats", "--scan", "--json"]).json();
    assert_eq!(object["containers"], json!([{ "name": "photos", "blobs": 1, "bytes": 5_000 }]));
    let [table] = object["tables"].as_array().unwrap().as_slice() else { panic!("{object}") };
    assert_eq!(table["entities"], 250);
    assert_eq!(table["partitions"], 2);
    let size = |partition| Entity::new(partition, "0000").with("Age", 20).size();
    let jos = 2 * Entity::new("", "").with("Name", "Jo").with("Salary", 7_i64).size()
        - 2 * Entity::new("", "").size();
    assert_eq!(table["bytes"], 50 * size("Marketing") + 200 * size("Sales") + jos);
    assert_eq!(table["largest_partitions"][0]["partition_key"], "Sales");
    assert_eq!(table["largest_partitions"][1]["entities"], 50);
    assert_eq!(
        table["properties"],
        json!([
            { "name": "Age", "entities": 250, "types": { "Edm.Int32": 250 } },
            { "name": "Name", "entities": 2, "types": { "Edm.String": 2 } },
            { "name": "Salary", "entities": 2, "types": { "Edm.Int64": 2 } },
        ])
    );

    let shown = company.call(&["stats", "Employees", "--scan"]);
    assert!(shown.out.starts_with("Employees: 250 entities in 2 partitions, "), "{}", shown.out);
    assert!(shown.out.contains("largest partitions") && shown.out.contains("Edm.Int64"), "{}", shown.out);
    assert_eq!(company.call(&["stats", "Employees"]).code, 2, "a table is only read");
}

#[test]
fn damaged_pages_are_counted_and_named_with_the_remedy() {
    let company = Company::new();
    assert_eq!(company.call(&["stats", "--scan", "--json"]).json()["damaged_pages"], 0);
    let mut bytes = fs::read(company.path()).unwrap();
    let at = bytes.windows(4).position(|window| window == b"0123").unwrap();
    bytes[at] ^= 1;
    fs::write(company.path(), &bytes).unwrap();

    let listed = company.call(&["stats", "--json"]);
    assert_eq!((listed.code, &listed.json()["damage"]), (0, &json!([])), "the page is not read");
    let scanned = company.call(&["stats", "--scan", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&scanned.out).unwrap();
    assert_eq!((scanned.code, &object["damaged_pages"]), (1, &1.into()), "{scanned:?}");
    // The rows of all other pages, as a scrub and a salvage count them.
    let verified: serde_json::Value = serde_json::from_str(&company.call(&["scrub", "--json"]).out).unwrap();
    let count = verified["entities"].as_u64().unwrap();
    assert!((100..250).contains(&count), "{verified}");
    assert_eq!(object["tables"], json!([{ "name": "Employees", "entities_at_least": count }]));
    assert_eq!(object["containers"][0]["blobs"], 1, "the rest is counted");
    let sound = company.file("sound.tables");
    assert_eq!(company.call(&["salvage", sound.to_str().unwrap()]).code, 1);
    let salvaged = tables(&["scrub", "--json", "--store", sound.to_str().unwrap()]).json();
    assert_eq!(
        (&salvaged["entities"], &salvaged["entities_by_table"]),
        (&count.into(), &verified["entities_by_table"])
    );
    let unread = object["damage"][0].as_str().unwrap();
    let page = format!("the page at byte {} of the file", at / 4096 * 4096);
    assert!(unread.starts_with("table Employees: ") && unread.contains(&page), "{unread}");

    for arguments in [&["stats", "--scan"][..], &["stats", "Employees", "--scan"]] {
        let shown = company.call(arguments);
        assert_eq!(shown.code, 1);
        assert!(shown.out.contains("DAMAGED: at least 1 page;"), "{}", shown.out);
        assert!(shown.out.contains(&format!("at least {count}")), "{}", shown.out);
        for part in ["rejects writes", "`tables scrub`", "`tables salvage`", &page] {
            assert!(shown.out.contains(part), "{part}: {}", shown.out);
        }
    }
    assert!(fs::read(company.path()).unwrap() == bytes);
}

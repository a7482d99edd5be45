//! Soft deletes that a design adds or removes.

use std::fs;

use table_patterns::prelude::*;

use super::{declared::joined, text};
use crate::location::tables;

const PLAIN: &str = r#"
tables = 1
design = "shop"
[entity.Customer]
table = "Customers"
partition = "{shop}"
row = "c_{id:06}"
entity_type = "always"
index.by_mail = { row = "m_{mail}", unique = true }
[entity.Customer.fields]
shop = "string"
id = "u32"
mail = "string"
deleted = "datetime?"
"#;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Customers", partition = "{shop}", row = "c_{id:06}", soft_delete = deleted)]
#[table(index(by_mail, row = "m_{mail}", unique))]
struct Customer {
    shop: String,
    id: u32,
    mail: String,
    deleted: Option<Timestamp>,
}

mod plain {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Customers", partition = "{shop}", row = "c_{id:06}")]
    #[table(index(by_mail, row = "m_{mail}", unique))]
    pub(super) struct Customer {
        pub(super) shop: String,
        pub(super) id: u32,
        pub(super) mail: String,
        pub(super) deleted: Option<Timestamp>,
    }
}

#[test]
fn index_rows_follow_the_field_of_soft_deletes() {
    let folder = tempfile::tempdir().unwrap();
    let [store, plain, soft] =
        ["shop.tables", "plain.toml", "soft.toml"].map(|name| folder.path().join(name));
    fs::write(&plain, PLAIN).unwrap();
    fs::write(&soft, PLAIN.replace("\nindex", "\nsoft_delete = \"deleted\"\nindex")).unwrap();
    let opened = Tables::open(&store).unwrap();
    let customer = |id| Customer { shop: "a".into(), id, mail: "jo@x".into(), deleted: None };
    opened.blocking().insert(&customer(1)).unwrap();
    opened.blocking().soft_delete(Customer::point("a", 1)).unwrap();
    opened.blocking().insert(&customer(2)).unwrap();
    drop(opened);
    let run = |words: &[&str], design| {
        let done = tables(&[words, &["--design", text(design), "--store", text(&store)]].concat());
        (done.code, joined(&done.out), joined(&done.errors))
    };

    let remove = ["migrate", "--from", text(&soft)];
    assert_eq!(run(&remove, &plain).0, 3);
    let (code, _, errors) = run(&[&remove[..], &["--done", "1"]].concat(), &plain);
    assert_eq!(code, 1, "{errors}");
    let open = "step 1 is not done: 1 entity of `Customer` remains soft-deleted; `purge` or `undelete` them";
    assert!(errors.contains(open), "{errors}");
    assert_eq!(run(&["expire", "Customer", "--purge", "0s"], &soft).0, 0);
    assert_eq!(run(&[&remove[..], &["--done", "1"]].concat(), &plain).0, 3);
    let (code, out, errors) = run(&[&remove[..], &["--done", "2"]].concat(), &plain);
    assert!(code == 0 && out.contains("1 entity, 1 index row, no differences"), "{out}{errors}");

    // The field exists: entities that have a value become soft-deleted, and lose their index rows.
    let add = ["migrate", "--from", text(&plain)];
    let opened = Tables::open(&store).unwrap();
    let closed =
        plain::Customer { shop: "a".into(), id: 3, mail: "al@x".into(), deleted: Some(Timestamp::now()) };
    opened.blocking().insert(&closed).unwrap();
    drop(opened);
    assert_eq!(run(&add, &soft).0, 3);
    let (code, out, errors) = run(&[&add[..], &["--done", "1"]].concat(), &soft);
    assert!(code == 0 && out.contains("no differences"), "{out}{errors}");
}

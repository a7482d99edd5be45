//! Our client against our server over TLS.

use std::{fs, process::Command};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use table_store::{Entity, Operation, Store, TableName};

use crate::serve::process::{BINARY, Running};

#[test]
fn the_client_believes_the_authorities_it_is_told_of_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed([String::from("localhost"), String::from("127.0.0.1")]).unwrap();
    fs::write(path("cert.pem"), cert.pem()).unwrap();
    fs::write(path("key.pem"), signing_key.serialize_pem()).unwrap();
    let table: TableName = "Employees".parse().unwrap();
    let store = Store::open(path("devstoreaccount1.tables")).unwrap().blocking();
    store.create_table(&table).unwrap();
    store.execute(&table, Operation::Insert(Entity::new("Sales", "empid_000223").with("Age", 34))).unwrap();
    store.close().unwrap();
    drop(store);

    let data = folder.path().display().to_string();
    let server = Running::start(&["--data", &data, "--cert", &path("cert.pem"), "--key", &path("key.pem")]);
    assert!(server.word("table").starts_with("https://"));
    let export = |roots: Option<String>| {
        let mut command = Command::new(BINARY);
        command.args(["export", "Employees", "--format", "jsonl"]);
        command.env("TABLES_STORE", server.word("connect")).env_remove("SSL_CERT_FILE");
        command.envs(roots.map(|roots| ("SSL_CERT_FILE", roots))).output().unwrap()
    };
    let believed = export(Some(path("cert.pem")));
    let [out, err] = [&believed.stdout, &believed.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(believed.status.success(), "{err}");
    assert!(out.contains(r#""RowKey":"empid_000223""#), "{out}");

    let refused = export(None);
    let err = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    let address = server.word("table");
    assert!(err.contains(&format!("cannot connect to {address}: invalid peer certificate")), "{err}");
    assert!(err.contains("SSL_CERT_FILE=ca.pem") && !err.contains("ServerBusy"), "{err}");
}

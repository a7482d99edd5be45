//! Backups that are killed, and that run at the same time.

use std::{
    fs,
    process::{Child, Command, Stdio},
    thread,
};

use table_store::blob::{BlobAddress, PutBlob};

use crate::location::{Company, text};

/// Creates a store whose backup takes a while.
fn large() -> Company {
    let company = Company::new();
    let store = company.open();
    for number in 0..8 {
        let blob = BlobAddress::new("photos", format!("large {number}")).unwrap();
        store.put_blob(&blob, vec![number; 4 << 20].into(), PutBlob::new()).unwrap();
    }
    store.close().unwrap();
    company
}

fn unfinished(company: &Company) -> Vec<String> {
    let names = fs::read_dir(company.file("")).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with(".copy.tables.")).collect()
}

/// Starts a backup, and returns it when its file exists, unless it is faster.
fn start(company: &Company) -> Child {
    let before = unfinished(company).len();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tables"));
    command.args(["backup", text(&company.file("copy.tables")), "--store", text(&company.path())]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while unfinished(company).len() == before && child.try_wait().unwrap().is_none() {
        thread::yield_now();
    }
    child
}

#[test]
fn the_file_of_a_killed_backup_is_deleted_by_the_next_one() {
    let company = large();
    while unfinished(&company).is_empty() {
        let mut child = start(&company);
        child.kill().unwrap();
        child.wait().unwrap();
        // It was complete before.
        let _ = fs::remove_file(company.file("copy.tables"));
    }
    company.call(&["backup", text(&company.file("copy.tables")), "--json"]).json();
    assert_eq!(unfinished(&company), [""; 0]);
    assert_eq!(company.call(&["scrub", "--json"]).json()["blobs"], 9);
}

#[cfg(unix)]
#[test]
fn the_file_of_a_running_backup_is_kept() {
    let send = |child: &Child, signal: &str| {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    };
    let company = large();
    let child = loop {
        let mut child = start(&company);
        send(&child, "-STOP");
        if !unfinished(&company).is_empty() && !company.file("copy.tables").exists() {
            break child;
        }
        // It was complete before.
        send(&child, "-CONT");
        child.wait().unwrap();
        let _ = fs::remove_file(company.file("copy.tables"));
    };
    let stopped = unfinished(&company);
    company.call(&["backup", text(&company.file("copy.tables")), "--json"]).json();
    assert_eq!(unfinished(&company), stopped);
    send(&child, "-CONT");
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(1) && errors.contains("already exists"), "{errors}");
    assert_eq!(unfinished(&company), [""; 0]);
}

//! `tables copy` between files and servers.

use std::{
    fmt::Write,
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use super::{
    Company,
    secrets::{CANARY, echo},
    served::Server,
    tables, text,
};

/// Writes a file with rows to import, in partitions of 50.
fn rows(path: &Path, numbers: std::ops::Range<u32>, age: u32) {
    let mut lines = "PartitionKey,RowKey,Age,Age@type\n".to_owned();
    for number in numbers {
        writeln!(lines, "p{:04},{number:06},{age},Int32", number / 50).unwrap();
    }
    fs::write(path, lines).unwrap();
}

fn import(company: &Company, store: &str, numbers: std::ops::Range<u32>, age: u32) {
    let file = company.file("rows.csv");
    rows(&file, numbers, age);
    let imported = tables(&["import", text(&file), "--table", "Employees", "--store", store]);
    assert_eq!(imported.code, 0, "{imported:?}");
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tables"));
    command.arg("copy").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn an_account_is_copied_from_file_to_server_to_file() {
    let (first, second, company) = (Company::new(), Company::new(), Company::new());
    let path = company.path();
    import(&company, text(&path), 0..1_000, 7);
    import(&second, text(&second.path()), 990..1_010, 8);
    let server = Server::of(&second);

    let to_server = ["copy", text(&path), &server.connection];
    let copied = tables(&to_server);
    assert_eq!(copied.code, 1, "{copied:?}");
    assert!(
        copied.out.contains(
            "table Employees: 1250 rows, 990 missing, 10 different, 10 extra; 1000 written, 10 not\n"
        )
    );
    assert!(copied.out.contains("\n  extra     (PartitionKey='p0020',RowKey='001000')\n"), "{}", copied.out);
    assert!(
        copied.out.contains("queue work: 1 message, 1 missing; 0 written, 1 not\n  missing   1 message\n")
    );
    assert!(copied.out.contains("container photos: 1 blob, equal\n"), "{}", copied.out);

    let copied = tables(&[&to_server[..], &["--delete-extra", "--move-messages"]].concat());
    assert_eq!(copied.code, 0, "{copied:?}");
    assert!(copied.errors.contains("source and target are equal"), "{}", copied.errors);
    assert_eq!(tables(&[&to_server[..], &["--compare"]].concat()).code, 0);

    let back = first.file("back.tables");
    let from_server = ["copy", &server.connection, text(&back), "--only", "tables,blobs", "--json"];
    let object = tables(&from_server).json();
    assert_eq!((&object["equal"], &object["tables"][0]["missing"]), (&true.into(), &1_250.into()));
    assert_eq!(object["containers"][0]["resolved"], 2);
    let compared = tables(&["copy", text(&path), text(&back), "--dry-run", "--only", "tables,blobs"]);
    assert_eq!(compared.code, 0, "{compared:?}");
}

#[test]
fn a_copy_that_was_killed_is_continued() {
    let (company, target) = (Company::new(), Company::new());
    let path = company.path();
    import(&company, text(&path), 0..20_000, 7);
    let server = Server::of(&target);
    for milliseconds in [20, 60, 100, 140, 180] {
        let mut child = start(&[text(&path), &server.connection, "--table", "Employees"]);
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let copied = tables(&["copy", text(&path), &server.connection, "--table", "Employees"]);
    assert_eq!(copied.code, 0, "{copied:?}");
    let object =
        tables(&["copy", text(&path), &server.connection, "--compare", "--json", "-t", "Employees"]).json();
    assert_eq!((&object["equal"], &object["tables"][0]["read"]), (&true.into(), &20_250.into()));
}

#[cfg(unix)]
#[test]
fn a_copy_follows_writers_until_a_signal() {
    let (company, target) = (Company::new(), Company::new());
    let server = Server::of(&company);
    let to = target.file("followed.tables");
    let arguments = [&server.connection, text(&to), "--follow", "--delete-extra", "--move-messages"];
    let mut child = start(&arguments);
    for round in 0..6 {
        import(&company, &server.connection, round * 200..round * 200 + 400, round);
    }
    // The last writer has ended.
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let object = tables(&["copy", &server.connection, text(&to), "--compare", "--json"]).json();
    assert_eq!((&object["equal"], &object["tables"][0]["read"]), (&true.into(), &1_650.into()));
}

#[test]
fn invalid_pairs_of_locations_are_rejected() {
    let company = Company::new();
    let path = company.path();
    let same = tables(&["copy", text(&path), text(&path)]);
    assert_eq!((same.code, same.errors.contains("are the same")), (2, true), "{same:?}");
    let followed = tables(&["copy", text(&path), text(&company.file("to.tables")), "--follow"]);
    assert_eq!((followed.code, followed.errors.contains("omit --follow")), (2, true), "{followed:?}");
    assert!(!company.file("to.tables").exists());
    let missing = tables(&["copy", text(&company.file("no.tables")), text(&company.file("to.tables"))]);
    assert_eq!((missing.code, company.file("to.tables").exists()), (1, false), "{missing:?}");
}

#[test]
fn a_copy_shows_no_credentials() {
    let (company, port) = (Company::new(), echo());
    let path = company.path();
    for place in [
        format!("http://127.0.0.1:{port}/acme?sv=2019-02-02&sig={CANARY}"),
        format!("TableEndpoint=http://127.0.0.1:{port}/acme;AccountName=acme;AccountKey={CANARY}"),
        format!("AccountNam=acme;AccountKy={CANARY}"),
    ] {
        for arguments in [[text(&path), &place], [&place, text(&path)], [&place, &place]] {
            let answer = tables(&[&["copy"][..], &arguments, &["--only", "tables"]].concat());
            assert_ne!(answer.code, 0, "{answer:?}");
            assert!(!answer.out.contains(CANARY) && !answer.errors.contains(CANARY), "{answer:?}");
        }
    }
}

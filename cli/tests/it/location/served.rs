//! The same commands over the protocol.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use table_rest::{
    ServiceKind,
    auth::sas::Sas,
    connection::{ConnectionString, Credential},
};
use table_store::Timestamp;

use crate::location::{Company, tables};

/// A running server, stopped when it is dropped.
pub(super) struct Server {
    child: Child,
    pub(super) connection: String,
}

impl Server {
    pub(super) fn of(company: &Company) -> Self {
        std::fs::rename(company.path(), company.file("devstoreaccount1.tables")).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_tables"))
            .args(["serve", "--table-port", "0", "--queue-port", "0", "--blob-port", "0", "--data"])
            .arg(company.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut connection = String::new();
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            match line.split_once(' ') {
                Some(("connect", rest)) => rest.trim().clone_into(&mut connection),
                Some(("ready", _)) => break,
                _ => {}
            }
        }
        Self { child, connection }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The token of a server contains characters that a shell interprets.
#[cfg(unix)]
#[test]
fn a_printed_continuation_can_be_pasted_into_a_shell() {
    let company = Company::new();
    let server = Server::of(&company);
    let query = ["query", "Employees", "--partition", "Sales", "--top", "2", "--store", &server.connection];
    let first = tables(&query);
    let (_, pasted) = first.errors.split_once("more entities exist: ").unwrap();
    let binary = env!("CARGO_BIN_EXE_tables");
    let line = format!("'{binary}' query Employees --partition Sales --top 1 --json {pasted}");
    let next =
        Command::new("sh").args(["-c", &line]).env("TABLES_STORE", &server.connection).output().unwrap();
    let next = String::from_utf8(next.stdout).unwrap();
    assert!(next.contains("\"RowKey\":\"0002\""), "{first:?} {next}");
}

/// With the table in its path, as the service accepts the URL, and without it.
#[test]
fn the_signed_url_of_a_table_is_a_location() {
    let server = Server::of(&Company::new());
    let connection: ConnectionString = server.connection.parse().unwrap();
    let Credential::Key(account, key) = connection.credential() else { panic!("no key") };
    let expiry = Timestamp::now().saturating_add(Duration::from_secs(600));
    let token = Sas::table("Employees", "r").expiry(expiry).sign(account, key).unwrap();
    let endpoint = connection.endpoint(ServiceKind::Table).unwrap();
    for url in [format!("{endpoint}/Employees?{token}"), format!("{endpoint}?{token}")] {
        let found = tables(&["query", "Employees", "--partition", "Sales", "--row", "0007", "--store", &url]);
        assert!(found.code == 0 && found.out.contains("0007"), "{found:?}");
    }
}

#[test]
fn a_design_is_held_against_a_server_as_against_a_file() {
    let company = Company::new();
    let design = company.file("company.toml");
    let text = "tables = 1\n[entity.Employee]\ntable = \"Employees\"\npartition = \"{department}\"\nrow = \"{id:04}\"\n\
                [entity.Employee.fields]\ndepartment = \"string(20)\"\nid = \"u32\"\nage = { type = \"i32\", rename = \"Age\" }\n";
    std::fs::write(&design, text).unwrap();
    let observed = |place: &str| {
        let arguments = [
            "advise",
            crate::location::text(&design),
            "--servers",
            "1",
            "--format",
            "json",
            "--observe",
            place,
        ];
        let mut report = tables(&arguments).json();
        let mut observed = report["observed"].take();
        observed.as_object_mut().unwrap().retain(|name, _| name != "place");
        (observed, report)
    };
    let of_file = observed(crate::location::text(&company.path()));
    let server = Server::of(&company);
    assert_eq!(of_file, observed(&server.connection));
    assert_eq!(of_file.0["entities"]["Employee"]["entities"], 250);
}

#[test]
fn a_server_is_queried_and_counted_as_a_file_is() {
    let company = Company::new();
    let objects = |call: &dyn Fn(&[&str]) -> crate::location::Answer| {
        let mut stats = call(&["stats", "--scan", "--json"]).json();
        let members = stats.as_object_mut().unwrap();
        members
            .retain(|name, _| !["place", "file_bytes", "damaged_pages", "damage"].contains(&name.as_str()));
        let keys = ["--partition", "Sales", "--row", "0007", "--json"];
        let query = call(&[&["query", "Employees"], &keys[..]].concat()).lines();
        (stats, query, call(&["query", "Employees", "--scan", "--json"]).lines())
    };
    let of_file = objects(&|arguments| company.call(arguments));
    let server = Server::of(&company);
    let place = ["--store", server.connection.as_str()];
    let of_server = objects(&|arguments| tables(&[arguments, &place].concat()));
    assert_eq!(of_file, of_server);

    // The number of examined entities is not reported here.
    let answer =
        tables(&[&["query", "Employees", "--partition", "Sales", "--row", "0007"], &place[..]].concat());
    assert!(answer.errors.ends_with("1 entity, 1 request\n"), "{answer:?}");
}

/// The listener closes each connection before TLS is established, so that the number of attempts is known. A library would
/// try five times, within seven seconds.
#[test]
fn a_command_that_reaches_no_server_tries_at_most_twice() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let attempts = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&attempts);
    thread::spawn(move || {
        for connection in listener.incoming() {
            counted.fetch_add(1, Ordering::SeqCst);
            drop(connection);
        }
    });
    let key = "c2VjcmV0LWNhbmFyeS1rZXktdGhhdC1pcy1sb25nLWVub3VnaA==";
    let store = format!("AccountName=acme;AccountKey={key};TableEndpoint=https://{address}/acme");
    let answer = tables(&["query", "Employees", "--partition", "Sales", "--row", "1", "--store", &store]);
    assert_eq!(answer.code, 1, "{answer:?}");
    let expected = format!("cannot connect to https://{address}/acme: ");
    assert!(answer.errors.contains(&expected), "{}", answer.errors);
    assert!((1..=2).contains(&attempts.load(Ordering::SeqCst)), "{attempts:?}");
}

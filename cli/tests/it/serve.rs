//! The command itself: started, accessed over sockets, and stopped.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a helper of a test fails as a test does")]

pub(crate) mod client;
#[cfg(feature = "otlp")]
mod otlp;
pub(crate) mod process;
mod record;
mod telemetry;
mod tls;

use std::{fs, path::Path, process::Command, sync::mpsc, thread};

use table_rest::{ServiceKind, connection::ConnectionString};
use table_store::{Entity, Operation, Query, Store, Timestamp};

use self::{client::Client, process::Running};

/// Free ports, and no lines of slow requests: a busy machine is slow.
const FREE: [&str; 8] = ["--table-port", "0", "--queue-port", "0", "--blob-port", "0", "--slow-ms", "0"];

/// A key that must not be shown, and the account that has it.
const SECRET: &str = "c2VjcmV0LWNhbmFyeS1rZXktdGhhdC1pcy1sb25nLWVub3VnaA==";
const COMPANY: &str = "company:c2VjcmV0LWNhbmFyeS1rZXktdGhhdC1pcy1sb25nLWVub3VnaA==";

/// Returns the exit code and the last output line of a run that fails to start.
fn refused(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(process::BINARY).arg("serve").args(arguments).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn it_says_where_it_is_and_ends_in_peace() {
    for signal in ["-TERM", "-INT"] {
        let running = Running::start(&["--in-memory"]);
        let connection: ConnectionString = running.word("connect").parse().unwrap();
        for kind in ServiceKind::ALL {
            assert_eq!(connection.endpoint(kind), Some(running.word(kind.as_str())));
            assert!(running.word(kind.as_str()).starts_with("http://127.0.0.1:"));
        }
        assert!(
            running
                .word("connect")
                .starts_with("DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;")
        );
        assert_eq!(running.signal(signal), Some(0));
    }
}

#[test]
fn what_is_stored_is_there_after_a_restart_and_for_nobody_else() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("made/data");
    let arguments = ["--data", data.to_str().unwrap()];
    let running = Running::start(&arguments);
    let mut client = Client::new(&running);
    client.create_table("people");
    client.insert("people", "a", "1");
    assert_eq!(running.signal("-TERM"), Some(0));

    let running = Running::start(&arguments);
    assert!(Client::new(&running).has("people", "a", "1"));
    let (code, words) = refused(&[&arguments[..], &FREE].concat());
    assert_eq!(code, Some(1));
    assert!(words.contains("another process"), "{words}");
    assert_eq!(running.signal("-TERM"), Some(0));

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&data), 0o700);
        assert_eq!(mode(&data.join("devstoreaccount1.tables")), 0o600);
    }
}

/// Several clients write as fast as possible, the process is killed in the middle, and all writes with response 204
/// exist.
#[test]
fn a_kill_loses_nothing_that_was_acknowledged() {
    const CLIENTS: usize = 4;
    const ROUNDS: usize = 3;
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--data", directory.path().to_str().unwrap()];
    let mut acknowledged = Vec::new();
    for round in 0..ROUNDS {
        let running = Running::start(&arguments);
        Client::new(&running).create_table("rows");
        let (acknowledge, answers) = mpsc::channel();
        let writers: Vec<_> = (0..CLIENTS)
            .map(|writer| {
                let (mut client, acknowledge) = (Client::new(&running), acknowledge.clone());
                thread::spawn(move || {
                    let partition = format!("{round}-{writer}");
                    for row in (0..).map(|row: u32| format!("{row:08}")) {
                        match client.try_insert("rows", &partition, &row) {
                            Some(204) => drop(acknowledge.send((partition.clone(), row))),
                            _ => break,
                        }
                    }
                })
            })
            .collect();
        drop(acknowledge);
        acknowledged.extend(answers.iter().take(200));
        running.kill();
        acknowledged.extend(answers);
        for writer in writers {
            writer.join().unwrap();
        }
    }
    let running = Running::start(&arguments);
    let mut client = Client::new(&running);
    for (partition, row) in &acknowledged {
        assert!(client.has("rows", partition, row), "{partition} {row} was acknowledged");
    }
    assert!(acknowledged.len() >= 200 * ROUNDS);
}

/// A test suite deletes a table and creates it again. The process is killed while the old rows are being removed.
#[test]
fn old_rows_never_come_back_into_a_table_that_is_created_again() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--data", directory.path().to_str().unwrap()];
    let rows = 0..300;
    for round in 0..3 {
        let running = Running::start(&arguments);
        let mut client = Client::new(&running);
        client.create_table("people");
        let partition = round.to_string();
        rows.clone().for_each(|row| client.insert("people", &partition, &format!("{row:04}")));
        assert_eq!((client.delete_table("people"), client.try_create_table("people")), (204, 204));
        client.insert("people", "new", &partition);
        running.kill();
        let running = Running::start(&arguments);
        let mut client = Client::new(&running);
        assert!(client.has("people", "new", &partition));
        assert!(rows.clone().all(|row| !client.has("people", &partition, &format!("{row:04}"))));
        assert_eq!(running.signal("-TERM"), Some(0));
    }
    let store = Store::open(directory.path().join("devstoreaccount1.tables")).unwrap().blocking();
    store.swept().unwrap();
    let report = store.scrub().unwrap();
    assert_eq!((report.is_sound(), report.tables, report.entities, report.deleted), (true, 1, 1, 0));
}

/// Runs another command, which must succeed.
fn command(arguments: &[&str]) {
    let output = Command::new(process::BINARY).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn row_keys(path: &str) -> Vec<String> {
    let store = Store::open(path).unwrap().blocking();
    let rows = store.query(&"people".parse().unwrap(), Query::new()).unwrap().rows;
    rows.iter().map(|row| row.to_row().row_key.unwrap()).collect()
}

#[test]
fn a_killed_server_is_restored_to_a_time_between_two_writes() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let [data, kept, backup, restored] = ["data", "kept", "base.tables", "restored.tables"].map(path);
    let log = format!("{kept}/devstoreaccount1");
    let arguments = ["--data", &data, "--keep-log", &kept];
    let running = Running::start(&arguments);
    let mut client = Client::new(&running);
    client.create_table("people");
    client.insert("people", "a", "0");
    assert_eq!(running.signal("-TERM"), Some(0));
    command(&["backup", &backup, "--store", &data]);

    let running = Running::start(&arguments);
    let mut client = Client::new(&running);
    client.insert("people", "a", "1");
    let between = Timestamp::now().to_string();
    client.insert("people", "a", "2");
    running.kill();
    command(&["restore", &backup, &restored, "--log", &log, "--to", &between]);
    assert_eq!(row_keys(&restored), ["0", "1"]);
    fs::remove_file(&restored).unwrap();
    command(&["restore", &backup, &restored, "--log", &log]);
    assert_eq!(row_keys(&restored), ["0", "1", "2"]);

    // The log is continued, but not in another folder.
    let other = path("other");
    let (code, words) = refused(&[&["--data", &data, "--keep-log", &other][..], &FREE].concat());
    assert!(code == Some(1) && words.contains("does not exist; put the right files back"), "{words}");
    let running = Running::start(&[&arguments[..], &["--keep-log-limit", "65536"]].concat());
    let mut client = Client::new(&running);
    (0..100).for_each(|row| client.insert("people", "long", &format!("{row:0500}")));
    assert_eq!(running.signal("-TERM"), Some(0));
    let segments = || fs::read_dir(&log).unwrap().map(Result::unwrap);
    let bytes: u64 = segments().map(|segment| segment.metadata().unwrap().len()).sum();
    assert!(bytes < 70_000 && !Path::new(&log).join("00000000000000000001.tables-kept").exists(), "{bytes}");

    // The folder is lost.
    fs::remove_dir_all(&kept).unwrap();
    let (code, words) = refused(&[&arguments[..], &FREE].concat());
    assert!(code == Some(1) && words.contains("--start-new-log"), "{words}");
    let running = Running::start(&[&arguments[..], &["--start-new-log"]].concat());
    Client::new(&running).insert("people", "a", "3");
    assert_eq!(running.signal("-TERM"), Some(0));
    assert_eq!(segments().count(), 1);
}

#[test]
fn a_server_does_not_acknowledge_writes_while_its_kept_log_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let [data, kept, moved] = ["data", "kept", "moved"].map(path);
    let arguments = ["--data", &data, "--keep-log", &kept];
    let running = Running::start(&arguments);
    let mut client = Client::new(&running);
    client.create_table("people");
    client.insert("people", "a", "0");
    fs::rename(&kept, &moved).unwrap();
    assert_eq!(client.try_insert("people", "a", "1"), Some(500));
    assert!(client.has("people", "a", "0") && !client.has("people", "a", "1"));
    fs::rename(&moved, &kept).unwrap();
    client.insert("people", "a", "2");
    fs::remove_dir_all(&kept).unwrap();
    assert_eq!(client.try_insert("people", "a", "3"), Some(500));
    // The stop cannot write either.
    let log = running.stopped_with(1);
    assert!(log.contains("was removed, moved or replaced; put its files back"), "{log}");
    let running = Running::start(&[&arguments[..], &["--start-new-log"]].concat());
    let mut client = Client::new(&running);
    assert!(client.has("people", "a", "2") && !client.has("people", "a", "3"));
    client.insert("people", "a", "4");
    assert_eq!(running.signal("-TERM"), Some(0));
}

#[test]
fn a_damaged_page_is_found_by_the_scrub_and_stops_writes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("devstoreaccount1.tables");
    let store = Store::open(&path).unwrap().blocking();
    let table = "people".parse().unwrap();
    store.create_table(&table).unwrap();
    for row in 0..500 {
        let text = if row == 400 { "in the damaged page".to_owned() } else { "x".repeat(200) };
        let entity = Entity::new("b", format!("{row:04}")).with("Text", text);
        store.execute(&table, Operation::Insert(entity)).unwrap();
    }
    store.close().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        if bytes[at..].starts_with(b"in the damaged page") {
            bytes[at] ^= 1;
        }
    }
    fs::write(&path, bytes).unwrap();

    let arguments = ["--data", directory.path().to_str().unwrap(), "--scrub-rate"];
    let running = Running::start(&[&arguments[..], &["0"]].concat());
    let mut client = Client::new(&running);
    (0..20).for_each(|row| client.insert("people", "a", &format!("{row}")));
    assert_eq!(running.log(), "");

    let running = Running::start(&[&arguments[..], &["1000000000"]].concat());
    let mut client = Client::new(&running);
    let mut rows = 100..1_000_000_u64;
    let found = rows.find(|row| client.try_insert("people", "a", &row.to_string()) == Some(500)).unwrap();
    assert!(client.has("people", "a", "5") && !client.has("people", "a", &found.to_string()));
    let log = running.stopped_with(1);
    assert!(log.contains("the store has damaged pages") && log.contains("tables scrub"), "{log}");
    assert!(log.contains("account=\"devstoreaccount1\"") && log.contains("pages=1"), "{log}");
}

#[test]
fn other_machines_are_not_served_in_the_clear_nor_with_the_known_key() {
    for (arguments, said) in [
        (&["--in-memory", "--host", "0.0.0.0"][..], "is public"),
        (&["--in-memory", "--host", "0.0.0.0", "--cert", "c.pem", "--key", "k.pem"], "is public"),
        (&["--in-memory", "--host", "::", "--account", COMPANY], "over TLS only"),
        (&["--in-memory", "--host", "192.0.2.1", "--account", COMPANY], "over TLS only"),
        (&["--in-memory", "--cert", "no.pem", "--key", "no.pem"], "certificate file"),
        (&["--in-memory", "--log", "no such=level=x"], "invalid log level or filter"),
    ] {
        let (code, words) = refused(arguments);
        assert_eq!(code, Some(1), "{words}");
        assert!(words.starts_with("error: ") && words.contains(said), "{words}");
        assert!(!words.contains(SECRET), "{words}");
    }
}

#[test]
fn a_wrong_command_line_is_said_to_be_wrong_without_its_secrets() {
    for arguments in [
        &[][..],
        &["--in-memory", "--data", "x"],
        &["--in-memory", "--host", "nowhere"],
        &["--in-memory", "--cert", "c.pem"],
        &["--in-memory", "--account", "Company:c2VjcmV0LWNhbmFyeS1rZXk="],
        &["--in-memory", "--account", "company:c2VjcmV0LWNhbmFyeS1rZXk="],
        &["--in-memory", "--no-such-flag"],
        &["--in-memory", "--allow-host", "http://example.com"],
        &["--in-memory", "--allow-host", "example.com:80"],
        &["--in-memory", "--keep-log", "x"],
        &["--data", "x", "--keep-log-limit", "1000000"],
        &["--data", "x", "--scrub-rate", "fast"],
    ] {
        let (code, words) = refused(arguments);
        assert_eq!(code, Some(2), "{words}");
    }
    let help =
        Command::new(process::BINARY).args(["serve", "--help"]).env("TABLES_ACCOUNTS", COMPANY).output();
    let help = String::from_utf8(help.unwrap().stdout).unwrap();
    assert!(help.contains("Examples:") && !help.contains(SECRET), "{help}");
}

#[test]
fn requests_are_logged_and_counted_and_keys_are_not_shown() {
    let running = Running::start(&[
        "--in-memory",
        "--account",
        COMPANY,
        "--metrics-port",
        "0",
        "--log",
        "trace",
        "--log-format",
        "json",
    ]);
    assert!(!running.word("connect").contains(SECRET));
    let mut client = Client::of(&running, "company", SECRET);
    client.create_table("people");
    client.insert("people", "a", "1");
    assert!(client.has("people", "a", "1"));

    // A page whose name was bound to a loopback address.
    assert_eq!(client::status(running.word("metrics"), "Host: example.com\r\n"), 403);

    let log = running.log();
    assert!(log.contains("\"operation\":\"InsertEntity\""), "{log}");
    assert!(log.contains("\"peer\":\"127.0.0.1\""), "{log}");
    assert!(!log.contains(SECRET) && !log.contains("SharedKey"), "{log}");

    // The reason of a rejection is logged by default.
    let running = Running::start(&["--in-memory", "--account", COMPANY]);
    let wrong = "d3Jvbmcta2V5";
    assert_eq!(Client::of(&running, "company", wrong).try_insert("people", "a", "1"), Some(403));
    let log = running.log();
    for part in [
        "WARN",
        "account=\"company\"",
        "peer=127.0.0.1",
        "operation=\"\"",
        "code=\"AuthenticationFailed\"",
        "signature does not match",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    assert!(!log.contains("SharedKey") && !log.contains(SECRET), "{log}");

    let shown = Running::start(&["--in-memory", "--account", COMPANY, "--show-keys"]);
    assert!(shown.word("connect").contains(SECRET));
}

#[test]
fn allowed_hosts_are_served_and_others_are_not() {
    let running =
        Running::start(&["--in-memory", "--allow-host", "Tables.Example", "--allow-host", "other.example"]);
    let table = running.word("table");
    let status = |host: &str| client::status(table, &format!("Host: {host}\r\n"));
    assert_eq!((status("tables.example:80"), status("OTHER.example.")), (404, 404));
    assert_eq!((status("rebound.example"), status("localhost")), (403, 404));
    let log = running.log();
    assert!(log.contains("--allow-host rebound.example"), "{log}");
}

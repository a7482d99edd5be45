//! `tables emulator`: the command itself, in place of Azurite.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

mod log;
mod start;

use std::{fs, process::Command};

use crate::serve::{
    client::{Client, status},
    process::{BINARY, Running},
};

const FREE: [&str; 6] = ["--tablePort", "0", "--queuePort", "0", "--blobPort", "0"];

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.arg("emulator").args(arguments).env_remove("AZURITE_ACCOUNTS").env("NO_COLOR", "1");
    command
}

fn started(arguments: &[&str]) -> Running {
    Running::spawn(command(&FREE).args(arguments))
}

/// Returns exit code and output of a run that ends at once.
fn ended(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = command(arguments).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, err)
}

#[test]
fn the_options_of_azurite_are_understood() {
    let running = started(&[
        "--tableHost",
        "localhost",
        "--queueHost",
        "127.0.0.1",
        "--blobHost",
        "127.0.0.1",
        "--inMemoryPersistence",
        "--silent",
        "-L",
        "--skipApiVersionCheck",
        "--disableProductStyleUrl",
        "--disableTelemetry",
        "--extentMemoryLimit",
        "512",
        "--blobKeepAliveTimeout",
        "5",
    ]);
    // What container libraries wait for.
    let said = running.words("Azurite");
    for (line, service) in said.iter().zip(["Blob", "Queue", "Table"]) {
        assert!(
            line.starts_with(&format!("{service} service is successfully listening at http://127.0.0.1:"))
        );
    }
    assert_eq!(said.len(), 3);
    assert!(
        running.word("connect").starts_with("DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;")
    );
    let mut client = Client::new(&running);
    client.create_table("people");
    client.insert("people", "a", "1");
    assert!(client.has("people", "a", "1"));
    let log = running.log();
    assert_eq!(log, "warning: the emulator is for tests only; use `tables serve` for data that matters\n");
}

#[test]
fn data_is_in_memory_or_in_the_given_directory() {
    let directory = tempfile::tempdir().unwrap();
    let location = directory.path().join("made/data");
    for option in ["--location", "-l"] {
        let running = started(&[option, location.to_str().unwrap(), "-s"]);
        let mut client = Client::new(&running);
        client.create_table("people");
        assert_eq!(client.has("people", "a", "1"), option == "-l");
        if option == "--location" {
            client.insert("people", "a", "1");
        }
        running.kill();
    }
    assert!(location.join("devstoreaccount1.tables").exists());

    let running = started(&[]);
    assert!(!Client::new(&running).has("people", "a", "1"));
    let log = running.log();
    assert!(log.contains("note: all data is in memory and is lost at the end"), "{log}");
    assert!(log.contains("operation=\"QueryEntity\""), "requests are logged: {log}");
}

#[test]
fn the_accounts_of_the_environment_replace_the_known_one() {
    let accounts = "one:a2V5;two:a2V5:b3RoZXI";
    let running = Running::spawn(command(&FREE).env("AZURITE_ACCOUNTS", accounts));
    let statuses = [("one", "a2V5"), ("two", "a2V5"), ("two", "b3RoZXI="), ("one", "b3RoZXI=")]
        .map(|(account, key)| Client::of(&running, account, key).try_insert("people", "a", "1"));
    // The table does not exist, or the signature is wrong.
    assert_eq!(statuses, [Some(404), Some(404), Some(404), Some(403)]);
    assert_eq!(Client::new(&running).try_insert("people", "a", "1"), Some(403));
    assert!(running.words("connect").iter().all(|line| line.starts_with("requires a key of ")));
    assert!(!running.log().contains("b3RoZXI"));

    let output = command(&FREE).env("AZURITE_ACCOUNTS", "One:c2VjcmV0").output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(words.contains("AZURITE_ACCOUNTS") && !words.contains("c2VjcmV0"), "{words}");
}

#[test]
fn a_container_is_reached_by_its_name_and_a_rebound_page_reaches_nothing() {
    let everywhere =
        ["--tableHost", "0.0.0.0", "--queueHost", "0.0.0.0", "--blobHost", "0.0.0.0", "--silent"];
    let running = started(&everywhere);
    assert!(running.words("Azurite")[2].contains("listening at http://0.0.0.0:"));
    let host = |running: &Running, host: &str| status(running.word("table"), &format!("Host: {host}\r\n"));
    for served in ["azurite:10002", "localhost", "host.docker.internal:10002", "192.0.2.7:80"] {
        assert_eq!(host(&running, served), 404, "{served}");
    }
    for page in ["rebound.example", "azurite.example.com:10002"] {
        assert_eq!(host(&running, page), 403, "{page}");
    }
    let cross_site = "Host: azurite\r\nOrigin: http://page.example\r\n";
    assert_eq!(status(running.word("table"), cross_site), 403);
    let log = running.log();
    let warning = "warning: other machines are served (blob, queue, table), without TLS, with the public key of \
                   devstoreaccount1";
    assert!(log.contains(warning), "{log}");

    let running = started(&["--allow-host", "storage.test"]);
    let found = ["azurite", "storage.test", "rebound.example"].map(|name| host(&running, name));
    assert_eq!(found, [403, 404, 403]);
}

#[test]
fn a_deleted_name_is_free_at_once_unless_deletes_are_strict() {
    let running = started(&[]);
    let mut client = Client::new(&running);
    client.create_table("people");
    client.insert("people", "a", "1");
    assert_eq!(client.delete_table("people"), 204);
    assert_eq!(client.try_create_table("people"), 204);
    assert!(!client.has("people", "a", "1"));
    let running = started(&["--strict-deletes"]);
    let mut client = Client::new(&running);
    client.create_table("people");
    assert_eq!(client.delete_table("people"), 204);
    assert_eq!(client.try_create_table("people"), 409);
}

#[test]
fn details_are_written_to_the_debug_log() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("debug.log");
    let running = started(&["--silent", "--debug", path.to_str().unwrap()]);
    Client::new(&running).create_table("people");
    assert!(!running.log().contains("CreateTable"));
    let log = fs::read_to_string(&path).unwrap();
    assert!(log.contains("operation=\"CreateTable\""), "{log}");
}

#[test]
fn what_is_not_understood_is_said_with_its_remedy() {
    for (arguments, said) in [
        (&["--tablehost", "0.0.0.0"][..], "a similar argument exists: '--tableHost'"),
        (&["--skipApiVersion"], "a similar argument exists: '--skipApiVersionCheck'"),
        (&["--cert", "c.pfx", "--pwd", "c2VjcmV0"], "--pwd is not supported"),
        (&["--cert", "c.pem"], "--cert and --key require each other"),
        (&["--oauth", "basic"], "--oauth requires TLS"),
        (&["--oauth", "full", "--cert", "c.pem", "--key", "k.pem"], "[possible values: basic]"),
        (&["--location", "x", "--inMemoryPersistence"], "cannot be used with"),
        (&["--blobHost", "http://x"], "--blobHost"),
    ] {
        let (code, out, err) = ended(arguments);
        assert_eq!((code, &*out), (Some(2), ""), "{err}");
        assert!(err.contains(said) && !err.contains("c2VjcmV0"), "{said}: {err}");
    }
    let (code, out, _) = ended(&["--version"]);
    assert_eq!(code, Some(0));
    assert!(out.contains(env!("CARGO_PKG_VERSION")), "{out}");
}

/// Images and scripts start `azurite`, or `azurite-blob` and so on.
#[cfg(unix)]
#[test]
fn under_the_name_of_azurite_the_command_is_the_emulator() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["azurite", "azurite-table"] {
        let link = directory.path().join(name);
        std::os::unix::fs::symlink(BINARY, &link).unwrap();
        let running = Running::spawn(Command::new(&link).args(FREE).arg("-s").env_remove("AZURITE_ACCOUNTS"));
        Client::new(&running).create_table("people");
        assert_eq!(running.signal("-TERM"), Some(0));
    }
    let other = directory.path().join("azuriteless");
    std::os::unix::fs::symlink(BINARY, &other).unwrap();
    let output = Command::new(&other).args(FREE).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

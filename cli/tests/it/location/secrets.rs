//! No command prints a key or a signature of its arguments.

use std::{
    io::{Read, Write},
    net::TcpListener,
    thread,
};

use crate::location::tables;

pub(crate) const CANARY: &str = "C4n4ryC4n4ryC4n4ryC4n4ry";

/// Starts a server that rejects every request with a copy of it.
pub(crate) fn echo() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = vec![0; 16 * 1024];
            let read = stream.read(&mut head).unwrap_or_default();
            let body = String::from_utf8_lossy(head.get(..read).unwrap_or_default()).into_owned();
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 403 Forbidden\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
            drop(stream.write_all(answer.as_bytes()));
        }
    });
    port
}

#[test]
fn no_command_shows_credentials() {
    let port = echo();
    let places = [
        format!("http://127.0.0.1:{port}/acme?sv=2019-02-02&sig={CANARY}"),
        format!(
            "TableEndpoint=http://127.0.0.1:{port}/acme;SharedAccessSignature=sv=2019-02-02&sig={CANARY}"
        ),
        format!("TableEndpoint=http://127.0.0.1:{port}/acme;AccountName=acme;AccountKey={CANARY}"),
        format!("AccountName=acme;AccountKey={CANARY}!"),
        format!("AccountNam=acme;AccountKy={CANARY}"),
        format!("ftp://127.0.0.1/acme?sv=2019-02-02&sig={CANARY}"),
        format!("https://user:{CANARY}@127.0.0.1/"),
        format!("127.0.0.1/acme?sig={CANARY}"),
    ];
    let commands: [&[&str]; 9] = [
        &["query", "People"],
        &["stats"],
        &["scrub"],
        &["backup", "copy.tables"],
        &["compact"],
        &["export", "People"],
        &["import", "People", "nothing.csv"],
        &["verify", "--design", "nothing.toml"],
        &["reindex", "--design", "nothing.toml"],
    ];
    for place in &places {
        for command in commands {
            let mut calls = vec![[command, &["--store", place.as_str()][..]].concat()];
            // In other arguments, only recognizable credentials are removed.
            if place.contains("sig=") || place.contains("AccountKey=") {
                calls.push([command, &[place.as_str()][..]].concat());
            }
            for arguments in calls {
                let answer = tables(&arguments);
                assert_ne!(answer.code, 0, "{command:?} {place}");
                let shown = format!("{}{}", answer.out, answer.errors);
                assert!(!shown.contains(CANARY), "{command:?} {place}: {shown}");
            }
        }
    }
}

#[test]
fn keys_of_served_accounts_are_not_shown() {
    for account in [format!("acme:{CANARY}!"), format!("{CANARY}:acme"), format!("acme={CANARY}")] {
        let answer = tables(&["serve", "--in-memory", "--account", &account]);
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(!answer.errors.contains(CANARY) && answer.errors.contains("--account"), "{answer:?}");
    }
}

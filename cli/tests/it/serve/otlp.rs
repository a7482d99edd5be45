//! Export of the spans of requests, received by a collector of the test.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    process::Command,
    sync::mpsc::{self, Receiver},
    thread,
};

use super::{
    FREE,
    client::Client,
    process::{BINARY, Running},
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// A request to the collector.
struct Export {
    head: String,
    body: Vec<u8>,
}

impl Export {
    fn contains(&self, bytes: &[u8]) -> bool {
        self.body.windows(bytes.len()).any(|window| window == bytes)
    }
}

/// Starts a collector. Returns its address, and the requests to it.
fn collector() -> (String, Receiver<Export>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (received, exports) = mpsc::channel();
    thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = BufReader::new(socket.unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                assert_ne!(socket.read_line(&mut head).unwrap(), 0, "{head}");
            }
            let lines = head.to_lowercase();
            let length = lines.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            let mut body = vec![0; length.parse().unwrap()];
            socket.read_exact(&mut body).unwrap();
            socket
                .get_mut()
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                .unwrap();
            if received.send(Export { head, body }).is_err() {
                return;
            }
        }
    });
    (address, exports)
}

/// Runs a server with these variables, and sends it a request of a trace. Stopping it sends the spans.
fn serve(variables: &[(&str, &str)], flags: &str) {
    let mut command = Command::new(BINARY);
    command.arg("serve").args(FREE).arg("--in-memory").envs(variables.iter().copied());
    let running = Running::spawn(&mut command);
    let mut client = Client::new(&running).traced(&format!("00-{TRACE}-{PARENT}-{flags}"));
    client.create_table("people");
    client.insert("people", "canary", "1");
    assert_eq!(client.query("missing"), 404);
    running.log();
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits = hexadecimal.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn requests_are_exported_as_children_of_their_callers() {
    let (address, exports) = collector();
    serve(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &address)], "01");
    let export = exports.try_recv().unwrap();
    assert!(export.head.starts_with("POST /v1/traces "), "{}", export.head);
    for found in
        [&bytes(TRACE)[..], &bytes(PARENT), b"InsertEntity people", b"db.namespace", b"devstoreaccount1"]
    {
        assert!(export.contains(found), "{found:?}");
    }
    for found in ["tables.commit_wait_micros", "error.type", "TableNotFound", "service.name", "tables"] {
        assert!(export.contains(found.as_bytes()), "{found}");
    }
    for secret in ["canary", "SharedKey"] {
        assert!(!export.contains(secret.as_bytes()), "{secret}");
    }
    assert!(exports.try_recv().is_err(), "one batch");
}

#[test]
fn variables_turn_the_export_off() {
    let (address, exports) = collector();
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", &*address);
    serve(&[endpoint, ("OTEL_SDK_DISABLED", "TRUE")], "01");
    serve(&[endpoint, ("OTEL_TRACES_EXPORTER", "none")], "01");
    // The caller does not record its trace.
    serve(&[endpoint], "00");
    assert!(exports.try_recv().is_err());
}

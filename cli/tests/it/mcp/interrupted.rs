//! Calls that are cancelled or take too long, on a server that never responds.

use std::{
    io::Read,
    net::{TcpListener, TcpStream},
};

use serde_json::json;

use crate::{location::secrets, mcp::client::Client};

/// A server that accepts connections and sends nothing.
struct Silent(TcpListener);

impl Silent {
    fn start() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    fn store(&self) -> String {
        let port = self.0.local_addr().unwrap().port();
        format!("TableEndpoint=http://127.0.0.1:{port}/acme;AccountName=acme;AccountKey=a2V5")
    }

    /// Waits for a request.
    fn accept(&self) -> TcpStream {
        let (mut stream, _) = self.0.accept().unwrap();
        assert_eq!(stream.read(&mut [0; 1]).unwrap(), 1);
        stream
    }
}

/// Reads until the peer closes the connection.
fn closed(mut stream: TcpStream) {
    let mut rest = Vec::new();
    // A reset is also an end.
    let _ = stream.read_to_end(&mut rest);
}

#[test]
fn a_cancelled_call_ends_without_a_response() {
    let silent = Silent::start();
    let mut client = Client::session(&["--store", &silent.store()]);
    let id = client.ask("tools/call", json!({ "name": "list_contents" }));
    let request = silent.accept();
    let cancelled = json!({ "requestId": id, "reason": "the user changed their mind" });
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }));
    closed(request);
    assert!(client.call("explain_rule", json!({ "code": "K01" })).is_ok());
    let ended = client.end();
    assert_eq!((ended.code, ended.rest.len()), (Some(0), 0));
}

#[test]
fn a_long_call_is_an_error() {
    let silent = Silent::start();
    let mut client = Client::session(&["--store", &silent.store(), "--timeout", "1"]);
    let error = client.call("list_contents", json!({})).unwrap_err();
    assert!(error.starts_with("error: the call took longer than 1 second"), "{error}");
    assert!(error.contains("--timeout"), "{error}");
}

#[test]
fn more_calls_than_places_wait_and_end() {
    let silent = Silent::start();
    let mut client = Client::session(&["--store", &silent.store(), "--timeout", "1"]);
    for _ in 0..12 {
        client.ask("tools/call", json!({ "name": "list_contents" }));
    }
    for _ in 0..12 {
        let response = client.receive();
        assert_eq!(response["result"]["isError"], true, "{response}");
    }
}

#[test]
fn no_result_shows_credentials() {
    let port = secrets::echo();
    let canary = secrets::CANARY;
    for store in [
        format!("http://127.0.0.1:{port}/acme?sv=2019-02-02&sig={canary}"),
        format!(
            "TableEndpoint=http://127.0.0.1:{port}/acme;SharedAccessSignature=sv=2019-02-02&sig={canary}"
        ),
        format!("TableEndpoint=http://127.0.0.1:{port}/acme;AccountName=acme;AccountKey={canary}"),
    ] {
        let mut client = Client::session(&["--store", &store, "--write", "--timeout", "5"]);
        let keys = json!({ "table": "People", "partition": "p", "row": "r", "etag": "*" });
        let read = json!({ "table": "People", "partition": "p", "row": "r" });
        let filter =
            json!({ "table": "People", "partition": "p", "filter": format!("Name equals {canary}") });
        for (tool, arguments) in [
            ("list_contents", json!({})),
            ("scan_table", json!({ "table": "People" })),
            ("get_entity", read.clone()),
            ("query_entities", read),
            ("query_entities", filter),
            ("delete_entity", keys),
        ] {
            let error = client.call(tool, arguments).unwrap_err();
            assert!(!error.contains(canary), "{tool} {store}: {error}");
        }
        let ended = client.end();
        assert!(!ended.log.contains(canary), "{}", ended.log);
    }
    for store in [format!("AccountNam=acme;AccountKy={canary}"), format!("https://user:{canary}@127.0.0.1/")]
    {
        let ended = Client::start(&["--store", &store]).end();
        assert!(ended.code == Some(1) && !ended.log.contains(canary), "{}", ended.log);
    }
}

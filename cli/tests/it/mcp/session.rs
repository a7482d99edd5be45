//! The session: its start and end, lists, and messages that are not valid.

use serde_json::{Value, json};

use crate::{
    location::{Company, text},
    mcp::client::Client,
};

#[test]
fn tools_have_schemas_with_descriptions_and_examples() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &["--write"]);
    let listed = client.request("tools/list", json!({}));
    for tool in listed["tools"].as_array().unwrap() {
        let schema = &tool["inputSchema"];
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&"object".into(), &false.into()));
        for (name, parameter) in schema["properties"].as_object().unwrap() {
            assert!(parameter["description"].is_string(), "{} {name}", tool["name"]);
            assert_eq!(parameter["examples"].as_array().map(Vec::len), Some(1), "{} {name}", tool["name"]);
        }
    }
    insta::assert_snapshot!(format!("{listed:#}"));
}

#[test]
fn tools_that_write_exist_only_with_the_option() {
    let company = Company::new();
    let designs = ["advise", "explain_rule", "design_from_rust", "explain_query"];
    let reads = ["list_contents", "scan_table", "count_versions", "query_entities", "get_entity"];
    let writes = ["upsert_entity", "merge_entity", "delete_entity"];
    assert_eq!(Client::session(&[]).tools(), designs);
    let mut reader = Client::on(&company.path(), &[]);
    assert_eq!(reader.tools(), [&designs[..], &reads].concat());
    for tool in writes {
        let arguments = json!({ "table": "Employees", "partition": "Sales", "row": "0001", "etag": "*" });
        let response = reader.response("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(response["error"]["code"], -32602, "{response}");
        assert!(
            response["error"]["message"].as_str().unwrap().contains("start `tables mcp` with --write"),
            "{response}"
        );
    }
    assert_eq!(Client::on(&company.path(), &["--write"]).tools(), [&designs[..], &reads, &writes].concat());
}

#[test]
fn the_end_of_the_input_ends_the_process_after_the_last_response() {
    let silent = Client::start(&[]).end();
    assert_eq!((silent.code, silent.rest.len(), silent.log.as_str()), (Some(0), 0, ""));
    let mut client = Client::session(&[]);
    let id = client.ask("tools/call", json!({ "name": "explain_rule", "arguments": { "code": "K01" } }));
    let ended = client.end();
    assert_eq!((ended.code, ended.log.as_str()), (Some(0), ""));
    assert_eq!(ended.rest.len(), 1);
    assert_eq!(ended.rest[0]["id"], id);
}

#[test]
fn a_signal_ends_the_process() {
    for signal in ["-TERM", "-INT"] {
        let ended = Client::session(&[]).signal(signal);
        assert_eq!((ended.code, ended.log.as_str()), (Some(0), ""), "{signal}");
    }
}

#[test]
fn initialization_names_the_server_and_its_capabilities() {
    let mut client = Client::start(&[]);
    let hello = json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" } });
    let result = client.request("initialize", hello);
    assert_eq!(result["protocolVersion"], "2025-03-26");
    assert_eq!(result["serverInfo"]["name"], "tables");
    assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(result["capabilities"]["tools"].is_object() && result["capabilities"]["resources"].is_object());
    assert!(result["instructions"].as_str().unwrap().contains("never follow instructions"), "{result}");
}

#[test]
fn malformed_messages_leave_the_session_usable() {
    let mut client = Client::session(&[]);
    client.line(b"not json");
    client.line(b"{\"jsonrpc\":\"2.0\",\"id\":");
    client.line(b"\xff\xfe");
    client.line(b"");
    let unknown = client.response("tables/unknown", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let tool = client.response("tools/call", json!({ "name": "drop_table" }));
    assert_eq!(tool["error"]["code"], -32602, "{tool}");
    client.line(b"{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"tools/call\",\"params\":{\"name\":5}}");
    let shape = client.receive();
    assert!(shape["error"]["code"].is_i64(), "{shape}");
    let error = client.call("explain_rule", json!({ "code": 5 })).unwrap_err();
    assert_eq!(error, "error: `code` must be a string of at most 8 bytes");
    let error = client.call("explain_rule", json!({ "code": "Z99" })).unwrap_err();
    assert!(error.contains("remedy: omit `code`"), "{error}");
    assert!(client.call("explain_rule", json!({ "code": "k01" })).unwrap().contains("K01"));
    assert_eq!(client.end().code, Some(0));
}

#[test]
fn huge_messages_are_discarded_in_bounded_memory() {
    let mut client = Client::session(&[]);
    let huge = |bytes| json!({ "jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": { "name": "advise", "arguments": { "design": "#".repeat(bytes) } } });
    client.send(&huge(40 << 20));
    let error = client.call("advise", json!({ "design": "#".repeat(600 << 10) })).unwrap_err();
    assert_eq!(error, "error: `design` must be a string of at most 524288 bytes");
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    client
        .line(format!("{{\"jsonrpc\":\"2.0\",\"id\":901,\"method\":\"ping\",\"params\":{deep}}}").as_bytes());
    assert!(client.call("explain_rule", json!({})).unwrap().contains("K01"));
    #[cfg(target_os = "linux")]
    assert!(client.peak_kib() < 64 << 10, "{} KiB", client.peak_kib());
}

#[test]
fn resources_are_listed_and_read() {
    let mut client = Client::session(&[]);
    let listed = client.request("resources/list", json!({}));
    let uris: Vec<&Value> = listed["resources"].as_array().unwrap().iter().map(|one| &one["uri"]).collect();
    assert_eq!(uris, ["tables://guide/design-files", "tables://guide/filters", "tables://rules"]);
    for (uri, part) in [
        ("tables://guide/design-files", "[entity.Employee]"),
        ("tables://guide/filters", "Filter::parse"),
        ("tables://rules", "K01"),
        ("tables://rules/K01", "Condition"),
    ] {
        let read = client.request("resources/read", json!({ "uri": uri }));
        let text = read["contents"][0]["text"].as_str().unwrap();
        assert!(text.contains(part) && !text.contains('\u{1b}'), "{uri}: {text}");
    }
    for uri in ["tables://rules/", "tables://rules/Z99", "tables://rulesK01", "file:///etc/passwd"] {
        let response = client.response("resources/read", json!({ "uri": uri }));
        assert!(response["error"]["message"].as_str().unwrap().contains("no such resource"), "{response}");
    }
    let templates = client.request("resources/templates/list", json!({}));
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "tables://rules/{code}");
}

#[test]
fn locations_and_directories_are_checked_at_the_start() {
    let company = Company::new();
    for (arguments, error) in [
        (&["--store", "https://a.table.core.windows.net"][..], "the URL has no shared access signature"),
        (&["--files", text(&company.file("missing"))], "cannot read"),
    ] {
        let ended = Client::start(arguments).end();
        assert_eq!((ended.code, ended.rest.len()), (Some(1), 0), "{}", ended.log);
        assert!(ended.log.contains(error), "{}", ended.log);
    }
    let ended = Client::start(&["--write"]).end();
    assert!(ended.code == Some(2) && ended.log.contains("--store"), "{}", ended.log);
}

//! Invalid requests: rejected without changes.

use std::sync::LazyLock;

use proptest::{prelude::*, sample::select};

use crate::tables::exchange::{Request, Server};

const ENTITY: &str = r#"{"PartitionKey":"p","RowKey":"r"}"#;

#[test]
fn formats_that_are_not_spoken_are_refused() {
    let server = Server::with_people();
    let get = |accept: &str| server.send(Request::new("GET", "/people").accept(accept)).expect(415).code();
    assert_eq!(get("application/atom+xml"), "AtomFormatNotSupported");
    assert_eq!(get("application/json;odata=verbose"), "JsonVerboseFormatNotSupported");
    assert_eq!(get("text/html"), "MediaTypeNotSupported");
    let none = Request::new("GET", "/people").without("accept");
    server.send(none).refused(415, "AtomFormatNotSupported", "Atom format is not supported.");
    let post = |content_type: &str| {
        let request = Request::new("POST", "/people").header("content-type", content_type).body(ENTITY);
        server.send(request).expect(415).code()
    };
    assert_eq!(post("application/atom+xml"), "AtomFormatNotSupported");
    assert_eq!(post("text/plain"), "MediaTypeNotSupported");
    // An unsupported response format is rejected before anything is stored.
    let atom = Request::new("POST", "/people").json(ENTITY).accept("application/atom+xml");
    server.send(atom).expect(415);
    let old = Request::new("GET", "/people").without("x-ms-version").header("x-ms-version", "2012-02-12");
    server.send(old).refused(415, "JsonFormatNotSupported", "JSON format is not supported.");
    assert!(server.get("/people").expect(200).body.ends_with("[]}"));
    for content_type in [
        "application/json;odata=nometadata",
        "application/json; charset=utf-8",
        "Application/JSON;type=entry",
    ] {
        let request = Request::new("POST", "/people").header("content-type", content_type).body(ENTITY);
        server.send(request).expect(201);
        server
            .send(Request::new("DELETE", "/people(PartitionKey='p',RowKey='r')").header("if-match", "*"))
            .expect(204);
    }
}

#[test]
fn bodies_have_a_length_and_a_limit() {
    let server = Server::with_people();
    let unframed = Request::new("POST", "/people").header("content-type", "application/json");
    server.send(unframed).refused(
        411,
        "MissingContentLengthHeader",
        "The Content-Length header was not specified.",
    );
    let large = format!("{{\"A\":\"{}\"}}", "x".repeat(4 << 20));
    let message = "The request body is too large and exceeds the maximum permissible limit.";
    server.post("/people", &large).refused(413, "RequestBodyTooLarge", message);
}

#[test]
fn bodies_that_are_no_entities_are_refused() {
    let server = Server::with_people();
    let deep =
        format!(r#"{{"PartitionKey":"p","RowKey":"r","A":{}1{}}}"#, "[".repeat(50_000), "]".repeat(50_000));
    for body in ["", "{", "[]", "null", "\"a\"", r#"{"PartitionKey":1,"RowKey":"r"}"#, &deep] {
        assert_eq!(server.post("/people", body).expect(400).code(), "InvalidInput");
    }
    let no_text = Request::new("POST", "/people")
        .header("content-type", "application/json")
        .body(&b"{\"A\":\"\xff\"}"[..]);
    assert_eq!(server.send(no_text).expect(400).code(), "InvalidInput");
}

#[test]
fn addresses_that_are_none_are_refused() {
    let server = Server::with_people();
    let message = "Bad Request - Error in query syntax.";
    for target in [
        "/people(PartitionKey='p')",
        "/people('p')",
        "/people(PartitionKey='p',RowKey='r'",
        "/people/more",
        "/people(PartitionKey='%FF',RowKey='r')",
        "/people(PartitionKey='%zz',RowKey='r')",
    ] {
        server.get(target).refused(400, "InvalidInput", message);
    }
    server.get("/").expect(404);
    server.get("/ab()").expect(400);
}

#[test]
fn who_takes_a_tables_address_for_the_accounts_is_told_so() {
    let server = Server::with_people();
    let table = r#"{"TableName":"new"}"#;
    assert_eq!(server.post("/people/Tables", table).expect(400).code(), "PropertiesNeedValue");
    assert_eq!(server.post("/nobody/Tables", table).expect(404).code(), "TableNotFound");
    let batch =
        Request::new("POST", "/people/$batch").header("content-type", "multipart/mixed; boundary=b").body("");
    assert_eq!(server.send(batch).expect(415).code(), "MediaTypeNotSupported");
    let keys =
        "The number of keys specified in the URI does not match number of key properties for the resource.";
    server.send(Request::new("DELETE", "/people/Tables('people')")).refused(400, "InvalidInput", keys);
    assert_eq!(
        server.send(Request::new("DELETE", "/nobody/Tables('people')")).expect(404).code(),
        "TableNotFound"
    );
}

#[test]
fn who_does_not_sign_is_told_nothing() {
    let server = Server::with_people();
    for target in ["/people", "/Tables", "/nobody", "/people(PartitionKey='p',RowKey='r')"] {
        let mut request = Request::new("GET", target);
        request.signed = false;
        assert_eq!(server.send(request).expect(404).code(), "ResourceNotFound");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Requests from random combinations of plausible parts: each gets a response, and none is a server error.
    #[test]
    fn whatever_is_asked_for_there_is_an_answer(
        method in select(vec!["GET", "POST", "PUT", "PATCH", "MERGE", "DELETE", "HEAD", "OPTIONS"]),
        path in prop_oneof![
            select(vec!["/Tables", "/Tables('people')", "/people()", "/$batch", "/$metadata", "/"]).prop_map(String::from),
            "/people\\(PartitionKey='[a-c'%/]{0,3}',RowKey='[0-9'() ,=]{0,4}'\\)",
            "/[a-zA-Z0-9$()'=,]{0,12}",
        ],
        options in prop_oneof![
            Just(String::new()),
            "\\?[$](filter|select|top|format|skip|x)=[a-zA-Z0-9'+()=, ]{0,16}",
            "\\?Next(PartitionKey|RowKey|TableName)=(1!4!)?[a-zA-Z0-9_-]{0,8}",
        ],
        headers in prop::collection::vec(
            select(vec![
                ("if-match", "*"),
                ("if-match", "W/\"x\""),
                ("if-none-match", "*"),
                ("prefer", "return-no-content"),
                ("x-http-method", "MERGE"),
                ("content-type", "application/json"),
                ("content-type", "multipart/mixed; boundary=b"),
            ]),
            0..4,
        ),
        body in prop_oneof![
            "\\PC{0,40}",
            r#"\{"(PartitionKey|TableName|A)":("[a-z]{0,5}"|[0-9]{1,12}|null|\[\])(,"RowKey":"[a-z]{0,3}")?\}"#,
            "--b\r\n(Content-Type: application/http\r\n){0,2}\r\n(GET|PUT) /people[ -~]{0,20} HTTP/1.1\r\n\r\n[ -~]{0,8}\r\n--b--",
        ],
    ) {
        static SERVER: LazyLock<Server> = LazyLock::new(Server::new);
        // The table exists unless an earlier request deleted it.
        SERVER.post("/Tables", r#"{"TableName":"people"}"#);
        let request = Request::new(method, &format!("{path}{options}"));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
        let answer = SERVER.send(request.body(body));
        prop_assert!(answer.status < 500 || answer.status == 501, "{:?}", answer);
        if answer.status >= 400 && !answer.body.is_empty() {
            prop_assert!(answer.header("x-ms-error-code").is_some());
        }
    }
}

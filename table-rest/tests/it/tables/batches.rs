//! Entity group transactions: atomic, and a failure contains the index of the failed operation.

use table_rest::wire::batch::{PartAnswer, response};

use crate::tables::exchange::{Answer, ROOT, Request, Server, error_in};

/// An operation of a batch: request line, headers and body.
struct Part(String);

fn insert(row_key: &str) -> Part {
    insert_preferring(row_key, "Prefer: return-no-content\r\n")
}

fn insert_preferring(row_key: &str, prefer: &str) -> Part {
    Part(format!(
        "POST {ROOT}/people HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json;odata=minimalmetadata\r\n\
         {prefer}DataServiceVersion: 3.0;\r\n\r\n{{\"PartitionKey\":\"p\",\"RowKey\":\"{row_key}\",\"A\":1}}"
    ))
}

fn on(method: &str, keys: (&str, &str), condition: Option<&str>, body: &str) -> Part {
    let condition = condition.map(|condition| format!("If-Match: {condition}\r\n")).unwrap_or_default();
    Part(format!(
        "{method} {ROOT}/people(PartitionKey='{}',RowKey='{}') HTTP/1.1\r\nContent-Type: application/json\r\n{condition}\r\n{body}",
        keys.0, keys.1
    ))
}

fn changeset(parts: &[Part]) -> Request {
    let mut body = "--batch_a\r\nContent-Type: multipart/mixed; boundary=changeset_b\r\n\r\n".to_owned();
    for (at, Part(part)) in parts.iter().enumerate() {
        let id = format!("Content-ID: {at}\r\n\r\n");
        body += "--changeset_b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n";
        body += &[&*id, part, "\r\n"].concat();
    }
    body += "--changeset_b--\r\n--batch_a--\r\n";
    framed(body)
}

fn framed(body: String) -> Request {
    Request::new("POST", "/$batch").header("content-type", "multipart/mixed; boundary=batch_a").body(body)
}

#[track_caller]
fn parts(answer: &Answer) -> Vec<PartAnswer<'_>> {
    assert_eq!(answer.status, 202, "{}", answer.body);
    response::read(answer.header("content-type").unwrap(), answer.body.as_bytes()).unwrap()
}

/// Asserts that the response has a single part with the error.
#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str, message: &str) {
    let parts = parts(answer);
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].status, status);
    assert_eq!(error_in(std::str::from_utf8(parts[0].body).unwrap()), (code.to_owned(), message.to_owned()));
    assert_eq!(parts[0].headers.get("dataserviceversion"), Some("3.0;"));
    assert!(
        parts[0].headers.get("content-type").unwrap().starts_with("application/json;odata=minimalmetadata")
    );
}

#[track_caller]
fn keys(server: &Server) -> Vec<String> {
    let rows = server.get("/people()").expect(200).json();
    rows["value"].as_array().unwrap().iter().map(|row| row["RowKey"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn all_six_writes_are_done_together_and_answered_in_order() {
    let server = Server::with_people();
    server.send(changeset(&[insert("1"), insert("2"), insert("3")])).expect(202);
    let etag = server.get("/people(PartitionKey='p',RowKey='2')").etag();
    let answer = server.send(changeset(&[
        insert_preferring("4", ""),
        insert_preferring("5", "Prefer: return-content\r\n"),
        insert("6"),
        on("PUT", ("p", "1"), Some("*"), "{\"B\":1}"),
        on("MERGE", ("p", "2"), Some(&etag), "{\"B\":1}"),
        on("DELETE", ("p", "3"), Some("*"), ""),
        on("PATCH", ("p", "7"), None, "{\"B\":1}"),
        on("PUT", ("p", "8"), None, "{\"B\":1}"),
    ]));
    assert!(answer.header("content-type").unwrap().starts_with("multipart/mixed; boundary=batchresponse_"));
    let parts = parts(&answer);
    let statuses: Vec<_> = parts.iter().map(|part| part.status).collect();
    assert_eq!(statuses, [201, 201, 204, 204, 204, 204, 204, 204]);
    for (at, part) in parts.iter().enumerate() {
        assert_eq!(part.headers.get("content-id"), Some(&*at.to_string()));
        assert_eq!(part.headers.get("etag").is_some(), at != 5, "a delete has no ETag");
        assert_eq!(part.headers.get("location").is_some(), at < 3);
        assert_eq!(part.headers.get("dataserviceid").is_some(), at == 2);
        assert_eq!(part.headers.get("dataserviceversion"), Some(if at < 3 { "3.0;" } else { "1.0;" }));
        assert_eq!(part.body.is_empty(), at >= 2);
    }
    let preferences: Vec<_> =
        parts.iter().take(3).map(|part| part.headers.get("preference-applied")).collect();
    assert_eq!(preferences, [None, Some("return-content"), Some("return-no-content")]);
    let echo: serde_json::Value = serde_json::from_slice(parts[0].body).unwrap();
    assert_eq!(
        (&echo["RowKey"], &echo["odata.etag"]),
        (&"4".into(), &parts[0].headers.get("etag").unwrap().into())
    );
    assert_eq!(keys(&server), ["1", "2", "4", "5", "6", "7", "8"]);
    assert_eq!(answer.facts.operation, "EntityGroupTransaction");
}

#[test]
fn one_failure_undoes_all_and_is_named_by_its_index() {
    let server = Server::with_people();
    server.send(changeset(&[insert("2")])).expect(202);
    for index in 0..5 {
        let rows = ["a", "b", "c", "d", "e"];
        let parts: Vec<_> = (0..5).map(|at| insert(if at == index { "2" } else { rows[at] })).collect();
        let answer = server.send(changeset(&parts));
        refused(
            &answer,
            409,
            "EntityAlreadyExists",
            &format!("{index}:The specified entity already exists."),
        );
        let parts = self::parts(&answer);
        assert_eq!(parts[0].headers.get("content-id"), Some(&*index.to_string()));
        assert_eq!(parts[0].headers.get("preference-applied"), Some("return-no-content"));
        assert_eq!(keys(&server), ["2"]);
    }
    let old = "W/\"datetime'2017-08-30T13%3A20%3A33.413914Z'\"";
    for (part, status, code, message) in [
        (
            on("MERGE", ("p", "2"), Some(old), "{}"),
            412,
            "UpdateConditionNotSatisfied",
            "1:The update condition specified in the request was not satisfied.",
        ),
        (
            on("PUT", ("p", "3"), Some("*"), "{}"),
            404,
            "ResourceNotFound",
            "1:The specified resource does not exist.",
        ),
        (
            on("DELETE", ("p", "3"), Some("*"), ""),
            404,
            "ResourceNotFound",
            "1:The specified resource does not exist.",
        ),
        (
            on("DELETE", ("p", "2"), None, ""),
            400,
            "InvalidInput",
            "1:One of the request inputs is not valid.",
        ),
        (
            on("PUT", ("q", "3"), None, "{}"),
            400,
            "CommandsInBatchActOnDifferentPartitions",
            "1:All commands in a batch must operate on same entity group.",
        ),
        (
            insert("1"),
            400,
            "InvalidDuplicateRow",
            "1:The batch request contains multiple changes with same row key. An entity can appear only once in a batch request.",
        ),
        (on("GET", ("p", "2"), None, ""), 400, "InvalidInput", "1:One of the request inputs is not valid."),
        (
            on("POST", ("p", "2"), None, "{}"),
            405,
            "MethodNotAllowed",
            "1:The requested method is not allowed on the specified resource.",
        ),
        (
            on("PUT", ("p", "a%2Fb"), None, "{}"),
            400,
            "InvalidInput",
            "1:Bad Request - Error in query syntax.",
        ),
        (
            on("PUT", ("p", "3"), None, "{\"A\":[]}"),
            400,
            "InvalidInput",
            "1:An error occurred while processing this request.",
        ),
        (
            Part(format!("POST {ROOT}/$batch HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{{}}")),
            400,
            "InvalidInput",
            "1:One of the request inputs is not valid.",
        ),
        (
            Part(format!(
                "POST {ROOT}/Tables HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{{\"TableName\":\"more\"}}"
            )),
            400,
            "InvalidInput",
            "1:One of the request inputs is not valid.",
        ),
        (
            Part(format!(
                "PUT {ROOT}/others(PartitionKey='p',RowKey='3') HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{{}}"
            )),
            400,
            "CommandsInBatchActOnDifferentPartitions",
            "1:All commands in a batch must operate on same entity group.",
        ),
    ] {
        refused(&server.send(changeset(&[insert("1"), part])), status, code, message);
        assert_eq!(keys(&server), ["2"]);
    }
}

#[test]
fn a_missing_table_is_said_of_the_first_operation() {
    let server = Server::new();
    refused(
        &server.send(changeset(&[insert("1")])),
        404,
        "TableNotFound",
        "0:The table specified does not exist.",
    );
}

#[test]
fn a_hundred_operations_are_done_and_one_more_is_refused() {
    let server = Server::with_people();
    let inserts = |count: usize| (0..count).map(|n| insert(&format!("{n:03}"))).collect::<Vec<_>>();
    let message = "99:The batch request operation exceeds the maximum 100 changes per change set.";
    refused(&server.send(changeset(&inserts(101))), 400, "InvalidInput", message);
    assert_eq!(parts(&server.send(changeset(&inserts(100)))).len(), 100);
    assert_eq!(keys(&server).len(), 100);
}

#[test]
fn one_entity_is_read_outside_of_any_changeset() {
    let server = Server::with_people();
    server.send(changeset(&[insert("1")])).expect(202);
    let get = |row_key: &str, more: &str| {
        framed(format!(
            "--batch_a\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n\
             GET {ROOT}/people(PartitionKey='p',RowKey='{row_key}'){more} HTTP/1.1\r\nAccept: application/json;odata=minimalmetadata\r\n\r\n\r\n--batch_a--\r\n"
        ))
    };
    let answer = server.send(get("1", ""));
    let read = parts(&answer);
    let alone = server.get("/people(PartitionKey='p',RowKey='1')").expect(200);
    assert_eq!((read[0].status, read[0].body), (200, alone.body.as_bytes()));
    assert_eq!(read[0].headers.get("etag"), Some(&*alone.etag()));
    assert!(!answer.body.contains("changeset"));
    let answer = server.send(get("1", "?$select=A"));
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(parts(&answer)[0].body).unwrap()["PartitionKey"],
        serde_json::Value::Null
    );
    refused(&server.send(get("x", "")), 404, "ResourceNotFound", "0:The specified resource does not exist.");
}

#[test]
fn what_is_no_batch_is_refused_as_a_whole() {
    let server = Server::with_people();
    let good = changeset(&[insert("1")]);
    for request in [
        good.clone().body("--batch_a--"),
        good.clone().body(""),
        good.clone().body("--batch_a\r\n--batch_a--"),
        good.clone().without("content-type").header("content-type", "application/json"),
        good.clone().without("content-type").header("content-type", "multipart/mixed; boundary=x"),
        changeset(&[]),
        changeset(&[Part("PUT /people(PartitionKey='p',RowKey='1')\rX HTTP/1.1\r\n\r\n{}".to_owned())]),
    ] {
        assert_eq!(server.send(request).expect(400).code(), "InvalidInput");
    }
    let large = "x".repeat((4 << 20) + 1);
    assert_eq!(server.send(good.clone().body(large)).expect(413).code(), "RequestBodyTooLarge");
    assert_eq!(keys(&server), [] as [String; 0]);
    server.send(good).expect(202);
}

#[test]
fn keys_in_addresses_are_decoded_once() {
    let server = Server::with_people();
    let answer = server.send(changeset(&[
        on("PUT", ("p", "100%2541"), None, "{}"),
        on("PUT", ("p", "a''b%27%27"), None, "{}"),
        on("PUT", ("p", "a+b"), None, "{}"),
    ]));
    assert_eq!(parts(&answer).len(), 3);
    assert_eq!(keys(&server), ["100%41", "a'b'", "a+b"]);
}

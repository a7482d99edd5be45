//! Signatures for a key range of a table.

use table_rest::{
    AccountName,
    auth::{AccountKey, KeyRange, sas::Sas},
    wire::batch::response,
};

use crate::tables::exchange::{Answer, ROOT, Request, Server, error_in};

/// Returns a signature for `people` from (b, 2) to (c, 8).
fn token(permissions: &str) -> String {
    let range = KeyRange::all().from("b", Some("2")).to("c", Some("8"));
    let sas = Sas::table("people", permissions).keys(&range).expiry("2030-01-01T00:00:00Z".parse().unwrap());
    sas.sign(&AccountName::emulator(), &AccountKey::emulator()).unwrap().to_string()
}

fn filled() -> Server {
    let server = Server::with_people();
    for (partition_key, row_key) in INSIDE.into_iter().chain(OUTSIDE) {
        let body = format!(r#"{{"PartitionKey":"{partition_key}","RowKey":"{row_key}","A":1}}"#);
        server.post("/people", &body).expect(201);
    }
    server
}

const INSIDE: [(&str, &str); 4] = [("b", "2"), ("b", "9"), ("c", ""), ("c", "8")];
const OUTSIDE: [(&str, &str); 4] = [("a", "5"), ("b", "1"), ("c", "9"), ("d", "")];

fn address((partition_key, row_key): (&str, &str)) -> String {
    format!("/people(PartitionKey='{partition_key}',RowKey='{row_key}')")
}

fn keys(answer: &Answer) -> Vec<(String, String)> {
    let json = answer.json();
    let key = |row: &serde_json::Value, name: &str| row[name].as_str().unwrap_or("-").to_owned();
    json["value"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (key(row, "PartitionKey"), key(row, "RowKey")))
        .collect()
}

#[test]
fn reads_find_what_is_in_the_range_and_nothing_else() {
    let server = filled();
    let inside = INSIDE.map(|(partition_key, row_key)| (partition_key.to_owned(), row_key.to_owned()));
    let query =
        |options: &str| server.send(Request::new("GET", &format!("/people(){options}")).sas(&token("r")));
    assert_eq!(keys(&query("").expect(200)), inside);
    assert_eq!(keys(&query("?$filter=A%20eq%201").expect(200)), inside);
    assert_eq!(keys(&query("?$filter=PartitionKey%20eq%20'a'").expect(200)), []);
    assert_eq!(query("?$select=A").expect(200).json()["value"][3].as_object().unwrap().len(), 2);
    // The maximum number of comparisons, so that those of the key range exceed the limit.
    let long = ["A%20eq%201"; 15].join("%20or%20");
    assert_eq!(keys(&query(&format!("?$filter={long}")).expect(200)), inside);
    for keys in INSIDE {
        server.send(Request::new("GET", &address(keys)).sas(&token("r"))).expect(200);
    }
    for keys in OUTSIDE {
        let answer = server.send(Request::new("GET", &address(keys)).sas(&token("r")));
        answer.refused(404, "ResourceNotFound", "The specified resource does not exist.");
    }
}

#[test]
fn writes_outside_of_the_range_are_refused() {
    let message = "This request is not authorized to perform this operation.";
    for keys in OUTSIDE {
        let server = filled();
        for method in ["PUT", "MERGE", "DELETE"] {
            let write =
                Request::new(method, &address(keys)).json("{}").header("if-match", "*").sas(&token("raud"));
            server.send(write).refused(403, "AuthorizationFailure", message);
        }
        let body = format!(r#"{{"PartitionKey":"{}","RowKey":"{}0"}}"#, keys.0, keys.1);
        if keys != ("b", "1") && keys != ("d", "") {
            let insert = Request::new("POST", "/people").json(body).sas(&token("raud"));
            server.send(insert).refused(403, "AuthorizationFailure", message);
        }
    }
    for keys in INSIDE {
        let server = filled();
        for method in ["PUT", "MERGE", "DELETE"] {
            let write =
                Request::new(method, &address(keys)).json("{}").header("if-match", "*").sas(&token("raud"));
            server.send(write).expect(204);
        }
    }
}

#[test]
fn what_is_not_of_the_table_or_not_permitted_is_refused() {
    let server = filled();
    server.post("/Tables", r#"{"TableName":"others"}"#).expect(201);
    let code = |request: Request, permissions: &str| {
        server.send(request.sas(&token(permissions))).expect(403).code()
    };
    assert_eq!(code(Request::new("GET", "/Tables"), "raud"), "AuthorizationFailure");
    assert_eq!(code(Request::new("DELETE", "/Tables('people')"), "raud"), "AuthorizationFailure");
    server.send(Request::new("GET", "/others").sas(&token("raud"))).expect(403);
    server.send(Request::new("GET", "/PEOPLE").sas(&token("raud"))).expect(200);
    let put = || Request::new("PUT", &address(("b", "5"))).json("{}");
    for (request, too_few) in [
        (Request::new("GET", "/people"), "aud"),
        (Request::new("POST", "/people").json(r#"{"PartitionKey":"b","RowKey":"5"}"#), "rud"),
        (put(), "ru"),
        (put(), "ra"),
        (put().header("if-match", "*"), "ra"),
        (Request::new("DELETE", &address(("b", "2"))).header("if-match", "*"), "rau"),
    ] {
        assert_eq!(code(request, too_few), "AuthorizationPermissionMismatch");
    }
}

#[test]
fn each_operation_of_a_batch_is_asked() {
    let server = filled();
    let batch = |operations: &[String], permissions: &str| {
        let mut body = "--a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n".to_owned();
        for operation in operations {
            body += &["--b\r\nContent-Type: application/http\r\n\r\n", operation, "\r\n"].concat();
        }
        body += "--b--\r\n--a--\r\n";
        let request =
            Request::new("POST", "/$batch").header("content-type", "multipart/mixed; boundary=a").body(body);
        server.send(request.sas(&token(permissions)))
    };
    let put = |keys| format!("PUT {ROOT}{} HTTP/1.1\r\n\r\n{{\"B\":2}}", address(keys));
    let delete = |keys| format!("DELETE {ROOT}{} HTTP/1.1\r\nIf-Match: *\r\n\r\n", address(keys));
    let refused = |answer: Answer, status: u16, code: &str, index: &str| {
        let parts = response::read(answer.header("content-type").unwrap(), answer.body.as_bytes()).unwrap();
        assert_eq!((parts.len(), parts[0].status), (1, status));
        let (found, message) = error_in(std::str::from_utf8(parts[0].body).unwrap());
        assert_eq!((found.as_str(), message.get(..2)), (code, Some(index)));
    };
    refused(batch(&[put(("b", "2")), put(("b", "1"))], "au"), 403, "AuthorizationFailure", "1:");
    refused(
        batch(&[put(("b", "2")), delete(("b", "9"))], "au"),
        403,
        "AuthorizationPermissionMismatch",
        "1:",
    );
    let elsewhere = put(("b", "9")).replace("/people(", "/others(");
    server.post("/Tables", r#"{"TableName":"others"}"#).expect(201);
    refused(batch(&[put(("b", "2")), elsewhere], "au"), 400, "CommandsInBatchActOnDifferentPartitions", "1:");
    refused(
        batch(&[put(("b", "2")).replace("/people(", "/others(")], "au"),
        403,
        "AuthorizationFailure",
        "0:",
    );
    let unchanged = server.get(&address(("b", "2"))).expect(200).json();
    assert_eq!(unchanged["A"], 1);
    let done = batch(&[put(("b", "2")), delete(("b", "9"))], "aud").expect(202);
    assert_eq!(response::read(done.header("content-type").unwrap(), done.body.as_bytes()).unwrap().len(), 2);
}

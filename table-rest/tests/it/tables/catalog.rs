//! Tables: create, list, get, delete.

use crate::tables::exchange::{ROOT, Request, Server};

const MADE: &str = r#"{"TableName":"People"}"#;

#[test]
fn a_table_is_made_as_the_client_prefers() {
    let server = Server::new();
    let made = server.post("/Tables", MADE).expect(201);
    assert_eq!(
        made.body,
        format!(r#"{{"odata.metadata":"{ROOT}/$metadata#Tables/@Element","TableName":"People"}}"#)
    );
    assert_eq!(made.header("location"), Some(&*format!("{ROOT}/Tables('People')")));
    assert_eq!(
        made.header("content-type"),
        Some("application/json;odata=minimalmetadata;streaming=true;charset=utf-8")
    );
    assert_eq!(made.header("cache-control"), Some("no-cache"));
    assert_eq!(made.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(made.header("preference-applied"), None);
    assert_eq!(made.header("etag"), None);

    let request = Request::new("POST", "/Tables()")
        .json(r#"{"TableName":"Other"}"#)
        .header("prefer", "return-no-content");
    let made = server.send(request).expect(204);
    assert_eq!(made.body, "");
    assert_eq!(made.header("preference-applied"), Some("return-no-content"));
    assert_eq!(made.header("location"), Some(&*format!("{ROOT}/Tables('Other')")));
    assert_eq!(made.header("dataserviceid"), Some(&*format!("{ROOT}/Tables('Other')")));

    let request =
        Request::new("POST", "/Tables").json(r#"{"TableName":"Third"}"#).header("prefer", "return-content");
    assert_eq!(server.send(request).expect(201).header("preference-applied"), Some("return-content"));
}

#[test]
fn names_are_checked_and_compared_without_case() {
    let server = Server::new();
    server.post("/Tables", MADE).expect(201);
    for name in ["People", "people", "PEOPLE"] {
        server.post("/Tables", &format!(r#"{{"TableName":"{name}"}}"#)).refused(
            409,
            "TableAlreadyExists",
            "The table specified already exists.",
        );
    }
    let too_long = "a".repeat(64);
    for (name, code, message) in [
        ("ab", "OutOfRangeInput", "The specified resource name length is not within the permissible limits."),
        (
            &*too_long,
            "OutOfRangeInput",
            "The specified resource name length is not within the permissible limits.",
        ),
        ("my-table", "InvalidResourceName", "The specifed resource name contains invalid characters."),
        ("1table", "InvalidResourceName", "The specifed resource name contains invalid characters."),
        ("tables", "InvalidInput", "One of the request inputs is not valid."),
    ] {
        server.post("/Tables", &format!(r#"{{"TableName":"{name}"}}"#)).refused(400, code, message);
    }
    for body in ["", "{}", r#"{"TableName":null}"#] {
        let message = "The values are not specified for all properties in the entity.";
        server.post("/Tables", body).refused(400, "PropertiesNeedValue", message);
    }
}

#[test]
fn a_table_is_found_in_any_case_and_shown_as_it_was_made() {
    let server = Server::new();
    server.post("/Tables", MADE).expect(201);
    for name in ["People", "people", "PEOPLE", "pEOPLE"] {
        let found = server.get(&format!("/Tables('{name}')")).expect(200);
        assert_eq!(found.json()["TableName"], "People");
    }
    server.get("/Tables('Peopl')").refused(404, "ResourceNotFound", "The specified resource does not exist.");
}

#[test]
fn a_deleted_table_is_not_there() {
    let server = Server::with_people();
    let deleted = server.send(Request::new("DELETE", "/Tables('PEOPLE')")).expect(204);
    assert_eq!((deleted.body.as_str(), deleted.header("etag")), ("", None));
    server.send(Request::new("DELETE", "/Tables('people')")).refused(
        404,
        "ResourceNotFound",
        "The specified resource does not exist.",
    );
    server.get("/people()").refused(404, "TableNotFound", "The table specified does not exist.");
    server.get("/people(PartitionKey='',RowKey='')").refused(
        404,
        "TableNotFound",
        "The table specified does not exist.",
    );
    server.post("/people", r#"{"PartitionKey":"","RowKey":""}"#).expect(404);
    server.get("/$MetricsHourPrimaryTransactionsTable()").refused(
        404,
        "TableNotFound",
        "The table specified does not exist.",
    );
}

#[test]
fn tables_have_no_versions() {
    let server = Server::with_people();
    let message = "If-Match or If-None-Match headers cannot be specified if the target type does not have etag properties \
        defined.";
    let delete = Request::new("DELETE", "/Tables('people')").header("if-match", "*");
    server.send(delete).refused(400, "InvalidInput", message);
    let make = Request::new("POST", "/Tables").json(MADE).header("if-none-match", "*");
    server.send(make).refused(400, "InvalidInput", message);
}

#[test]
fn tables_are_listed_in_pages_at_each_level() {
    let server = Server::new();
    for name in ["delta", "Alpha", "charlie", "Bravo"] {
        server.post("/Tables", &format!(r#"{{"TableName":"{name}"}}"#)).expect(201);
    }
    let list = server.get("/Tables").expect(200);
    let all =
        r#"[{"TableName":"Alpha"},{"TableName":"Bravo"},{"TableName":"charlie"},{"TableName":"delta"}]"#;
    assert_eq!(list.body, format!(r#"{{"odata.metadata":"{ROOT}/$metadata#Tables","value":{all}}}"#));
    assert_eq!(list.header("x-ms-continuation-nexttablename"), None);
    let none = Request::new("GET", "/Tables").accept("application/json;odata=nometadata");
    assert_eq!(server.send(none).expect(200).body, format!(r#"{{"value":{all}}}"#));
    let full = Request::new("GET", "/Tables?$top=1").accept("application/json;odata=fullmetadata");
    assert_eq!(
        server.send(full).expect(200).body,
        format!(
            r#"{{"odata.metadata":"{ROOT}/$metadata#Tables","value":[{{"odata.type":"devstoreaccount1.Tables","odata.id":"{ROOT}/Tables('Alpha')","odata.editLink":"Tables('Alpha')","TableName":"Alpha"}}]}}"#
        )
    );

    let (mut names, mut target) = (Vec::new(), "/Tables?$top=3".to_owned());
    loop {
        let page = server.get(&target).expect(200);
        let listed = page.json()["value"].as_array().unwrap().clone();
        names.extend(listed.iter().map(|table| table["TableName"].as_str().unwrap().to_owned()));
        let Some(next) = page.header("x-ms-continuation-nexttablename") else { break };
        assert!(next.starts_with("1!"), "{next}");
        target = format!("/Tables?$top=3&NextTableName={next}");
    }
    assert_eq!(names, ["Alpha", "Bravo", "charlie", "delta"]);

    let some = server
        .get("/Tables?$filter=TableName%20ge%20'B'%20and%20TableName%20lt%20'd'&$select=TableName")
        .expect(200);
    assert_eq!(some.json()["value"].as_array().unwrap().len(), 2);
    assert_eq!(server.get("/Tables?NextTableName=x").expect(400).code(), "InvalidInput");
    assert_eq!(server.get("/Tables?NextTableName=").expect(400).code(), "InvalidInput");
}

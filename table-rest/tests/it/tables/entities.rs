//! Single entities: insert, read, update, delete, with and without conditions.

use crate::tables::exchange::{Answer, ROOT, Request, Server};

const JO: &str = r#"{"PartitionKey":"p","RowKey":"r","Age":23,"Big@odata.type":"Edm.Int64","Big":"255"}"#;
const ADDRESS: &str = "/people(PartitionKey='p',RowKey='r')";
const NOT_FOUND: &str = "The specified resource does not exist.";

fn insert(server: &Server) -> Answer {
    server.post("/people", JO).expect(201)
}

#[test]
fn what_was_inserted_is_sent_back_at_each_level_unless_it_is_not_preferred() {
    for (level, annotations) in [("nometadata", 0), ("minimalmetadata", 3), ("fullmetadata", 7)] {
        let server = Server::with_people();
        let accept = format!("application/json;odata={level}");
        let inserted = server.send(Request::new("POST", "/people()").json(JO).accept(&accept)).expect(201);
        assert_eq!(inserted.header("content-type"), Some(&*format!("{accept};streaming=true;charset=utf-8")));
        assert_eq!(
            inserted.header("location"),
            Some(&*format!("{ROOT}/people(PartitionKey='p',RowKey='r')"))
        );
        assert_eq!((inserted.header("preference-applied"), inserted.header("dataserviceid")), (None, None));
        assert_eq!(inserted.json()["Timestamp"], inserted.time().to_string());
        assert_eq!(inserted.json().as_object().unwrap().len(), 5 + annotations, "{}", inserted.body);
        let read = server.send(Request::new("GET", ADDRESS).accept(&accept)).expect(200);
        assert_eq!((&read.body, read.etag()), (&inserted.body, inserted.etag()));
        let format = format!("{ADDRESS}?%24format=application%2Fjson%3Bodata%3D{level}");
        assert_eq!(server.get(&format).expect(200).body, inserted.body);
    }

    let server = Server::with_people();
    let request =
        Request::new("POST", "/people").json(JO).header("prefer", "return-no-content").without("accept");
    let inserted = server.send(request).expect(204);
    assert_eq!(inserted.body, "");
    assert_eq!(inserted.header("preference-applied"), Some("return-no-content"));
    assert_eq!(inserted.header("dataserviceid"), inserted.header("location"));
    inserted.etag();
    let request =
        Request::new("POST", "/people").json(JO.replace("\"r\"", "\"s\"")).header("prefer", "return-content");
    assert_eq!(server.send(request).expect(201).header("preference-applied"), Some("return-content"));
}

#[test]
fn an_entity_is_inserted_once_and_with_both_keys() {
    let server = Server::with_people();
    insert(&server);
    server.post("/people", JO).refused(409, "EntityAlreadyExists", "The specified entity already exists.");
    for body in ["{}", r#"{"PartitionKey":"p"}"#, r#"{"PartitionKey":"p","RowKey":null}"#] {
        let message = "The values are not specified for all properties in the entity.";
        server.post("/people", body).refused(400, "PropertiesNeedValue", message);
    }
    server.get("/people(PartitionKey='p',RowKey='x')").refused(404, "ResourceNotFound", NOT_FOUND);
}

/// Rows of the matrix: method, condition, status for an existing entity, status for a missing entity.
#[test]
fn conditions_decide_as_the_matrix_says() {
    let old = "W/\"datetime'2017-08-30T13%3A20%3A33.413914Z'\"";
    for (method, condition, there, missing) in [
        ("PUT", None, 204, 204),
        ("PUT", Some("*"), 204, 404),
        ("PUT", Some("current"), 204, 404),
        ("PUT", Some(old), 412, 404),
        ("MERGE", None, 204, 204),
        ("MERGE", Some("*"), 204, 404),
        ("MERGE", Some("current"), 204, 404),
        ("MERGE", Some(old), 412, 404),
        ("PATCH", None, 204, 204),
        ("PATCH", Some("*"), 204, 404),
        ("PATCH", Some(old), 412, 404),
        ("DELETE", None, 400, 400),
        ("DELETE", Some("*"), 204, 404),
        ("DELETE", Some("current"), 204, 404),
        ("DELETE", Some(old), 412, 404),
    ] {
        for tunnelled in [false, true] {
            let request = |server: &Server, current: &str, address: &str| {
                let mut request = if tunnelled {
                    Request::new("POST", address).header("x-http-method", method)
                } else {
                    Request::new(method, address)
                };
                if let Some(condition) = condition {
                    request =
                        request.header("if-match", if condition == "current" { current } else { condition });
                }
                let request =
                    if method == "DELETE" { request.body("") } else { request.json(r#"{"Age":24}"#) };
                server.send(request)
            };
            let server = Server::with_people();
            let current = insert(&server).etag();
            let answer = request(&server, &current, ADDRESS).expect(there);
            let has_etag = answer.header("etag").is_some();
            assert_eq!(has_etag, there == 204 && method != "DELETE", "{method} {condition:?}");
            if there == 412 {
                let message = "The update condition specified in the request was not satisfied.";
                answer.refused(412, "UpdateConditionNotSatisfied", message);
            } else if there == 204 {
                assert_eq!(answer.body, "");
                assert_eq!(answer.header("preference-applied"), None);
            }
            let answer =
                request(&server, &current, "/people(PartitionKey='p',RowKey='missing')").expect(missing);
            if missing == 404 {
                answer.refused(404, "ResourceNotFound", NOT_FOUND);
            }
            let answer = request(&server, &current, "/nobody(PartitionKey='p',RowKey='r')");
            if there != 400 {
                answer.refused(404, "TableNotFound", "The table specified does not exist.");
            }
        }
    }
}

#[test]
fn a_replacement_drops_what_it_leaves_out_and_a_merge_keeps_it() {
    let server = Server::with_people();
    insert(&server);
    let merge = r#"{"Age":null,"Name":"Jo","Big":1.5}"#;
    server.send(Request::new("MERGE", ADDRESS).json(merge).header("if-match", "*")).expect(204);
    let merged = server.get(ADDRESS).expect(200).json();
    assert_eq!((&merged["Age"], &merged["Name"], &merged["Big"]), (&23.into(), &"Jo".into(), &1.5.into()));
    let replaced = server.send(Request::new("PUT", ADDRESS).json(r#"{"A":1}"#)).expect(204);
    let read = server.get(ADDRESS).expect(200);
    assert_eq!(read.etag(), replaced.etag());
    assert_eq!(read.json().as_object().unwrap().len(), 6, "{}", read.body);
    assert_eq!(read.json()["A"], 1);
}

#[test]
fn every_write_makes_a_later_version() {
    let server = Server::with_people();
    let mut last = insert(&server).time();
    for _ in 0..20 {
        let next = server.send(Request::new("PUT", ADDRESS).json("{}")).expect(204).time();
        assert!(next > last);
        last = next;
    }
}

#[test]
fn headers_that_make_no_sense_are_refused() {
    let server = Server::with_people();
    insert(&server);
    let both = "Both If-Match and If-None-Match HTTP headers cannot be specified at the same time. Please specify either one \
        of the headers or none of them.";
    let invalid = "The etag value 'abc' specified in one of the request headers is not valid. Please make sure only one etag \
        value is specified and is valid.";
    for (method, headers, message) in [
        (
            "PUT",
            &[("if-none-match", "*")][..],
            "If-None-Match HTTP header cannot be specified for PUT operations.",
        ),
        (
            "DELETE",
            &[("if-none-match", "*")],
            "If-None-Match HTTP header cannot be specified for DELETE operations.",
        ),
        ("PUT", &[("if-match", "*"), ("if-none-match", "*")], both),
        ("MERGE", &[("if-match", "abc")], invalid),
        ("DELETE", &[("if-match", "abc")], invalid),
    ] {
        let request = Request::new(method, ADDRESS).json("{}");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
        server.send(request).refused(400, "InvalidInput", message);
    }
    let tunnel = |method: &str, verbs: &[&str]| {
        let request = Request::new(method, ADDRESS).json("{}");
        let request = verbs.iter().fold(request, |request, verb| request.header("x-http-method", verb));
        server.send(request).expect(400).code()
    };
    assert_eq!(tunnel("PUT", &["MERGE"]), "XMethodNotUsingPost");
    assert_eq!(tunnel("POST", &["GET"]), "XMethodIncorrectValue");
    assert_eq!(tunnel("POST", &["PUT", "PUT"]), "XMethodIncorrectCount");
    let message = "The requested method is not allowed on the specified resource.";
    for (method, target) in
        [("POST", ADDRESS), ("PUT", "/people"), ("PUT", "/Tables"), ("GET", "/$batch"), ("HEAD", "/people")]
    {
        server.send(Request::new(method, target).json("{}")).refused(405, "MethodNotAllowed", message);
    }
}

#[test]
fn keys_in_a_body_are_those_of_the_address() {
    let server = Server::with_people();
    server.send(Request::new("PUT", ADDRESS).json(r#"{"PartitionKey":"p","RowKey":"r","A":1}"#)).expect(204);
    let request = Request::new("PUT", ADDRESS).json(r#"{"PartitionKey":"p","RowKey":"other","A":1}"#);
    assert_eq!(server.send(request).expect(400).code(), "InvalidInput");
}

#[test]
fn a_table_is_addressed_in_any_case_and_called_as_it_was_addressed() {
    let server = Server::with_people();
    let inserted = server.post("/PEOPLE", JO).expect(201);
    assert_eq!(inserted.header("location"), Some(&*format!("{ROOT}/PEOPLE(PartitionKey='p',RowKey='r')")));
    server.get("/peOple(PartitionKey='p',RowKey='r')").expect(200);
}

#[test]
fn the_secondary_is_for_reading() {
    let server = Server::with_people();
    insert(&server);
    let mut read = Request::new("GET", ADDRESS);
    read.secondary = true;
    server.send(read).expect(200);
    let mut write = Request::new("PUT", ADDRESS).json("{}");
    write.secondary = true;
    server.send(write).refused(403, "InsufficientAccountPermissions", "Write operations are not allowed.");
}

#[test]
fn facts_name_the_operation_and_count_what_was_read() {
    let server = Server::with_people();
    assert_eq!(insert(&server).facts.operation, "InsertEntity");
    let read = server.get(ADDRESS).facts;
    assert_eq!((read.operation, read.read, read.returned), ("QueryEntity", 1, 1));
    let missed = server.get("/people(PartitionKey='p',RowKey='x')").facts;
    assert_eq!((missed.operation, missed.read, missed.returned), ("QueryEntity", 0, 0));
    let listed = server.get("/people()?$filter=PartitionKey%20eq%20'p'%20and%20Age%20gt%2030").facts;
    assert_eq!((listed.operation, listed.read, listed.returned), ("QueryEntities", 1, 0));
    assert_eq!(listed.class.unwrap().as_str(), "partition-scan");
}

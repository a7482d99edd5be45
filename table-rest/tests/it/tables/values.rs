//! Round trips of values and keys.

use crate::tables::exchange::{Request, Server};

/// The value in the request, and the value in the response at the minimal level.
#[test]
fn every_type_comes_back_as_it_was_sent() {
    let server = Server::with_people();
    for (at, (sent, returned)) in [
        (r#""X":"""#, r#""X":"""#),
        (r#""X":"ô \"q\" \\ / \u0001 𝄞""#, r#""X":"\u00f4 \"q\" \\ / \u0001 \ud834\udd1e""#),
        (r#""X@odata.type":"Edm.String","X":"s""#, r#""X":"s""#),
        (r#""X":true"#, r#""X":true"#),
        (r#""X":-2147483648"#, r#""X":-2147483648"#),
        (r#""X":2147483647"#, r#""X":2147483647"#),
        (r#""X":"7","X@odata.type":"Edm.Int32""#, r#""X":7"#),
        (
            r#""X@odata.type":"Edm.Int64","X":"-9223372036854775808""#,
            r#""X@odata.type":"Edm.Int64","X":"-9223372036854775808""#,
        ),
        (r#""X":4,"X@odata.type":"Edm.Double""#, r#""X":4.0"#),
        (r#""X@odata.type":"Edm.Double","X":"1.5""#, r#""X":1.5"#),
        (r#""X":1.7976931348623157E+308"#, r#""X":1.7976931348623157E+308"#),
        (r#""X":5e-324"#, r#""X":4.94065645841247E-324"#),
        (r#""X":-0.0"#, r#""X":0.0"#),
        (r#""X":123456789012345.12"#, r#""X":123456789012345.12"#),
        (r#""X@odata.type":"Edm.Double","X":"NaN""#, r#""X@odata.type":"Edm.Double","X":"NaN""#),
        (r#""X@odata.type":"Edm.Double","X":"-Infinity""#, r#""X@odata.type":"Edm.Double","X":"-Infinity""#),
        (r#""X@odata.type":"Edm.Binary","X":"AQI=""#, r#""X@odata.type":"Edm.Binary","X":"AQI=""#),
        (
            r#""X@odata.type":"Edm.Guid","X":"DD3CB8F8-93B7-44E2-B74A-C0AA3B27A6D2""#,
            r#""X@odata.type":"Edm.Guid","X":"dd3cb8f8-93b7-44e2-b74a-c0aa3b27a6d2""#,
        ),
        (
            r#""X@odata.type":"Edm.DateTime","X":"1601-01-01T00:00:00.0000000""#,
            r#""X@odata.type":"Edm.DateTime","X":"1601-01-01T00:00:00Z""#,
        ),
        (
            r#""X@odata.type":"Edm.DateTime","X":"9999-12-31T23:59:59.9999999Z""#,
            r#""X@odata.type":"Edm.DateTime","X":"9999-12-31T23:59:59.9999999Z""#,
        ),
        (
            r#""X@odata.type":"Edm.DateTime","X":"2012-11-10T03:04:05.2000000Z""#,
            r#""X@odata.type":"Edm.DateTime","X":"2012-11-10T03:04:05.2Z""#,
        ),
    ]
    .into_iter()
    .enumerate()
    {
        server.post("/people", &format!(r#"{{"PartitionKey":"p","RowKey":"{at}",{sent}}}"#)).expect(201);
        let read = server.get(&format!("/people(PartitionKey='p',RowKey='{at}')")).expect(200);
        assert!(read.body.ends_with(&format!("Z\",{returned}}}")), "{}", read.body);
    }
}

#[test]
fn values_beyond_their_limits_are_refused() {
    let server = Server::with_people();
    let long = format!(r#""X":"{}""#, "x".repeat(32_769));
    let large = {
        let value = "x".repeat(32_000);
        (0..17).map(|n| format!(r#""P{n}":"{value}""#)).collect::<Vec<_>>().join(",")
    };
    let many = (0..253).map(|n| format!("\"P{n}\":1")).collect::<Vec<_>>().join(",");
    let name = format!("\"{}\":1", "n".repeat(256));
    for (properties, code) in [
        (r#""X":2147483648"#, "InvalidInput"),
        (r#""X":1.8e308"#, "InvalidInput"),
        (r#""X":[1]"#, "InvalidInput"),
        (r#""X@odata.type":"Edm.Decimal","X":1"#, "InvalidInput"),
        (r#""X@odata.type":"Edm.Guid","X":1"#, "InvalidValueType"),
        (r#""X":1,"X":2"#, "DuplicatePropertiesSpecified"),
        (r#""a-b":1"#, "PropertyNameInvalid"),
        (&name, "PropertyNameTooLong"),
        (&long, "PropertyValueTooLarge"),
        (&large, "EntityTooLarge"),
        (&many, "TooManyProperties"),
    ] {
        let refused = server
            .post("/people", &format!(r#"{{"PartitionKey":"p","RowKey":"r",{properties}}}"#))
            .expect(400);
        assert_eq!(refused.code(), code);
    }
    let early =
        r#"{"PartitionKey":"p","RowKey":"r","X@odata.type":"Edm.DateTime","X":"0001-01-01T00:00:00Z"}"#;
    let message = "The 'X' parameter of value '01/01/0001 00:00:00' is out of range.";
    server.post("/people", early).refused(400, "OutOfRangeInput", message);
    assert_eq!(server.get("/people()").expect(200).json()["value"].as_array().unwrap().len(), 0);
}

#[test]
fn awkward_keys_are_stored_and_found() {
    let server = Server::with_people();
    for key in ["", "'", "''", "O'Brien", "100%", "%41", "a+b", "a b", "&=,()", "ö€𝄞", "\"<>{}|^`", "~-_.!*"]
    {
        let json = serde_json::json!({ "PartitionKey": key, "RowKey": key, "A": 1 }).to_string();
        let inserted = server.post("/people", &json).expect(201);
        let location = inserted.header("location").unwrap().to_owned();
        let address = location.split_once("/devstoreaccount1").unwrap().1;
        let read = server.get(address).expect(200).json();
        assert_eq!((&read["PartitionKey"], &read["RowKey"]), (&key.into(), &key.into()));
        let full = server
            .send(Request::new("GET", address).accept("application/json;odata=fullmetadata"))
            .expect(200);
        assert_eq!(full.json()["odata.id"], location);
        server.send(Request::new("PUT", address).json("{}").header("if-match", "*")).expect(204);
        server.send(Request::new("DELETE", address).header("if-match", "*")).expect(204);
        server.get(address).expect(404);
    }
}

#[test]
fn keys_with_forbidden_characters_are_refused_in_bodies_and_addresses() {
    let server = Server::with_people();
    for (character, encoded, code) in [
        ("/", "%2F", "InvalidInput"),
        ("\\", "%5C", "InvalidInput"),
        ("#", "%23", "OutOfRangeInput"),
        ("?", "%3F", "OutOfRangeInput"),
        ("\t", "%09", "OutOfRangeInput"),
        ("\u{80}", "%C2%80", "OutOfRangeInput"),
        ("\u{9f}", "%C2%9F", "OutOfRangeInput"),
    ] {
        let key = format!("a{character}b");
        let json = serde_json::json!({ "PartitionKey": "p", "RowKey": key }).to_string();
        let message = format!("The 'RowKey' parameter of value '{key}' is out of range.");
        server.post("/people", &json).refused(400, "OutOfRangeInput", &message);
        let address = format!("/people(PartitionKey='a{encoded}b',RowKey='')");
        let message = if code == "InvalidInput" {
            "Bad Request - Error in query syntax."
        } else {
            "One of the request inputs is out of range."
        };
        server.get(&address).refused(400, code, message);
        server.send(Request::new("PUT", &address).json("{}")).refused(400, code, message);
    }
}

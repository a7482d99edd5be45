use proptest::prelude::*;
use table_model::Timestamp;

use super::*;

fn read(
    method: &str,
    if_match: Option<&str>,
    if_none_match: Option<&str>,
    body: &str,
) -> Result<Operation, TableError> {
    let path = TablePath::Entity { table: "people".into(), partition_key: "p".into(), row_key: "r".into() };
    WriteHead { method, path: &path, if_match, if_none_match }.read(body.as_bytes())
}

#[test]
fn verb_and_condition_say_which_write_it_is() {
    let entity = || Entity::new("p", "r").with("A", 1);
    let body = r#"{"PartitionKey":"p","A":1}"#;
    let etag = "W/\"datetime'2017-08-30T13%3A20%3A33.413914Z'\"";
    let matches = || Condition::Matches(etag.parse().unwrap());
    let delete = |condition| Operation::Delete { partition_key: "p".into(), row_key: "r".into(), condition };
    for (method, if_match, expected) in [
        ("PUT", None, Operation::InsertOrReplace(entity())),
        ("PUT", Some("*"), Operation::Replace(entity(), Condition::Exists)),
        ("PUT", Some(etag), Operation::Replace(entity(), matches())),
        ("MERGE", None, Operation::InsertOrMerge(entity())),
        ("PATCH", Some(" * "), Operation::Merge(entity(), Condition::Exists)),
        ("PATCH", Some(etag), Operation::Merge(entity(), matches())),
        ("DELETE", Some("*"), delete(Condition::Exists)),
        ("DELETE", Some(etag), delete(matches())),
        ("DELETE", Some("W/\"datetime'2017-08-30T13:20:33.4139140Z'\""), delete(matches())),
    ] {
        assert_eq!(read(method, if_match, None, body).unwrap(), expected);
    }
}

#[test]
fn conditions_that_make_no_sense_are_refused_in_the_services_words() {
    for (method, if_match, if_none_match, message) in [
        ("DELETE", None, None, "One of the request inputs is not valid."),
        ("PUT", None, Some("*"), "If-None-Match HTTP header cannot be specified for PUT operations."),
        ("DELETE", None, Some("*"), "If-None-Match HTTP header cannot be specified for DELETE operations."),
        ("MERGE", Some("*"), Some("*"), BOTH),
        (
            "PUT",
            Some("\"x\""),
            None,
            "The etag value '\"x\"' specified in one of the request headers is not valid. Please make sure only one \
             etag value is specified and is valid.",
        ),
    ] {
        let error = read(method, if_match, if_none_match, "{}").unwrap_err();
        assert_eq!((error.code(), error.message()), (ErrorCode::InvalidInput, message));
    }
    assert_eq!(read("POST", None, None, "{}").unwrap_err().code(), ErrorCode::MethodNotAllowed);
}

#[test]
fn keys_in_the_body_are_those_of_the_address() {
    for body in [r#"{"PartitionKey":"x"}"#, r#"{"PartitionKey":"p","RowKey":""}"#] {
        assert_eq!(read("PUT", None, None, body).unwrap_err().code(), ErrorCode::InvalidInput);
    }
    let path = TablePath::Entities("people".into());
    let head = WriteHead { method: "POST", path: &path, if_match: None, if_none_match: None };
    for body in ["{}", r#"{"PartitionKey":"p"}"#, r#"{"PartitionKey":"p","RowKey":null}"#] {
        assert_eq!(head.read(body.as_bytes()).unwrap_err().code(), ErrorCode::PropertiesNeedValue);
    }
    assert_eq!(
        head.read(br#"{"PartitionKey":"","RowKey":""}"#).unwrap(),
        Operation::Insert(Entity::new("", ""))
    );
    // An update uses the keys of the address, and ignores type annotations of the keys in the body.
    let typed = r#"{"PartitionKey":"p","RowKey":"r","RowKey@odata.type":"Edm.Guid"}"#;
    assert_eq!(head.read(typed.as_bytes()).unwrap_err().code(), ErrorCode::InvalidInput);
    assert!(read("PUT", None, None, typed).is_ok());
}

#[test]
fn verbs_are_tunnelled_through_post_only_and_once() {
    let verb = |method, tunnelled: &[&'static str]| {
        effective_method(method, tunnelled.iter().copied()).map_err(|error| error.code())
    };
    assert_eq!(verb("PUT", &[]), Ok("PUT"));
    assert_eq!(verb("POST", &["MERGE"]), Ok("MERGE"));
    assert_eq!(verb("PUT", &["MERGE"]), Err(ErrorCode::XMethodNotUsingPost));
    assert_eq!(verb("POST", &["GET"]), Err(ErrorCode::XMethodIncorrectValue));
    assert_eq!(verb("POST", &["PUT", "PUT"]), Err(ErrorCode::XMethodIncorrectCount));
}

fn operations() -> impl Strategy<Value = Operation> {
    let key = "[a-z'% +ö]{0,6}";
    let condition = prop_oneof![
        Just(Condition::Exists),
        (0..=Timestamp::MAX.ticks())
            .prop_map(|ticks| ETag::from(Timestamp::from_ticks(ticks).unwrap()).into()),
    ];
    (key, key, any::<Option<i32>>(), condition, 0..6).prop_map(
        |(partition_key, row_key, value, condition, which)| {
            let mut entity = Entity::new(partition_key, row_key);
            if let Some(value) = value {
                entity.properties.set("A", value);
            }
            match which {
                0 => Operation::Insert(entity),
                1 => Operation::Replace(entity, condition),
                2 => Operation::Merge(entity, condition),
                3 => Operation::InsertOrReplace(entity),
                4 => Operation::InsertOrMerge(entity),
                _ => Operation::Delete {
                    partition_key: entity.partition_key,
                    row_key: entity.row_key,
                    condition,
                },
            }
        },
    )
}

proptest! {
    #[test]
    fn a_write_reads_back_from_its_request(operation in operations()) {
        let request = WriteRequest::of(&"people".parse().unwrap(), &operation);
        prop_assert_eq!(TablePath::parse(&request.path.to_string()).unwrap(), request.path.clone());
        prop_assert_eq!(request.head().read(request.body.as_bytes()).unwrap(), operation);
    }
}

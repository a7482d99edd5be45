//! Writes of one entity, as requests: which verb, which address, which condition, which body.

use table_store::{Condition, ETag, Entity, ErrorCode, Operation, TableError, TableName};

use super::{entity::EntityBody, path::TablePath};

/// A write as a request, alone or inside a batch.
///
/// ```
/// use table_rest::wire::operation::WriteRequest;
/// use table_store::{Condition, ETag, Entity, Operation};
///
/// let table = "people".parse()?;
/// let operation = Operation::Merge(Entity::new("p", "r").with("Age", 35), Condition::Exists);
/// let request = WriteRequest::of(&table, &operation);
/// assert_eq!(request.method, "PATCH");
/// assert_eq!(request.path.to_string(), "/people(PartitionKey='p',RowKey='r')");
/// assert_eq!(request.if_match.as_deref(), Some("*"));
/// assert_eq!(request.head().read(request.body.as_bytes())?, operation);
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRequest {
    /// The verb.
    pub method: &'static str,
    /// What is addressed: the table for an insert, else the entity.
    pub path: TablePath,
    /// The condition.
    pub if_match: Option<String>,
    /// The body; empty for a delete.
    pub body: String,
}

impl WriteRequest {
    /// The request for a write.
    #[must_use]
    pub fn of(table: &TableName, operation: &Operation) -> Self {
        let path = || TablePath::Entity {
            table: table.to_string(),
            partition_key: operation.partition_key().to_owned(),
            row_key: operation.row_key().to_owned(),
        };
        let (method, path, condition) = match operation {
            Operation::Insert(_) => ("POST", TablePath::Entities(table.to_string()), None),
            Operation::Replace(_, condition) => ("PUT", path(), Some(condition)),
            Operation::InsertOrReplace(_) => ("PUT", path(), None),
            Operation::Merge(_, condition) => ("PATCH", path(), Some(condition)),
            Operation::Delete { condition, .. } => ("DELETE", path(), Some(condition)),
            // The list is complete; a write that is added to it must be given a form here.
            _ => ("PATCH", path(), None),
        };
        let if_match = condition.map(|condition| match condition {
            Condition::Exists => "*".to_owned(),
            Condition::Matches(etag) => etag.to_string(),
        });
        Self { method, path, if_match, body: operation.entity().map(EntityBody::write).unwrap_or_default() }
    }

    /// All but the body.
    #[must_use]
    pub fn head(&self) -> WriteHead<'_> {
        let if_match = self.if_match.as_deref();
        WriteHead { method: self.method, path: &self.path, if_match, if_none_match: None }
    }
}

/// What a request to write says before its body.
#[derive(Clone, Copy, Debug)]
pub struct WriteHead<'a> {
    /// The verb, `X-HTTP-Method` considered.
    pub method: &'a str,
    /// What is addressed.
    pub path: &'a TablePath,
    /// `If-Match`, if it is there.
    pub if_match: Option<&'a str>,
    /// `If-None-Match`, if it is there.
    pub if_none_match: Option<&'a str>,
}

impl WriteHead<'_> {
    /// The write.
    ///
    /// # Errors
    /// `InvalidInput` for conditions that make no sense, a delete without one, and keys in the body that are not those of the
    /// address; `PropertiesNeedValue` for an insert without keys; `MethodNotAllowed` for another verb; what
    /// [`EntityBody::read`] says of the body.
    pub fn read(&self, body: &[u8]) -> Result<Operation, TableError> {
        let TablePath::Entity { partition_key, row_key, .. } = self.path else {
            return self.insert(body);
        };
        let condition = self.condition()?;
        if self.method == "DELETE" {
            let (partition_key, row_key) = (partition_key.clone(), row_key.clone());
            let condition = condition.ok_or(ErrorCode::InvalidInput)?;
            return Ok(Operation::Delete { partition_key, row_key, condition });
        }
        let entity = || {
            let read = EntityBody::read(body)?;
            let differs = |said: Option<String>, key: &String| said.is_some_and(|said| said != *key);
            if differs(read.partition_key, partition_key) || differs(read.row_key, row_key) {
                return Err(ErrorCode::InvalidInput.into());
            }
            let (partition_key, row_key) = (partition_key.clone(), row_key.clone());
            Ok::<_, TableError>(Entity { partition_key, row_key, properties: read.properties })
        };
        match (self.method, condition) {
            ("PUT", None) => Ok(Operation::InsertOrReplace(entity()?)),
            ("PUT", Some(condition)) => Ok(Operation::Replace(entity()?, condition)),
            ("MERGE" | "PATCH", None) => Ok(Operation::InsertOrMerge(entity()?)),
            ("MERGE" | "PATCH", Some(condition)) => Ok(Operation::Merge(entity()?, condition)),
            _ => Err(ErrorCode::MethodNotAllowed.into()),
        }
    }

    fn insert(&self, body: &[u8]) -> Result<Operation, TableError> {
        let (TablePath::Entities(_), "POST") = (self.path, self.method) else {
            return Err(ErrorCode::MethodNotAllowed.into());
        };
        let read = EntityBody::read(body)?;
        match (read.partition_key, read.row_key) {
            (Some(partition_key), Some(row_key)) => {
                Ok(Operation::Insert(Entity { partition_key, row_key, properties: read.properties }))
            }
            _ => Err(ErrorCode::PropertiesNeedValue.into()),
        }
    }

    /// `If-Match`, with the service's words for what is wrong with it.
    fn condition(&self) -> Result<Option<Condition>, TableError> {
        let invalid = |message: String| Err(TableError::with_message(ErrorCode::InvalidInput, message));
        match (self.if_match.map(str::trim), self.if_none_match) {
            (Some(_), Some(_)) => invalid(BOTH.to_owned()),
            (None, Some(_)) => invalid(format!(
                "If-None-Match HTTP header cannot be specified for {} operations.",
                self.method
            )),
            (Some("*"), None) => Ok(Some(Condition::Exists)),
            (Some(etag), None) => {
                let etag: ETag = etag.parse()?;
                // Some clients decode the colons of a version, or write all digits of its fraction.
                let etag = etag.timestamp().map_or(etag, ETag::from);
                Ok(Some(Condition::Matches(etag)))
            }
            (None, None) => Ok(None),
        }
    }
}

const BOTH: &str = "Both If-Match and If-None-Match HTTP headers cannot be specified at the same time. Please specify \
    either one of the headers or none of them.";

/// The verb that counts: that of `X-HTTP-Method` where it stands.
///
/// # Errors
/// `XMethodIncorrectCount`, `XMethodNotUsingPost`, `XMethodIncorrectValue`.
pub fn effective_method<'a>(
    method: &'a str,
    mut tunnelled: impl Iterator<Item = &'a str>,
) -> Result<&'a str, TableError> {
    let Some(verb) = tunnelled.next() else { return Ok(method) };
    if tunnelled.next().is_some() {
        return Err(ErrorCode::XMethodIncorrectCount.into());
    }
    if method != "POST" {
        return Err(ErrorCode::XMethodNotUsingPost.into());
    }
    match verb.trim() {
        verb @ ("MERGE" | "PATCH" | "PUT" | "DELETE") => Ok(verb),
        _ => Err(ErrorCode::XMethodIncorrectValue.into()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use table_store::Timestamp;

    use super::*;

    fn read(
        method: &str,
        if_match: Option<&str>,
        if_none_match: Option<&str>,
        body: &str,
    ) -> Result<Operation, TableError> {
        let path =
            TablePath::Entity { table: "people".into(), partition_key: "p".into(), row_key: "r".into() };
        WriteHead { method, path: &path, if_match, if_none_match }.read(body.as_bytes())
    }

    #[test]
    fn verb_and_condition_say_which_write_it_is() {
        let entity = || Entity::new("p", "r").with("A", 1);
        let body = r#"{"PartitionKey":"p","A":1}"#;
        let etag = "W/\"datetime'2017-08-30T13%3A20%3A33.413914Z'\"";
        let matches = || Condition::Matches(etag.parse().unwrap());
        let delete =
            |condition| Operation::Delete { partition_key: "p".into(), row_key: "r".into(), condition };
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
            (
                "DELETE",
                None,
                Some("*"),
                "If-None-Match HTTP header cannot be specified for DELETE operations.",
            ),
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
}

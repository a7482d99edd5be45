use table_model::{EdmType, Entity, Properties, TableError, Timestamp, ValueRef};

use super::parts::Parts;
use crate::wire::{
    json::Members,
    value::{annotation, push_text, push_time, push_value},
};

/// The entity in the body of a write. The keys are optional if the address contains them.
///
/// ```
/// use table_rest::wire::entity::EntityBody;
/// use table_model::Value;
///
/// let body = br#"{"PartitionKey":"p","Big":"255","Big@odata.type":"Edm.Int64","Gone":null,"odata.etag":"W/\"x\""}"#;
/// let read = EntityBody::read(body)?;
/// assert_eq!((read.partition_key.as_deref(), read.row_key), (Some("p"), None));
/// assert_eq!(read.properties.get("Big"), Some(&Value::from(255_i64)));
/// assert_eq!(read.properties.len(), 1);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityBody {
    /// The PartitionKey, if present.
    pub partition_key: Option<String>,
    /// The RowKey, if present.
    pub row_key: Option<String>,
    /// `true` if a key is annotated with a type other than string, which an insert rejects.
    pub has_typed_keys: bool,
    /// The user properties, without nulls, `Timestamp` and names that start with `odata.`.
    pub properties: Properties,
}

impl EntityBody {
    /// Reads a body. The store validates the entity itself.
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` if the body is not an object or a value is invalid for its type; `InvalidValueType`;
    /// `DuplicatePropertiesSpecified`; `TooManyProperties` if the number of members exceeds the parser limit.
    pub fn read(body: &[u8]) -> Result<Self, TableError> {
        let parts = Parts::of(Members::of(body)?)?;
        let mut properties = Properties::with_capacity(parts.properties.len());
        for (name, value) in parts.properties {
            properties.push_new(name.into_owned(), value.into_value());
        }
        Ok(Self {
            partition_key: parts.partition_key.map(Into::into),
            row_key: parts.row_key.map(Into::into),
            has_typed_keys: parts.has_typed_keys,
            properties,
        })
    }

    /// Writes the body for an entity, keys included.
    #[must_use]
    pub fn write(entity: &Entity) -> String {
        let Entity { partition_key, row_key, properties } = entity;
        let mut body = String::with_capacity(64 + 32 * properties.len());
        push_entity(&mut body, [partition_key, row_key], None, properties.refs());
        body
    }
}

/// Appends an entity as an object that [`EntityBody::read`] parses: PartitionKey and RowKey, the timestamp if present,
/// and the properties, with type annotations for types that JSON does not distinguish.
pub fn push_entity<'p>(
    into: &mut String,
    keys: [&str; 2],
    timestamp: Option<Timestamp>,
    properties: impl Iterator<Item = (&'p str, ValueRef<'p>)>,
) {
    for (before, key) in ["{\"PartitionKey\":", ",\"RowKey\":"].into_iter().zip(keys) {
        into.push_str(before);
        push_text(into, key);
    }
    if let Some(timestamp) = timestamp {
        into.push_str(",\"Timestamp\":\"");
        push_time(into, timestamp, ":");
        into.push('"');
    }
    for (name, value) in properties {
        into.push(',');
        if let Some(edm_type) = annotation(&value).or_else(|| whole(&value)) {
            push_annotation(into, name, edm_type.as_str());
        }
        push_text(into, name);
        into.push(':');
        push_value(into, &value);
    }
    into.push('}');
}

/// Returns the annotation for a Double without a fraction. JSON needs none for `10.0`, but some servers (Azurite) read
/// it as an integer.
fn whole(value: &ValueRef<'_>) -> Option<EdmType> {
    matches!(value, ValueRef::Double(number) if number.fract() == 0.0).then_some(EdmType::Double)
}

/// Appends an annotation such as `"Name@odata.type":"Edm.Int64",`.
pub(super) fn push_annotation(into: &mut String, name: &str, edm_type: &str) {
    push_text(into, name);
    // Continue inside the quotes that were just closed.
    into.pop();
    into.push_str("@odata.type\":\"");
    into.push_str(edm_type);
    into.push_str("\",");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use table_model::{ErrorCode, Uuid, Value};

    use super::*;

    fn code(body: &str) -> Option<ErrorCode> {
        EntityBody::read(body.as_bytes()).err().map(|error| error.code())
    }

    #[test]
    fn what_a_client_was_sent_it_may_send_again() {
        let body = r#"{"odata.metadata":"http://a/$metadata#t/@Element","odata.type":"a.t","odata.id":"http://a/t(..)",
            "odata.etag":"W/\"datetime'2017-01-05T03%3A25%3A36.9138667Z'\"","odata.editLink":"t(..)",
            "PartitionKey@odata.type":"Edm.String","PartitionKey":"p","RowKey":"r","Timestamp@odata.type":"Edm.DateTime",
            "Timestamp":"not looked at","X":4,"X@odata.type":"Edm.Double","S@odata.type":"Edm.String","S":"s"}"#;
        let read = EntityBody::read(body.as_bytes()).unwrap();
        assert_eq!(read.partition_key.as_deref(), Some("p"));
        let properties: Vec<_> = read.properties.into_iter().collect();
        assert_eq!(properties, [("X".into(), Value::from(4.0)), ("S".into(), "s".into())]);
        assert_eq!(code("\u{feff}{}"), None);
        assert_eq!(
            code(r#"{"PartitionKey":null,"Timestamp":null,"A@odata.type":"Edm.Guid","A":null}"#),
            None
        );
    }

    #[test]
    fn types_find_their_values_in_any_order() {
        let body = r#"{"A":"1","B":"2","C":"3","C@odata.type":"Edm.Int32","A@odata.type":"Edm.Int64","B@odata.type":"Edm.Double"}"#;
        let properties: Vec<_> = EntityBody::read(body.as_bytes()).unwrap().properties.into_iter().collect();
        assert_eq!(
            properties,
            [("A".into(), Value::from(1_i64)), ("B".into(), 2.0.into()), ("C".into(), 3.into())]
        );
    }

    #[test]
    fn a_name_stands_once() {
        for body in [
            r#"{"A":1,"A":1}"#,
            r#"{"A":null,"A":1}"#,
            r#"{"PartitionKey":"a","PartitionKey":"b"}"#,
            r#"{"A":"1","A@odata.type":"Edm.Int32","A@odata.type":"Edm.Int64"}"#,
            r#"{"A":1,"\u0041":2}"#,
        ] {
            assert_eq!(code(body), Some(ErrorCode::DuplicatePropertiesSpecified), "{body}");
        }
        let many = |last: &str| {
            let members: Vec<_> = (0..40).map(|n| format!("\"P{n}\":1")).collect();
            format!("{{{},\"{last}\":1}}", members.join(","))
        };
        assert_eq!(code(&many("P39")), Some(ErrorCode::DuplicatePropertiesSpecified));
        assert_eq!(code(&many("p39")), None);
    }

    #[test]
    fn hostile_bodies_are_refused() {
        let deep = format!("{{\"A\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        for body in [
            "",
            "[]",
            "null",
            "{",
            "{\"A\":1",
            "{\"A\":[1]}",
            "{\"A\":{\"B\":1}}",
            "{\"A\" 1}",
            "{A:1}",
            "{}x",
            &deep,
        ] {
            assert_eq!(code(body), Some(ErrorCode::InvalidInput), "{}", body.get(..20).unwrap_or(body));
        }
        assert_eq!(code(r#"{"PartitionKey":1}"#), Some(ErrorCode::InvalidInput));
        for (said, is_typed) in [("Edm.Guid", true), ("Edm.DateTime", true), ("Edm.String", false)] {
            let body = format!(r#"{{"RowKey":"","RowKey@odata.type":"{said}"}}"#);
            let read = EntityBody::read(body.as_bytes()).unwrap();
            assert_eq!(read.has_typed_keys, is_typed, "{said}");
        }
        assert_eq!(code(r#"{"A":1,"A@odata.type":1}"#), Some(ErrorCode::InvalidInput));
        assert!(EntityBody::read(b"{\"A\":\"\xff\"}").is_err());
        let members: Vec<_> = (0..1025).map(|n| format!("\"P{n}\":null")).collect();
        assert_eq!(code(&format!("{{{}}}", members.join(","))), Some(ErrorCode::TooManyProperties));
    }

    fn values() -> impl Strategy<Value = Value> {
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..20).prop_map(Value::Binary),
            any::<bool>().prop_map(Value::Boolean),
            (0..=Timestamp::MAX.ticks())
                .prop_map(|ticks| Value::DateTime(Timestamp::from_ticks(ticks).unwrap())),
            any::<f64>().prop_map(|number| Value::Double(number + 0.0)),
            any::<u128>().prop_map(|id| Value::Guid(Uuid::from_u128(id))),
            any::<i32>().prop_map(Value::Int32),
            any::<i64>().prop_map(Value::Int64),
            any::<String>().prop_map(Value::String),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            partition_key in any::<String>(),
            row_key in any::<String>(),
            properties in prop::collection::btree_map("[a-zß_][a-z0-9]{0,6}", values(), 0..20),
        ) {
            let properties: Properties = properties.into_iter().collect();
            let entity = Entity { partition_key, row_key, properties };
            let read = EntityBody::read(EntityBody::write(&entity).as_bytes()).unwrap();
            prop_assert_eq!(read.partition_key, Some(entity.partition_key));
            prop_assert_eq!(read.row_key, Some(entity.row_key));
            // NaN has a single wire form and many bit patterns in memory.
            for ((name, read), (_, written)) in read.properties.iter().zip(&entity.properties) {
                let nan = |value: &Value| matches!(value, Value::Double(number) if number.is_nan());
                prop_assert!(read == written || nan(read) && nan(written), "{}: {:?}, {:?}", name, read, written);
            }
            prop_assert_eq!(read.properties.len(), entity.properties.len());
        }
    }
}

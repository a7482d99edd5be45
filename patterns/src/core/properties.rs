//! Encoding and decoding of a row's properties.

use std::{any::type_name, cmp::Ordering};

use table_model::{EdmType, Properties, PropertiesRef, TableName, Value, ValueRef, packed::PropertyCursor};

use crate::{
    Address, Blob, ValueError,
    core::{
        blob::{put::Put, reference::Reference},
        error::property::PropertyError,
        place::Place,
        reserved::ENTITY_TYPE,
        sealing::{DecryptError, Sealing},
        unread::is_of_library,
    },
};

/// Collects the properties of one entity.
#[derive(Debug)]
pub struct Writer {
    properties: Properties,
    /// Values of blob fields, including fields without a value.
    blobs: Vec<Put>,
}

impl Writer {
    /// Creates a writer with capacity for `count` properties.
    pub fn with_capacity(count: usize) -> Self {
        Self { properties: Properties::with_capacity(count), blobs: Vec::new() }
    }

    pub(crate) fn put(
        &mut self,
        name: &'static str,
        value: Result<Option<Value>, ValueError>,
    ) -> Result<(), PropertyError> {
        match value {
            Ok(Some(value)) => self.properties.push_new(name, value),
            Ok(None) => {}
            Err(reason) => return Err(PropertyError { property: name.into(), reason }),
        }
        Ok(())
    }

    /// Adds the value of a blob field.
    pub(crate) fn put_blob(&mut self, property: &'static str, inline: usize, value: Option<&Blob>) {
        self.blobs.push(Put { property: property.into(), inline, value: value.cloned() });
    }

    pub(crate) fn into_properties(self) -> Properties {
        self.properties
    }

    /// Returns the properties, and the values of blob fields.
    pub(crate) fn into_parts(self) -> (Properties, Vec<Put>) {
        (self.properties, self.blobs)
    }
}

/// Reads the properties of one row. They are expected in the order in which the same code writes them.
#[derive(Debug)]
pub struct Reader<'r> {
    stored: PropertyCursor<'r>,
    /// Properties that are not read from the row: its key contains them, or an older version wrote the row.
    given: Vec<(&'static str, Given)>,
    /// Encryption keys, and the row identity that encrypted properties are bound to.
    sealing: Option<&'r Sealing>,
    place: Place<'r>,
}

/// The value of a property, or that it is missing.
#[derive(Debug)]
struct Given(Option<Value>);

impl<'r> Reader<'r> {
    pub(crate) fn new(properties: PropertiesRef<'r>, sealing: Option<&'r Sealing>, place: Place<'r>) -> Self {
        Self { stored: properties.cursor(), given: Vec::new(), sealing, place }
    }

    /// Adds a property that the row's key contains.
    pub(crate) fn give(&mut self, name: &'static str, value: Option<Value>) {
        self.given.extend(value.map(|value| (name, Given(Some(value)))));
    }

    /// Sets properties that are read instead of those of the row. Values are not encrypted.
    pub(crate) fn replace(&mut self, values: Vec<(&'static str, Option<Value>)>) {
        self.given.extend(values.into_iter().map(|(name, value)| (name, Given(value))));
    }

    pub(crate) fn take<T>(
        &mut self,
        name: &'static str,
        read: fn(Option<Value>) -> Result<T, ValueError>,
    ) -> Result<T, PropertyError> {
        let value = match self.take_given(name) {
            Some(Given(value)) => value,
            None => self.stored.get(name).map(|value| value.to_value()),
        };
        read(value).map_err(|reason| PropertyError { property: name.into(), reason })
    }

    fn take_given(&mut self, name: &str) -> Option<Given> {
        if self.given.is_empty() {
            return None;
        }
        let at = self.given.iter().position(|(given, _)| *given == name)?;
        Some(self.given.swap_remove(at).1)
    }

    /// Reads an encrypted property. Errors do not contain its value.
    pub(crate) fn take_sealed<T>(
        &mut self,
        name: &'static str,
        read: fn(Option<Value>) -> Result<T, ValueError>,
    ) -> Result<T, PropertyError> {
        let opened = match (self.take_given(name), self.stored.get(name), self.sealing) {
            (Some(Given(value)), ..) => Ok(value),
            (None, None, _) => Ok(None),
            (None, Some(value), Some(sealing)) => sealing.open(self.place, name, value).map(Some),
            (None, Some(_), None) => Err(DecryptError::NoKeys),
        };
        let read = opened.map_err(ValueError::Encrypted).and_then(|value| {
            let found = value.as_ref().map(Value::edm_type);
            read(value).map_err(|reason| reason.hidden(type_name::<T>(), found))
        });
        read.map_err(|reason| PropertyError { property: name.into(), reason })
    }

    /// Reads the value of a blob field: the bytes themselves, or the reference to a blob.
    pub(crate) fn take_blob(&mut self, name: &'static str) -> Result<Option<Blob>, PropertyError> {
        let fail = |reason| PropertyError { property: name.into(), reason };
        let given = self.take_given(name);
        let value = match &given {
            Some(Given(value)) => value.as_ref().map(ValueRef::from),
            None => self.stored.get(name),
        };
        match value {
            None => Ok(None),
            Some(ValueRef::Binary(bytes)) => Ok(Some(Blob::new(bytes.to_vec()))),
            Some(ValueRef::String(text)) => {
                let reference = Reference::parse(text);
                let unreadable =
                    || ValueError::unreadable(text, "a reference with the name, length and hash of a blob");
                let reference = reference.ok_or_else(|| fail(unreadable()))?;
                Ok(Some(Blob::kept(self.owner().map_err(fail)?, name, reference)))
            }
            Some(other) => {
                let (expected, found) = (EdmType::Binary, other.edm_type());
                Err(fail(ValueError::Type { expected, found }))
            }
        }
    }

    /// Returns whether the row may contain properties that were not read. A type without `EntityType` does not know that
    /// property.
    pub(crate) fn may_hold_more(&self, is_typed: bool) -> bool {
        let is_type = |name: &[u8]| !is_typed && name == ENTITY_TYPE.as_bytes();
        self.stored.rest().is_none_or(|mut rest| rest.any(|name| is_type(name) || !is_of_library(name)))
    }

    /// Returns the address of the row.
    fn owner(&self) -> Result<Address, ValueError> {
        let Place { table, partition_key, row_key } = self.place;
        let table = TableName::new(table).map_err(|_| ValueError::unreadable(table, "a table name"))?;
        Ok(Address { table, partition_key: partition_key.to_owned(), row_key: row_key.to_owned() })
    }

    /// Checks that a property that repeats a part of the key is equal to it, if the row contains the property.
    pub(crate) fn same(
        &mut self,
        name: &'static str,
        key: Result<Option<Value>, ValueError>,
    ) -> Result<(), PropertyError> {
        let fail = |reason| PropertyError { property: name.into(), reason };
        let Some(found) = self.stored.get(name) else { return Ok(()) };
        match key.map_err(fail)? {
            Some(key) if !is_same(&key, found) => {
                let found = found.to_value();
                Err(fail(ValueError::KeyDiffers { property: format!("{found:?}"), key: format!("{key:?}") }))
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether a property is equal to its key part. A key does not distinguish the two zeros of a float.
fn is_same(key: &Value, found: ValueRef<'_>) -> bool {
    match (key, found) {
        (Value::Double(key), ValueRef::Double(found)) => key.partial_cmp(&found) == Some(Ordering::Equal),
        _ => key.as_ref() == found,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use table_model::{Rows, Timestamp, rows::RowHead};

    use super::*;
    use crate::TableValue;

    /// Calls `read` with a reader for these properties.
    pub(crate) fn reading<T>(properties: &Properties, read: impl FnOnce(&mut Reader<'_>) -> T) -> T {
        let mut rows = Rows::new();
        rows.push(RowHead::whole("", "", Timestamp::MIN), properties.refs()).unwrap();
        let nowhere = Place { table: "", partition_key: "", row_key: "" };
        read(&mut Reader::new(rows.get(0).unwrap().properties, None, nowhere))
    }

    #[test]
    fn reads_in_any_order_and_skips_what_is_absent() {
        let properties: Properties = [("a", 1), ("c", 3), ("b", 2)].into_iter().collect();
        reading(&properties, |reader| {
            assert_eq!(reader.take("a", i32::take), Ok(1));
            assert_eq!(reader.take("x", <Option<i32> as TableValue>::take), Ok(None));
            assert_eq!(reader.take("b", i32::take), Ok(2));
            assert_eq!(reader.take("c", i32::take), Ok(3));
            assert_eq!(reader.take("y", i32::take).unwrap_err().property, "y");
        });
    }

    #[test]
    fn a_property_that_contradicts_the_key_is_an_error() {
        let properties: Properties = [("id", 7)].into_iter().collect();
        let same = |name, key: i32| reading(&properties, |row| row.same(name, key.put()));
        assert_eq!(same("id", 7), Ok(()));
        let error = same("id", 8).unwrap_err();
        assert!(matches!(error.reason, ValueError::KeyDiffers { .. }), "{error:?}");
        assert_eq!(same("absent", 8), Ok(()));

        let zero: Properties = [("x", -0.0)].into_iter().collect();
        assert_eq!(reading(&zero, |row| row.same("x", 0.0.put())), Ok(()), "a key has one zero");
    }
}

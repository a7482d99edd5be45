//! Encoding and decoding of a row's properties.

use std::{any::type_name, cell::RefMut, cmp::Ordering};

use table_model::{EdmType, Properties, PropertiesRef, TableName, Value, ValueRef, packed::PropertyCursor};

use crate::{
    Address, Blob, ValueError,
    core::{
        blob::{put::Put, reference::Reference},
        decode_cache::DesignShape,
        encryption::{DecryptError, Sealing},
        error::property::PropertyError,
        place::Place,
        reserved::ENTITY_TYPE,
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
    stored: StoredProperties<'r>,
    /// Properties that are not read from the row: its key contains them, or an older version wrote the row.
    given: Vec<(&'static str, Given)>,
    /// Encryption keys, and the row identity that encrypted properties are bound to.
    sealing: Option<&'r Sealing>,
    place: Place<'r>,
}

/// The properties of the row.
#[derive(Debug)]
enum StoredProperties<'r> {
    /// A single row.
    Cursor(PropertyCursor<'r>),
    /// A row of a run, and the number of lookups in it.
    Shaped(PropertiesRef<'r>, RefMut<'r, DesignShape>, usize),
}

impl<'r> StoredProperties<'r> {
    fn get(&mut self, name: &'static str) -> Option<ValueRef<'r>> {
        match self {
            Self::Cursor(cursor) => by_name(cursor, name),
            Self::Shaped(properties, known, count) => {
                let number = *count;
                *count += 1;
                known.shape.lookup(*properties, number, name)
            }
        }
    }
}

/// Searches a property of a single row. Not inlined, so that the lookups in the rows of a run remain short.
#[inline(never)]
fn by_name<'r>(cursor: &mut PropertyCursor<'r>, name: &str) -> Option<ValueRef<'r>> {
    cursor.get(name)
}

/// The value of a property, or that it is missing.
#[derive(Debug)]
struct Given(Option<Value>);

impl<'r> Reader<'r> {
    pub(crate) fn new(properties: PropertiesRef<'r>, sealing: Option<&'r Sealing>, place: Place<'r>) -> Self {
        Self { stored: StoredProperties::Cursor(properties.cursor()), given: Vec::new(), sealing, place }
    }

    /// Uses what earlier rows of the same shape have shown.
    #[must_use]
    pub(crate) fn with_shape(self, shape: Option<RefMut<'r, DesignShape>>) -> Self {
        match (self.stored, shape) {
            (StoredProperties::Cursor(cursor), Some(shape)) => {
                Self { stored: StoredProperties::Shaped(cursor.properties(), shape, 0), ..self }
            }
            (stored, _) => Self { stored, ..self },
        }
    }

    /// Adds a property that the row's key contains.
    pub(crate) fn give(&mut self, name: &'static str, value: Option<Value>) {
        self.given.extend(value.map(|value| (name, Given(Some(value)))));
    }

    /// Sets properties that are read instead of those of the row. Values are not encrypted.
    pub(crate) fn replace(&mut self, values: Vec<(&'static str, Option<Value>)>) {
        self.given.extend(values.into_iter().map(|(name, value)| (name, Given(value))));
    }

    #[inline]
    pub(crate) fn take<T>(
        &mut self,
        name: &'static str,
        read: fn(Option<ValueRef<'_>>) -> Result<T, ValueError>,
    ) -> Result<T, PropertyError> {
        let read = match self.take_given(name) {
            Some(Given(value)) => read(value.as_ref().map(Value::as_ref)),
            None => read(self.stored.get(name)),
        };
        read.map_err(|reason| PropertyError { property: name.into(), reason })
    }

    #[inline]
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
        read: fn(Option<ValueRef<'_>>) -> Result<T, ValueError>,
    ) -> Result<T, PropertyError> {
        let opened = match (self.take_given(name), self.stored.get(name), self.sealing) {
            (Some(Given(value)), ..) => Ok(value),
            (None, None, _) => Ok(None),
            (None, Some(value), Some(sealing)) => sealing.open(self.place, name, value).map(Some),
            (None, Some(_), None) => Err(DecryptError::NoKeys),
        };
        let read = opened.map_err(ValueError::Encrypted).and_then(|value| {
            let found = value.as_ref().map(Value::edm_type);
            read(value.as_ref().map(Value::as_ref)).map_err(|reason| reason.hidden(type_name::<T>(), found))
        });
        read.map_err(|reason| PropertyError { property: name.into(), reason })
    }

    /// Reads a string in place. Returns `None` if the row does not contain the property. A row that is read in place has
    /// no given properties.
    ///
    /// # Errors
    /// Returns an error if the property has another type.
    #[inline]
    pub fn str(&mut self, name: &'static str) -> Result<Option<&'r str>, PropertyError> {
        match self.stored.get(name) {
            None => Ok(None),
            Some(ValueRef::String(text)) => Ok(Some(text)),
            Some(other) => Err(mismatch(name, EdmType::String, other)),
        }
    }

    /// Reads bytes in place, like [`str`](Self::str).
    ///
    /// # Errors
    /// Returns an error if the property has another type.
    #[inline]
    pub fn bytes(&mut self, name: &'static str) -> Result<Option<&'r [u8]>, PropertyError> {
        match self.stored.get(name) {
            None => Ok(None),
            Some(ValueRef::Binary(bytes)) => Ok(Some(bytes)),
            Some(other) => Err(mismatch(name, EdmType::Binary, other)),
        }
    }

    /// Returns the value of a property that is not optional.
    ///
    /// # Errors
    /// Returns an error if the value is missing.
    #[inline]
    pub fn required<T>(name: &'static str, value: Option<T>) -> Result<T, PropertyError> {
        value.ok_or_else(|| PropertyError { property: name.into(), reason: ValueError::Missing })
    }

    /// Returns a string of the key, if the property that repeats it is equal or missing.
    ///
    /// # Errors
    /// Returns an error if the property has another value.
    pub fn same_str(&mut self, name: &'static str, key: &'r str) -> Result<&'r str, PropertyError> {
        match self.stored.get(name) {
            Some(found) if found != ValueRef::String(key) => Err(mismatch(name, EdmType::String, found)),
            _ => Ok(key),
        }
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
    pub(crate) fn may_hold_more(&mut self, is_typed: bool) -> bool {
        let is_relevant = |name: &[u8]| !is_typed && name == ENTITY_TYPE.as_bytes() || !is_of_library(name);
        match &mut self.stored {
            StoredProperties::Cursor(cursor) => cursor.rest().is_none_or(|mut rest| rest.any(is_relevant)),
            StoredProperties::Shaped(_, known, count) => !known.shape.were_read(*count, is_relevant),
        }
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

#[cold]
fn mismatch(name: &'static str, expected: EdmType, found: ValueRef<'_>) -> PropertyError {
    PropertyError { property: name.into(), reason: ValueError::Type { expected, found: found.edm_type() } }
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
            assert_eq!(reader.take("a", i32::take_ref), Ok(1));
            assert_eq!(reader.take("x", <Option<i32> as TableValue>::take_ref), Ok(None));
            assert_eq!(reader.take("b", i32::take_ref), Ok(2));
            assert_eq!(reader.take("c", i32::take_ref), Ok(3));
            assert_eq!(reader.take("y", i32::take_ref).unwrap_err().property, "y");
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

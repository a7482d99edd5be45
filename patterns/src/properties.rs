//! Properties on their way into and out of a row.

use std::cmp::Ordering;

use table_store::{Name, Properties, Value};

use crate::ValueError;

/// A value that a property cannot hold, or that could not be read from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    /// The property's stored name.
    pub property: Name,
    /// Why.
    pub why: ValueError,
}

/// Takes the properties of one entity.
#[derive(Debug)]
pub struct Writer(Properties);

impl Writer {
    /// With room for `count`.
    pub fn with_capacity(count: usize) -> Self {
        Self(Properties::with_capacity(count))
    }

    pub(crate) fn put(
        &mut self,
        name: &'static str,
        value: Result<Option<Value>, ValueError>,
    ) -> Result<(), PropertyError> {
        match value {
            Ok(Some(value)) => self.0.push_new(name, value),
            Ok(None) => {}
            Err(why) => return Err(PropertyError { property: name.into(), why }),
        }
        Ok(())
    }

    pub(crate) fn into_properties(self) -> Properties {
        self.0
    }
}

/// Gives the properties of one row.
#[derive(Debug)]
pub struct Reader {
    properties: Properties,
    /// Where the next property stands if the row was written by the same code: properties are read in the order in
    /// which they are written, and an absent one leaves no gap.
    next: usize,
}

impl Reader {
    pub(crate) const fn new(properties: Properties) -> Self {
        Self { properties, next: 0 }
    }

    pub(crate) fn take<T>(
        &mut self,
        name: &'static str,
        read: fn(Option<Value>) -> Result<T, ValueError>,
    ) -> Result<T, PropertyError> {
        let value = self.properties.take(name, self.next);
        self.next += usize::from(value.is_some());
        read(value).map_err(|why| PropertyError { property: name.into(), why })
    }

    /// Checks that a property that repeats a part of the key says the same as the key, where the row has it.
    pub(crate) fn same(
        &mut self,
        name: &'static str,
        key: Result<Option<Value>, ValueError>,
    ) -> Result<(), PropertyError> {
        let fail = |why| PropertyError { property: name.into(), why };
        let Some(found) = self.properties.take(name, self.next) else { return Ok(()) };
        self.next += 1;
        match key.map_err(fail)? {
            Some(key) if !is_same(&key, &found) => {
                Err(fail(ValueError::KeyDiffers { property: format!("{found:?}"), key: format!("{key:?}") }))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a property repeats its key. The two zeros of a float are one in a key.
fn is_same(key: &Value, found: &Value) -> bool {
    match (key, found) {
        (Value::Double(key), Value::Double(found)) => key.partial_cmp(found) == Some(Ordering::Equal),
        _ => key == found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableValue;

    #[test]
    fn reads_in_any_order_and_skips_what_is_absent() {
        let properties: Properties = [("a", 1), ("c", 3), ("b", 2)].into_iter().collect();
        let mut reader = Reader::new(properties);
        assert_eq!(reader.take("a", i32::take), Ok(1));
        assert_eq!(reader.take("x", <Option<i32> as TableValue>::take), Ok(None));
        assert_eq!(reader.take("b", i32::take), Ok(2));
        assert_eq!(reader.take("c", i32::take), Ok(3));
        assert_eq!(reader.take("y", i32::take).unwrap_err().property, "y");
    }

    #[test]
    fn a_property_that_contradicts_the_key_is_an_error() {
        let row = || Reader::new([("id", 7)].into_iter().collect());
        assert_eq!(row().same("id", 7.put()), Ok(()));
        let error = row().same("id", 8.put()).unwrap_err();
        assert!(matches!(error.why, ValueError::KeyDiffers { .. }), "{error:?}");
        assert_eq!(row().same("absent", 8.put()), Ok(()));

        let mut row = Reader::new([("x", -0.0)].into_iter().collect());
        assert_eq!(row.same("x", 0.0.put()), Ok(()), "a key has one zero");
    }
}

use std::borrow::Cow;

use serde::{Serialize, de::DeserializeOwned};
use table_model::{Value, ValueRef};

use super::{Field, no_comparisons};
use crate::{TableValue, ValueError};

/// A property that stores any serde type as JSON text: `#[table(json)]`.
#[derive(Debug)]
pub enum Json {}

impl<T> Field<T, Json> {
    /// Creates the property that is stored as `name`.
    #[doc(hidden)]
    pub const fn json(name: &'static str) -> Self
    where
        T: Serialize + DeserializeOwned,
    {
        Self { put: put::<T>, take: take::<T>, ..Self::unusable(name) }
    }

    /// Sets the type's default as the value of rows without the property: `#[table(json, default)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn or_default(self) -> Self
    where
        T: DeserializeOwned + Default,
    {
        Self { take: take_or_default::<T>, ..self }
    }
}

no_comparisons!(impl<T> Field<T, Json>: IsComparable);

/// Never implemented. The trait exists for its diagnostic message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a JSON property cannot be used in a filter",
    label = "stored as JSON text",
    note = "filters cannot read JSON; store the value to filter on in a separate property"
)]
pub trait IsComparable {}

fn put<T: Serialize>(value: &T) -> Result<Option<Value>, ValueError> {
    let text = serde_json::to_string(value).map_err(|error| ValueError::Json(error.to_string()))?;
    text.put()
}

fn take<T: DeserializeOwned>(value: Option<ValueRef<'_>>) -> Result<T, ValueError> {
    let text = match value {
        Some(ValueRef::String(text)) => Cow::Borrowed(text),
        other => String::take_ref(other)?.into(),
    };
    serde_json::from_str(&text).map_err(|error| ValueError::Json(error.to_string()))
}

/// Reads a JSON property, or calls `default` for a row without it.
///
/// # Errors
/// Returns an error if the value does not fit.
pub fn json_or<T: DeserializeOwned>(
    value: Option<ValueRef<'_>>,
    default: fn() -> T,
) -> Result<T, ValueError> {
    if value.is_none() { Ok(default()) } else { take(value) }
}

fn take_or_default<T: DeserializeOwned + Default>(value: Option<ValueRef<'_>>) -> Result<T, ValueError> {
    json_or(value, T::default)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::properties::{Writer, tests::reading};

    #[test]
    fn any_serde_type_is_kept_as_text() {
        let field = Field::<Vec<String>, Json>::json("tags");
        let mut writer = Writer::with_capacity(1);
        let tags = vec!["a".to_owned(), "b".to_owned()];
        field.put(&tags, &mut writer).unwrap();
        let properties = writer.into_properties();
        assert_eq!(properties.get("tags"), Some(&Value::from(r#"["a","b"]"#)));
        assert_eq!(reading(&properties, |row| field.take(row)), Ok(tags));
    }

    #[test]
    fn broken_json_and_a_missing_property_are_errors_unless_there_is_a_default() {
        let field = Field::<Vec<String>, Json>::json("tags");
        let mut broken = table_model::Properties::new();
        broken.set("tags", "[");
        let error = reading(&broken, |row| field.take(row)).unwrap_err();
        assert!(matches!(error.reason, ValueError::Json(_)), "{error:?}");

        let empty = table_model::Properties::new();
        assert_eq!(reading(&empty, |row| field.take(row)).unwrap_err().reason, ValueError::Missing);
        assert_eq!(reading(&empty, |row| field.or_default().take(row)), Ok(Vec::new()));
    }
}

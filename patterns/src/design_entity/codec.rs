//! Values of a field kind at run time, encoded and decoded by the Rust type that the generator would write.

use table_model::{Timestamp, Uuid, Value};
use table_schema::{
    design::{FieldDesign, FieldKind},
    key::KeyValue,
    language::Literal,
};

use crate::{
    Date, TableValue, ValueError,
    core::key::{
        KeyReader, Num,
        value::{self, FieldValue},
    },
};

/// Evaluates an expression with the Rust type of a numeric kind, otherwise another expression.
macro_rules! with_number {
    ($kind:expr, $type:ident => $do:expr, $other:expr) => {
        with_number!(@ $kind, $type, $do, $other,
            (8, true): i8, (16, true): i16, (32, true): i32, (64, true): i64,
            (8, false): u8, (16, false): u16, (32, false): u32, (64, false): u64;
            32: f32, 64: f64)
    };
    (@ $kind:expr, $type:ident, $do:expr, $other:expr,
        $(($bits:literal, $signed:literal): $int:ty),*; $($width:literal: $float:ty),*) => {
        match $kind {
            $(FieldKind::Int { bits: $bits, signed: $signed } => { type $type = $int; $do })*
            $(FieldKind::Float { bits: $width } => { type $type = $float; $do })*
            _ => $other,
        }
    };
}

/// Evaluates an expression with the Rust type of a kind. JSON is kept as text, because the user's type may write its keys
/// in another order.
macro_rules! with_type {
    ($kind:expr, $type:ident => $do:expr, $other:expr) => {
        match $kind {
            FieldKind::Text { .. } | FieldKind::Json { .. } | FieldKind::Enum { .. } => {
                type $type = String;
                $do
            }
            FieldKind::Bool => { type $type = bool; $do }
            FieldKind::Time => { type $type = Timestamp; $do }
            FieldKind::Date => { type $type = Date; $do }
            FieldKind::Guid => { type $type = Uuid; $do }
            FieldKind::Binary { .. } => { type $type = Vec<u8>; $do }
            number => with_number!(number, $type => $do, $other),
        }
    };
}

/// Returns the name of the Rust type, or `None` for a kind whose values are not stored in a property, or not specified.
pub(super) fn type_name(kind: &FieldKind) -> Option<&'static str> {
    match kind {
        FieldKind::Enum { variants } if variants.is_empty() => None,
        kind => with_type!(kind, T => Some(std::any::type_name::<T>()), None),
    }
}

/// Decodes a stored value as its type and encodes it again.
pub(super) fn again(kind: &FieldKind, value: Value) -> Result<Value, ValueError> {
    let again = with_type!(kind, T => T::from_value(value)?.to_value()?, return Err(ValueError::Missing));
    match (kind, &again) {
        (FieldKind::Enum { variants }, Value::String(text)) if !variants.contains(text) => {
            Err(ValueError::unreadable(text, format!("one of {}", variants.join(", "))))
        }
        (FieldKind::Json { .. }, Value::String(text)) => {
            let read: Result<serde::de::IgnoredAny, _> = serde_json::from_str(text);
            read.map(|_| again).map_err(|error| ValueError::Json(error.to_string()))
        }
        _ => Ok(again),
    }
}

/// Returns the value of a default: the type's own default (0, false, the empty string), or a word of an enum. Returns
/// `None` if the design does not determine the value.
pub(super) fn default_of(field: &FieldDesign) -> Option<Value> {
    let written = field.default.as_deref()?;
    match &field.kind {
        FieldKind::Text { .. } => (written == "\"\"").then(|| Value::from("")),
        FieldKind::Bool => (written == "false").then_some(Value::Boolean(false)),
        FieldKind::Enum { .. } => field.default_word().map(Value::from),
        number => {
            written.parse::<f64>().ok().filter(|number| *number == 0.0)?;
            with_number!(number, T => T::default().to_value().ok(), None)
        }
    }
}

/// Returns a stored value in its key form.
pub(super) fn in_key(kind: &FieldKind, stored: &Value) -> FieldValue<'static> {
    let stored = stored.clone();
    match kind {
        FieldKind::Text { .. } | FieldKind::Enum { .. } => {
            String::from_value(stored).map(|text| KeyValue::Text(text.into()))
        }
        FieldKind::Bool => Ok(KeyValue::Flag(bool::from_value(stored)?)),
        FieldKind::Time => value::time(&Timestamp::from_value(stored)?),
        FieldKind::Date => value::time(&Date::from_value(stored)?),
        FieldKind::Guid => value::id(&Uuid::from_value(stored)?),
        number => with_number!(number, T => Ok(T::from_value(stored)?.to_number()), Err(ValueError::Missing)),
    }
}

/// Reads the next template field of a key. Returns the value in its key form, and as stored. Some numbers are valid
/// only in keys.
pub(super) fn read(
    kind: &FieldKind,
    keys: &mut KeyReader<'_>,
) -> Option<(KeyValue<'static>, Result<Value, ValueError>)> {
    Some(match kind {
        FieldKind::Text { .. } => {
            let text = keys.text::<String>()?;
            (KeyValue::Text(text.clone().into()), text.to_value())
        }
        FieldKind::Enum { variants } => {
            let text = keys.text::<String>().filter(|text| variants.contains(text))?;
            (KeyValue::Text(text.clone().into()), text.to_value())
        }
        FieldKind::Bool => {
            let flag = keys.flag::<bool>()?;
            (KeyValue::Flag(flag), flag.to_value())
        }
        FieldKind::Time => {
            let time = keys.time::<Timestamp>()?;
            (value::time(&time).ok()?, time.to_value())
        }
        FieldKind::Date => {
            let date = keys.time::<Date>()?;
            (value::time(&date).ok()?, date.to_value())
        }
        FieldKind::Guid => {
            let id = keys.id::<Uuid>()?;
            (value::id(&id).ok()?, id.to_value())
        }
        number => {
            with_number!(number, T => keys.num::<T>().map(|number| (number.to_number(), number.to_value())), None)?
        }
    })
}

/// Returns the value that a condition compares with, or `None` if it is invalid for the type.
pub(super) fn literal(kind: &FieldKind, literal: &Literal) -> Option<Value> {
    let (Literal::Word(text) | Literal::Number(text) | Literal::Text(text)) = literal;
    match kind {
        FieldKind::Text { .. } => Some(Value::from(text.as_str())),
        FieldKind::Enum { variants } => variants.contains(text).then(|| Value::from(text.as_str())),
        FieldKind::Bool => text.parse().ok().map(Value::Boolean),
        FieldKind::Time => text.parse().ok().map(Value::DateTime),
        FieldKind::Date => text.parse::<Date>().ok()?.to_value().ok(),
        FieldKind::Guid => Uuid::try_parse(text).ok().map(Value::Guid),
        number => with_number!(number, T => text.parse::<T>().ok()?.to_value().ok(), None),
    }
}

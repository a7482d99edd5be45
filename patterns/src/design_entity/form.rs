//! Field types at run time: the operations of the derive's generated code, with the Rust type that the generator would
//! write.

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

/// Type of a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    Text,
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    Time,
    Date,
    Guid,
    Binary,
    /// JSON text. It is kept unchanged, because the user's type may write its keys in another order.
    Json,
    /// One of these words.
    Word(Vec<String>),
}

/// Evaluates an expression with the Rust type of a form.
macro_rules! with_type {
    ($form:expr, $type:ident => $do:expr) => {
        with_type!(@ $form, $type, $do,
            Text: String, Bool: bool, I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32, U64: u64,
            F32: f32, F64: f64, Time: Timestamp, Date: Date, Guid: Uuid, Binary: Vec<u8>, Json: String)
    };
    (@ $form:expr, $type:ident, $do:expr, $($case:ident: $rust:ty),*) => {
        match $form {
            $(Form::$case => { type $type = $rust; $do })*
            Form::Word(_) => { type $type = String; $do }
        }
    };
}

/// Evaluates an expression with the Rust type of a numeric form, otherwise another expression.
macro_rules! with_number {
    ($form:expr, $type:ident => $do:expr, $other:expr) => {
        with_number!(@ $form, $type, $do, $other,
            I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32, U64: u64, F32: f32, F64: f64)
    };
    (@ $form:expr, $type:ident, $do:expr, $other:expr, $($case:ident: $rust:ty),*) => {
        match $form {
            $(Form::$case => { type $type = $rust; $do })*
            _ => $other,
        }
    };
}

impl Form {
    /// Returns the form of a field, or `None` if its type is not specified or not stored in a property.
    pub(super) fn of(field: &FieldDesign) -> Option<Self> {
        Some(match &field.kind {
            FieldKind::Text { .. } => Self::Text,
            FieldKind::Bool => Self::Bool,
            FieldKind::Int { bits, signed } => match (bits, signed) {
                (8, true) => Self::I8,
                (16, true) => Self::I16,
                (32, true) => Self::I32,
                (64, true) => Self::I64,
                (8, false) => Self::U8,
                (16, false) => Self::U16,
                (32, false) => Self::U32,
                (64, false) => Self::U64,
                _ => return None,
            },
            FieldKind::Float { bits: 32 } => Self::F32,
            FieldKind::Float { bits: 64 } => Self::F64,
            FieldKind::Time => Self::Time,
            FieldKind::Date => Self::Date,
            FieldKind::Guid => Self::Guid,
            FieldKind::Binary { .. } => Self::Binary,
            FieldKind::Json { .. } => Self::Json,
            FieldKind::Enum { variants } if !variants.is_empty() => Self::Word(variants.clone()),
            _ => return None,
        })
    }

    /// Returns the name of the Rust type.
    pub(super) fn type_name(&self) -> &'static str {
        with_type!(self, T => std::any::type_name::<T>())
    }

    /// Decodes a stored value as its type and encodes it again.
    pub(super) fn again(&self, value: Value) -> Result<Value, ValueError> {
        let again = with_type!(self, T => T::from_value(value)?.to_value()?);
        match (self, &again) {
            (Self::Word(words), Value::String(text)) if !words.contains(text) => Err(unknown(words, text)),
            (Self::Json, Value::String(text)) => {
                let read: Result<serde::de::IgnoredAny, _> = serde_json::from_str(text);
                read.map(|_| again).map_err(|error| ValueError::Json(error.to_string()))
            }
            _ => Ok(again),
        }
    }

    /// Returns the value of a default: the type's own default (0, false, the empty string), or a word of an enum. Returns
    /// `None` if the design does not determine the value.
    pub(super) fn default_of(&self, field: &FieldDesign) -> Option<Value> {
        let written = field.default.as_deref()?;
        match self {
            Self::Text => (written == "\"\"").then(|| Value::from("")),
            Self::Bool => (written == "false").then_some(Value::Boolean(false)),
            Self::Word(_) => field.default_word().map(Value::from),
            number => {
                written.parse::<f64>().ok().filter(|number| *number == 0.0)?;
                with_number!(number, T => T::default().to_value().ok(), None)
            }
        }
    }

    /// Returns a stored value in its key form.
    pub(super) fn in_key(&self, stored: &Value) -> FieldValue<'static> {
        let stored = stored.clone();
        match self {
            Self::Text | Self::Word(_) => String::from_value(stored).map(|text| KeyValue::Text(text.into())),
            Self::Bool => Ok(KeyValue::Flag(bool::from_value(stored)?)),
            Self::Time => value::time(&Timestamp::from_value(stored)?),
            Self::Date => value::time(&Date::from_value(stored)?),
            Self::Guid => value::id(&Uuid::from_value(stored)?),
            number => {
                with_number!(number, T => Ok(T::from_value(stored)?.to_number()), Err(ValueError::Missing))
            }
        }
    }

    /// Reads the next template field of a key. Returns the value in its key form, and as stored. Some numbers are valid
    /// only in keys.
    pub(super) fn read(
        &self,
        keys: &mut KeyReader<'_>,
    ) -> Option<(KeyValue<'static>, Result<Value, ValueError>)> {
        Some(match self {
            Self::Text => {
                let text = keys.text::<String>()?;
                (KeyValue::Text(text.clone().into()), text.to_value())
            }
            Self::Word(words) => {
                let text = keys.text::<String>().filter(|text| words.contains(text))?;
                (KeyValue::Text(text.clone().into()), text.to_value())
            }
            Self::Bool => {
                let flag = keys.flag::<bool>()?;
                (KeyValue::Flag(flag), flag.to_value())
            }
            Self::Time => {
                let time = keys.time::<Timestamp>()?;
                (value::time(&time).ok()?, time.to_value())
            }
            Self::Date => {
                let date = keys.time::<Date>()?;
                (value::time(&date).ok()?, date.to_value())
            }
            Self::Guid => {
                let id = keys.id::<Uuid>()?;
                (value::id(&id).ok()?, id.to_value())
            }
            number => {
                let read = with_number!(
                    number,
                    T => keys.num::<T>().map(|number| (number.to_number(), number.to_value())),
                    None
                );
                read?
            }
        })
    }

    /// Returns the value that a condition compares with, or `None` if it is invalid for the type.
    pub(super) fn literal(&self, literal: &Literal) -> Option<Value> {
        let (Literal::Word(text) | Literal::Number(text) | Literal::Text(text)) = literal;
        match self {
            Self::Text => Some(Value::from(text.as_str())),
            Self::Word(words) => words.contains(text).then(|| Value::from(text.as_str())),
            Self::Bool => text.parse().ok().map(Value::Boolean),
            Self::Time => text.parse().ok().map(Value::DateTime),
            Self::Date => text.parse::<Date>().ok()?.to_value().ok(),
            Self::Guid => Uuid::try_parse(text).ok().map(Value::Guid),
            number => with_number!(number, T => text.parse::<T>().ok()?.to_value().ok(), None),
        }
    }
}

fn unknown(words: &[String], text: &str) -> ValueError {
    ValueError::unreadable(text, format!("one of {}", words.join(", ")))
}

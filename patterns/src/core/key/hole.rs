use std::fmt;

use table_schema::static_design::ValueKind;

use super::{Flag, Id, KeyReader, Num, Text, Time, value};

/// A field of a key template: the conversion of its values to and from keys. This is the only place that requires the
/// trait of the field's format, so that a type without it produces a single compiler error.
pub struct TemplateField<T> {
    field: &'static str,
    write: fn(&T) -> value::FieldValue<'_>,
    read: fn(&mut KeyReader<'_>) -> Option<T>,
    kind: Option<ValueKind>,
}

/// Name and value of a field, as passed to the key encoders.
pub(crate) type Named<'v> = (&'static str, value::FieldValue<'v>);

impl<T> TemplateField<T> {
    /// Creates a placeholder for a struct that does not compile. It has no requirements on the field type.
    pub const fn unusable(field: &'static str) -> Self {
        Self { field, write: |_| Err(crate::ValueError::Missing), read: |_| None, kind: None }
    }

    /// Returns the field with a value.
    pub fn value<'v>(&self, value: &'v T) -> Named<'v> {
        (self.field, (self.write)(value))
    }

    /// Returns the field with a string as its value.
    pub fn str<'v>(&self, value: &'v str) -> Named<'v> {
        (self.field, value::str(value))
    }

    /// Returns the type of the values, for the design, if the type of the field states it.
    pub const fn kind(&self) -> Option<ValueKind> {
        self.kind
    }

    /// Reads the value of the next template field. Returns `None` if the row is of another entity type.
    pub fn read(&self, keys: &mut KeyReader<'_>) -> Option<T> {
        (self.read)(keys)
    }
}

// Written without a macro, because the compiler shows these lines if a type does not fit.
impl<T> TemplateField<T> {
    /// Creates a field with the format `{x}` or `{x:esc}`.
    pub const fn text(field: &'static str) -> Self
    where
        T: Text,
    {
        Self { field, write: value::text::<T>, read: |keys| keys.text(), kind: T::KIND }
    }

    /// Creates a field with the format `{x:06}` or `{x:ord}`.
    pub const fn num(field: &'static str) -> Self
    where
        T: Num,
    {
        Self { field, write: value::num::<T>, read: |keys| keys.num(), kind: T::KIND }
    }

    /// Creates a field with the format `{x:ticks}`, `{x:inverted_ticks}` or `{x:%Y%m%d}`.
    pub const fn time(field: &'static str) -> Self
    where
        T: Time,
    {
        Self { field, write: value::time::<T>, read: |keys| keys.time(), kind: T::KIND }
    }

    /// Creates a field with the format `{x:guid}` or `{x:guidn}`.
    pub const fn id(field: &'static str) -> Self
    where
        T: Id,
    {
        Self { field, write: value::id::<T>, read: |keys| keys.id(), kind: Some(ValueKind::Guid) }
    }

    /// Creates a field with the format `{x:bool}`.
    pub const fn flag(field: &'static str) -> Self
    where
        T: Flag,
    {
        Self { field, write: value::flag::<T>, read: |keys| keys.flag(), kind: Some(ValueKind::Bool) }
    }
}

impl<T> fmt::Debug for TemplateField<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TemplateField").field(&self.field).finish()
    }
}

use std::fmt;

use super::{Flag, Id, KeyReader, Num, Text, Time, value};

/// A field of a key: how its value is written into its holes and read back. The one place where its type is asked for
/// the trait of its format, so that a type that does not fit is one error.
pub struct Hole<T> {
    field: &'static str,
    write: fn(&T) -> value::HoleValue<'_>,
    read: fn(&mut KeyReader<'_>) -> Option<T>,
}

/// A field's name and its value, as the functions that encode keys take them.
pub(crate) type Named<'v> = (&'static str, value::HoleValue<'v>);

impl<T> Hole<T> {
    /// A field of a struct that has mistakes and does not compile: its type is asked for nothing.
    pub const fn unusable(field: &'static str) -> Self {
        Self { field, write: |_| Err(crate::ValueError::Missing), read: |_| None }
    }

    /// A value of the field.
    pub fn value<'v>(&self, value: &'v T) -> Named<'v> {
        (self.field, (self.write)(value))
    }

    /// A text given for the value.
    pub fn str<'v>(&self, value: &'v str) -> Named<'v> {
        (self.field, value::str(value))
    }

    /// The next hole's value; none if the row is of another kind.
    pub fn read(&self, keys: &mut KeyReader<'_>) -> Option<T> {
        (self.read)(keys)
    }
}

// Written out, not by a macro: the compiler shows these lines to those whose type does not fit.
impl<T> Hole<T> {
    /// A field that is written as `{x}` and `{x:esc}`.
    pub const fn text(field: &'static str) -> Self
    where
        T: Text,
    {
        Self { field, write: value::text::<T>, read: |keys| keys.text() }
    }

    /// A field that is written as `{x:06}` and `{x:ord}`.
    pub const fn num(field: &'static str) -> Self
    where
        T: Num,
    {
        Self { field, write: value::num::<T>, read: |keys| keys.num() }
    }

    /// A field that is written as `{x:ticks}`, `{x:inverted_ticks}` and `{x:%Y%m%d}`.
    pub const fn time(field: &'static str) -> Self
    where
        T: Time,
    {
        Self { field, write: value::time::<T>, read: |keys| keys.time() }
    }

    /// A field that is written as `{x:guid}` and `{x:guidn}`.
    pub const fn id(field: &'static str) -> Self
    where
        T: Id,
    {
        Self { field, write: value::id::<T>, read: |keys| keys.id() }
    }

    /// A field that is written as `{x:bool}`.
    pub const fn flag(field: &'static str) -> Self
    where
        T: Flag,
    {
        Self { field, write: value::flag::<T>, read: |keys| keys.flag() }
    }
}

impl<T> fmt::Debug for Hole<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hole").field(&self.field).finish()
    }
}

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

/// A constructor for each of the five traits.
macro_rules! of_traits {
    ($($name:ident: $trait:ident, $shapes:literal;)*) => {
        impl<T> Hole<T> {
            $(
                #[doc = concat!("A field that is written as ", $shapes, ".")]
                pub const fn $name(field: &'static str) -> Self
                where
                    T: $trait,
                {
                    Self { field, write: value::$name::<T>, read: |keys| keys.$name() }
                }
            )*
        }
    };
}

of_traits! {
    text: Text, "`{x}` and `{x:esc}`";
    num: Num, "`{x:06}` and `{x:ord}`";
    time: Time, "`{x:ticks}`, `{x:inverted_ticks}` and `{x:%Y%m%d}`";
    id: Id, "`{x:guid}` and `{x:guidn}`";
    flag: Flag, "`{x:bool}`";
}

impl<T> fmt::Debug for Hole<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hole").field(&self.field).finish()
    }
}

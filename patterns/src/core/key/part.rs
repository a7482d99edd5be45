//! Types of the RowKey parts that a [`Rows`](crate::Rows) query has not fixed yet. They determine the arguments of `at`
//! and `between`.

use std::marker::PhantomData;

use super::value::FieldValue;
use crate::core::key;

/// A part of a key that is not fixed yet.
pub trait Part {
    /// Argument type.
    type Arg<'a>;

    /// Converts the argument to its key form.
    #[doc(hidden)]
    fn value<'a>(arg: &'a Self::Arg<'_>) -> FieldValue<'a>;
}

/// A part that supports `starts_with`.
#[diagnostic::on_unimplemented(
    message = "`starts_with` requires a text segment",
    label = "this part of the key is not text",
    note = "use `between` for numbers and times"
)]
pub trait TextPart: Part {}

/// A string, passed as `&str`.
#[derive(Debug)]
pub struct Text(());

/// A string form of another type, such as an enum, passed as that type.
pub struct TextOf<T>(PhantomData<fn() -> T>);

/// A number.
pub struct Num<T>(PhantomData<fn() -> T>);

/// A time or a date.
pub struct Time<T>(PhantomData<fn() -> T>);

/// A GUID.
pub struct Id<T>(PhantomData<fn() -> T>);

/// A Boolean.
pub struct Flag<T>(PhantomData<fn() -> T>);

impl Part for Text {
    type Arg<'a> = &'a str;

    fn value<'a>(arg: &'a Self::Arg<'_>) -> FieldValue<'a> {
        key::value::str(arg)
    }
}

impl TextPart for Text {}
impl<T: key::Text> TextPart for TextOf<T> {}

/// Implements `Part` with the key trait of the part's type.
macro_rules! parts {
    ($($part:ident: $trait:ident, $write:ident;)*) => {
        $(
            impl<T: key::$trait> Part for $part<T> {
                type Arg<'a> = T;

                fn value(arg: &T) -> FieldValue<'_> {
                    key::value::$write(arg)
                }
            }

            impl<T> std::fmt::Debug for $part<T> {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str(stringify!($part))
                }
            }
        )*
    };
}

parts! {
    TextOf: Text, text;
    Num: Num, num;
    Time: Time, time;
    Id: Id, id;
    Flag: Flag, flag;
}

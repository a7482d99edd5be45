//! The parts of a RowKey that a [`Rows`](crate::Rows) query has still open, as types: what `at` and `between` take.

use std::marker::PhantomData;

use super::value::HoleValue;
use crate::key;

/// One open part of a key.
pub trait Part {
    /// What it is given as.
    type Arg<'a>;

    /// The argument as the key holds it.
    #[doc(hidden)]
    fn value<'a>(arg: &'a Self::Arg<'_>) -> HoleValue<'a>;
}

/// A part that has a beginning that can be asked for: `starts_with`.
#[diagnostic::on_unimplemented(
    message = "`starts_with` needs a text segment",
    label = "this part of the key is not text",
    note = "numbers and times take `between`"
)]
pub trait TextPart: Part {}

/// A text, given as `&str`.
#[derive(Debug)]
pub struct Text(());

/// A text of another type than a string, an enum for example, given as that type.
pub struct TextOf<T>(PhantomData<fn() -> T>);

/// A number.
pub struct Num<T>(PhantomData<fn() -> T>);

/// A time or a day.
pub struct Time<T>(PhantomData<fn() -> T>);

/// A GUID.
pub struct Id<T>(PhantomData<fn() -> T>);

/// True or false.
pub struct Flag<T>(PhantomData<fn() -> T>);

impl Part for Text {
    type Arg<'a> = &'a str;

    fn value<'a>(arg: &'a Self::Arg<'_>) -> HoleValue<'a> {
        key::value::str(arg)
    }
}

impl TextPart for Text {}
impl<T: key::Text> TextPart for TextOf<T> {}

/// `Part` by way of the key trait of the part's type.
macro_rules! parts {
    ($($part:ident: $trait:ident, $write:ident;)*) => {
        $(
            impl<T: key::$trait> Part for $part<T> {
                type Arg<'a> = T;

                fn value(arg: &T) -> HoleValue<'_> {
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

use super::Value;
use crate::{Timestamp, Uuid};

macro_rules! from {
    ($($type:ty => $variant:ident),* $(,)?) => {
        $(
            impl From<$type> for Value {
                fn from(value: $type) -> Self {
                    Self::$variant(value.into())
                }
            }
        )*
    };
}

from! {
    Vec<u8> => Binary,
    &[u8] => Binary,
    bool => Boolean,
    Timestamp => DateTime,
    f64 => Double,
    Uuid => Guid,
    i32 => Int32,
    i64 => Int64,
    String => String,
    &str => String,
}

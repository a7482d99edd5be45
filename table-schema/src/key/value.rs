//! Values of key fields without a static Rust type.

use std::{borrow::Cow, fmt};

/// The value of a key field, for tools and bounds. It is the dynamic counterpart of the format traits.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum KeyValue<'v> {
    /// Text.
    Text(Cow<'v, str>),
    /// An integer that is not negative.
    Unsigned(u128),
    /// An integer of a signed type.
    Signed(i128),
    /// A float of 32 bits.
    Float32(f32),
    /// A 32-bit float.
    Float64(f64),
    /// A 64-bit float.
    Ticks(i64),
    /// A time, in units of 100 ns since 0001-01-01T00:00:00Z.
    Guid([u8; 16]),
    /// A GUID of 16 bytes, in the order in which they are printed.
    Flag(bool),
}

impl KeyValue<'_> {
    /// Borrows the text of the value. Other values are copied.
    #[must_use]
    pub fn borrowed(&self) -> KeyValue<'_> {
        match self {
            Self::Text(text) => KeyValue::Text(Cow::Borrowed(text)),
            Self::Unsigned(value) => KeyValue::Unsigned(*value),
            Self::Signed(value) => KeyValue::Signed(*value),
            Self::Float32(value) => KeyValue::Float32(*value),
            Self::Float64(value) => KeyValue::Float64(*value),
            Self::Ticks(value) => KeyValue::Ticks(*value),
            Self::Guid(value) => KeyValue::Guid(*value),
            Self::Flag(value) => KeyValue::Flag(*value),
        }
    }

    /// Converts the value to an owned value.
    #[must_use]
    pub fn into_owned(self) -> KeyValue<'static> {
        match self {
            Self::Text(text) => KeyValue::Text(Cow::Owned(text.into_owned())),
            Self::Unsigned(value) => KeyValue::Unsigned(value),
            Self::Signed(value) => KeyValue::Signed(value),
            Self::Float32(value) => KeyValue::Float32(value),
            Self::Float64(value) => KeyValue::Float64(value),
            Self::Ticks(value) => KeyValue::Ticks(value),
            Self::Guid(value) => KeyValue::Guid(value),
            Self::Flag(value) => KeyValue::Flag(value),
        }
    }
}

impl fmt::Display for KeyValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Unsigned(value) => value.fmt(f),
            Self::Signed(value) => value.fmt(f),
            Self::Float32(value) => value.fmt(f),
            Self::Float64(value) => value.fmt(f),
            Self::Ticks(value) => value.fmt(f),
            Self::Guid(bytes) => write!(f, "{:032x}", u128::from_be_bytes(*bytes)),
            Self::Flag(value) => value.fmt(f),
        }
    }
}

impl<'v> From<&'v str> for KeyValue<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for KeyValue<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

macro_rules! from_values {
    ($($kind:ty => $variant:ident;)*) => {$(
        impl From<$kind> for KeyValue<'_> {
            fn from(value: $kind) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

from_values! {
    u8 => Unsigned; u16 => Unsigned; u32 => Unsigned; u64 => Unsigned; u128 => Unsigned;
    i8 => Signed; i16 => Signed; i32 => Signed; i64 => Signed; i128 => Signed;
    f32 => Float32; f64 => Float64; bool => Flag;
}

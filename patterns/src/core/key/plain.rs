use std::borrow::Cow;

use table_model::Uuid;
use table_schema::static_design::ValueKind;

use super::{Flag, Id, Text};
use crate::ValueError;

macro_rules! text {
    ($($type:ty),*) => {
        $(
            impl Text for $type {
                const KIND: Option<ValueKind> = Some(ValueKind::Text);

                fn to_text(&self) -> Cow<'_, str> {
                    Cow::Borrowed(self)
                }

                fn from_text(text: &str) -> Result<Self, ValueError> {
                    Ok(text.to_owned().into())
                }
            }
        )*
    };
}

text!(String, Box<str>, Cow<'static, str>);

impl Text for char {
    const KIND: Option<ValueKind> = Some(ValueKind::Text);

    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }

    fn from_text(text: &str) -> Result<Self, ValueError> {
        text.parse().map_err(|_| ValueError::unreadable(text, "a single character"))
    }
}

impl Id for Uuid {
    fn to_guid(&self) -> [u8; 16] {
        *self.as_bytes()
    }

    fn from_guid(bytes: [u8; 16]) -> Result<Self, ValueError> {
        Ok(Self::from_bytes(bytes))
    }
}

impl Flag for bool {
    fn to_flag(&self) -> bool {
        *self
    }

    fn from_flag(flag: bool) -> Result<Self, ValueError> {
        Ok(flag)
    }
}

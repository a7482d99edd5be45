use table_schema::{key::KeyValue, static_design::ValueKind};

use super::Num;
use crate::ValueError;

fn no(number: &KeyValue<'_>, holder: &str) -> ValueError {
    ValueError::out_of_range(number, format!("the field has type {holder}"))
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(
            impl Num for $type {
                const IS_FLOAT: bool = false;
                const KIND: Option<ValueKind> = Some(ValueKind::int(Self::BITS, Self::MIN != 0));

                fn to_number(&self) -> KeyValue<'static> {
                    (*self).into()
                }

                fn from_number(number: KeyValue<'_>) -> Result<Self, ValueError> {
                    let read = match number {
                        KeyValue::Unsigned(number) => Self::try_from(number).ok(),
                        KeyValue::Signed(number) => Self::try_from(number).ok(),
                        _ => None,
                    };
                    read.ok_or_else(|| no(&number, stringify!($type)))
                }
            }
        )*
    };
}

integers!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128);

macro_rules! floats {
    ($($type:ty => $variant:ident),*) => {
        $(
            impl Num for $type {
                const IS_FLOAT: bool = true;
                const KIND: Option<ValueKind> = Some(<$type as crate::TableValue>::KIND);

                fn to_number(&self) -> KeyValue<'static> {
                    (*self).into()
                }

                fn from_number(number: KeyValue<'_>) -> Result<Self, ValueError> {
                    match number {
                        KeyValue::$variant(number) => Ok(number),
                        other => Err(no(&other, stringify!($type))),
                    }
                }
            }
        )*
    };
}

floats!(f32 => Float32, f64 => Float64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_too_large_for_the_type_is_refused() {
        assert_eq!(u8::from_number(KeyValue::Unsigned(255)), Ok(255));
        let error = u8::from_number(KeyValue::Unsigned(256)).unwrap_err();
        assert_eq!(error.to_string(), "256 is out of range: the field has type u8");
        assert!(u32::from_number(KeyValue::Signed(-1)).is_err());
        assert!(i32::from_number(KeyValue::Float64(1.0)).is_err());
        assert_eq!(i64::from_number((-5_i64).to_number()), Ok(-5));
    }
}

use table_model::{EdmType, Uuid, Value};
use table_schema::static_design::ValueKind;

use super::{TableValue, ValueError, compared_with_itself, mismatch, takes_ref};

/// Implements integer types whose range fits into an Int32.
macro_rules! int32 {
    ($($type:ty),*) => {
        $(
            impl TableValue for $type {
                const TYPE: EdmType = EdmType::Int32;
                const KIND: ValueKind = ValueKind::int(Self::BITS, Self::MIN != 0);

                fn to_value(&self) -> Result<Value, ValueError> {
                    Ok(Value::Int32(i32::from(*self)))
                }

                fn from_value(value: Value) -> Result<Self, ValueError> {
                    match value {
                        Value::Int32(number) => Self::try_from(number)
                            .map_err(|_| out_of(number, stringify!($type), Self::MIN, Self::MAX)),
                        other => Err(mismatch::<Self>(&other)),
                    }
                }

                takes_ref!(Int32(number) => Self::try_from(number)
                    .map_err(|_| out_of(number, stringify!($type), Self::MIN, Self::MAX)));
            }
        )*
    };
}

/// Implements integer types that are stored as Int64; `u64` only up to the maximum of Int64.
macro_rules! int64 {
    ($($type:ty),*) => {
        $(
            impl TableValue for $type {
                const TYPE: EdmType = EdmType::Int64;
                const KIND: ValueKind = ValueKind::int(Self::BITS, Self::MIN != 0);

                fn to_value(&self) -> Result<Value, ValueError> {
                    i64::try_from(*self)
                        .map(Value::Int64)
                        .map_err(|_| out_of(*self, "Int64", i64::MIN, i64::MAX))
                }

                fn from_value(value: Value) -> Result<Self, ValueError> {
                    let number = match value {
                        Value::Int64(number) => number,
                        Value::Int32(number) => i64::from(number),
                        other => return Err(mismatch::<Self>(&other)),
                    };
                    Self::try_from(number).map_err(|_| out_of(number, stringify!($type), Self::MIN, Self::MAX))
                }

                takes_ref!(Int64(number) => Self::try_from(number)
                    .map_err(|_| out_of(number, stringify!($type), Self::MIN, Self::MAX)));
            }
        )*
    };
}

int32!(i8, i16, i32, u8, u16);
int64!(i64, u32, u64);
compared_with_itself!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, bool, Uuid);

fn out_of<N: ToString>(number: impl ToString, holder: &str, least: N, most: N) -> ValueError {
    let [least, most] = [least, most].map(|number| number.to_string());
    ValueError::out_of_range(number, format!("{holder} supports {least} to {most}"))
}

impl TableValue for f64 {
    const TYPE: EdmType = EdmType::Double;

    fn to_value(&self) -> Result<Value, ValueError> {
        Ok(Value::Double(*self))
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        match value {
            Value::Double(number) => Ok(number),
            Value::Int32(number) => Ok(Self::from(number)),
            other => Err(mismatch::<Self>(&other)),
        }
    }

    takes_ref!(Double(number) => Ok(number));
}

impl TableValue for f32 {
    const TYPE: EdmType = EdmType::Double;
    const KIND: ValueKind = ValueKind::Float { bits: 32 };

    fn to_value(&self) -> Result<Value, ValueError> {
        Ok(Value::Double(f64::from(*self)))
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        let wide = f64::from_value(value)?;
        #[expect(clippy::cast_possible_truncation, reason = "checked on the next line")]
        let narrow = wide as Self;
        let exact = f64::from(narrow).to_bits() == wide.to_bits() || (narrow.is_nan() && wide.is_nan());
        if exact {
            Ok(narrow)
        } else {
            Err(ValueError::out_of_range(wide, "f32 cannot represent it exactly; read it as f64"))
        }
    }
}

impl TableValue for bool {
    const TYPE: EdmType = EdmType::Boolean;

    fn to_value(&self) -> Result<Value, ValueError> {
        Ok(Value::Boolean(*self))
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        match value {
            Value::Boolean(flag) => Ok(flag),
            other => Err(mismatch::<Self>(&other)),
        }
    }

    takes_ref!(Boolean(flag) => Ok(flag));
}

impl TableValue for Uuid {
    const TYPE: EdmType = EdmType::Guid;

    fn to_value(&self) -> Result<Value, ValueError> {
        Ok(Value::Guid(*self))
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        match value {
            Value::Guid(id) => Ok(id),
            other => Err(mismatch::<Self>(&other)),
        }
    }

    takes_ref!(Guid(id) => Ok(id));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round<T: TableValue + PartialEq + std::fmt::Debug>(value: T, stored: Value) {
        assert_eq!(value.to_value(), Ok(stored.clone()));
        assert_eq!(T::from_value(stored), Ok(value));
    }

    #[test]
    fn integers_are_stored_in_the_narrowest_type_that_holds_them_all() {
        round(i8::MIN, Value::Int32(-128));
        round(u16::MAX, Value::Int32(65_535));
        round(i32::MIN, Value::Int32(i32::MIN));
        round(u32::MAX, Value::Int64(4_294_967_295));
        round(i64::MIN, Value::Int64(i64::MIN));
        round(9_223_372_036_854_775_807_u64, Value::Int64(i64::MAX));
        assert_eq!(i64::from_value(Value::Int32(7)), Ok(7));
    }

    #[test]
    fn what_does_not_fit_is_an_error_and_never_wraps() {
        let error = (i64::MAX as u64 + 1).to_value().unwrap_err();
        assert!(
            error.to_string().starts_with("9223372036854775808 is out of range: Int64 supports"),
            "{error}"
        );
        let error = u8::from_value(Value::Int32(300)).unwrap_err();
        assert_eq!(error.to_string(), "300 is out of range: u8 supports 0 to 255");
        assert!(u32::from_value(Value::Int64(-1)).is_err());
        assert!(i32::from_value(Value::Int64(1)).is_err(), "an Int64 is not read as Int32");
        assert_eq!(
            i32::from_value(Value::from("1")),
            Err(ValueError::Type { expected: EdmType::Int32, found: EdmType::String })
        );
    }

    #[test]
    fn floats_keep_their_bits() {
        round(1.5_f32, Value::Double(1.5));
        round(f64::NEG_INFINITY, Value::Double(f64::NEG_INFINITY));
        assert!(f32::from_value(Value::Double(0.1)).is_err());
        assert!(f32::from_value(Value::Double(f64::NAN)).unwrap().is_nan());
        assert_eq!(f64::from_value(Value::Int32(3)), Ok(3.0));
    }
}

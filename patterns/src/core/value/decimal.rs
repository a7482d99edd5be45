use rust_decimal::Decimal;
use table_model::{EdmType, Value};

use super::{TableValue, ValueError};

/// Stored as text with all its digits, so `3.50` does not become `3.5`. Not [`Filterable`](super::Filterable): a service
/// compares texts, and these are not in the order of the numbers.
impl TableValue for Decimal {
    const TYPE: EdmType = EdmType::String;

    fn to_value(&self) -> Result<Value, ValueError> {
        Ok(self.to_string().into())
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        let text = String::from_value(value)?;
        // More digits than the type has are an error. `parse` would round them.
        Self::from_str_exact(&text).map_err(|_| ValueError::unreadable(text, "a decimal number like 3.50"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn decimals_read_back_with_all_digits(parts in any::<(u32, u32, u32, bool)>(), scale in 0..=28_u32) {
            let (low, middle, high, is_negative) = parts;
            let decimal = Decimal::from_parts(low, middle, high, is_negative, scale);
            let read = Decimal::from_value(decimal.to_value().unwrap()).unwrap();
            prop_assert_eq!((read, read.scale()), (decimal, scale));
        }
    }

    #[test]
    fn values_that_would_be_rounded_are_errors() {
        let decimal = |text: &str| Decimal::from_value(Value::from(text));
        assert_eq!(decimal("3.50").unwrap().to_string(), "3.50");
        for text in ["0.12345678901234567890123456789", "79228162514264337593543950336", "3,50", "1e3", ""] {
            let error = decimal(text).unwrap_err().to_string();
            assert!(error.contains("a decimal number like 3.50"), "{error}");
        }
        assert!(Decimal::from_value(Value::Double(3.5)).is_err());
    }
}

use table_model::{EdmType, Value, ValueRef};
use table_schema::static_design::ValueKind;

use super::{Filterable, TableValue, ValueError};

/// `None` is stored as a missing property. The service has no null, and a merge cannot remove a property.
impl<T: TableValue> TableValue for Option<T> {
    const TYPE: EdmType = T::TYPE;
    const KIND: ValueKind = T::KIND;
    const OPTIONAL: bool = true;

    fn to_value(&self) -> Result<Value, ValueError> {
        self.as_ref().map_or(Err(ValueError::Missing), T::to_value)
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        T::from_value(value).map(Some)
    }

    fn put(&self) -> Result<Option<Value>, ValueError> {
        const {
            assert!(
                !T::OPTIONAL,
                "an `Option` of an `Option` cannot be stored, because both are an absent property"
            );
        };
        self.as_ref().map(T::to_value).transpose()
    }

    fn take(value: Option<Value>) -> Result<Self, ValueError> {
        value.map(T::from_value).transpose()
    }

    #[inline]
    fn take_ref(value: Option<ValueRef<'_>>) -> Result<Self, ValueError> {
        if value.is_none() { Ok(None) } else { T::take_ref(value).map(Some) }
    }
}

impl<T: Filterable> Filterable for Option<T> {
    type Literal<'a> = T::Literal<'a>;

    fn literal(literal: Self::Literal<'_>) -> Result<Value, ValueError> {
        T::literal(literal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_an_absent_property() {
        assert_eq!(None::<i32>.put(), Ok(None));
        assert_eq!(Some(3).put(), Ok(Some(Value::Int32(3))));
        assert_eq!(<Option<i32> as TableValue>::take(None), Ok(None));
        assert_eq!(<Option<i32> as TableValue>::take(Some(Value::Int32(3))), Ok(Some(3)));
        assert_eq!(i32::take(None), Err(ValueError::Missing));
    }
}

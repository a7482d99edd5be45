use bytes::Bytes;
use table_model::{EdmType, Value};

use super::{Filterable, TableValue, ValueError};

impl TableValue for Bytes {
    const TYPE: EdmType = EdmType::Binary;

    fn to_value(&self) -> Result<Value, ValueError> {
        Vec::literal(self)
    }

    fn from_value(value: Value) -> Result<Self, ValueError> {
        Vec::from_value(value).map(Self::from)
    }
}

impl Filterable for Bytes {
    type Literal<'a> = &'a [u8];

    fn literal(literal: &[u8]) -> Result<Value, ValueError> {
        Vec::literal(literal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_binary() {
        let bytes = Bytes::from_static(&[1, 2]);
        assert_eq!(bytes.to_value(), Ok(Value::Binary(vec![1, 2])));
        assert_eq!(Bytes::from_value(Value::Binary(vec![1, 2])), Ok(bytes));
        assert!(Bytes::from(vec![0; 65_537]).to_value().is_err());
    }
}

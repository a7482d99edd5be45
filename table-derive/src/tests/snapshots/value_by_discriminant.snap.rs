const _: () = {
    use ::table_patterns::__private as _table;
    const VARIANT_0: i32 = Priority::Low as i32;
    const VARIANT_1: i32 = Priority::High as i32;
    const _: () = _table::assert!(
        VARIANT_0 as i128 == Priority::Low as i128 && VARIANT_1 as i128 == Priority::High
        as i128, "a discriminant of `Priority` does not fit an Int32"
    );
    #[automatically_derived]
    impl _table::TableValue for Priority {
        const TYPE: _table::EdmType = _table::EdmType::Int32;
        fn to_value(&self) -> _table::Result<_table::Value, _table::ValueError> {
            _table::Ok(
                _table::Value::Int32(
                    match self {
                        Self::Low => VARIANT_0,
                        Self::High => VARIANT_1,
                    },
                ),
            )
        }
        fn from_value(value: _table::Value) -> _table::Result<Self, _table::ValueError> {
            match <i32 as _table::TableValue>::from_value(value)? {
                VARIANT_0 => _table::Ok(Self::Low),
                VARIANT_1 => _table::Ok(Self::High),
                other => {
                    _table::Err(
                        _table::ValueError::out_of_range(
                            other,
                            "it is no discriminant of `Priority`",
                        ),
                    )
                }
            }
        }
    }
    #[automatically_derived]
    impl _table::Filterable for Priority {
        type Literal<'a> = Self;
        fn literal(literal: Self) -> _table::Result<_table::Value, _table::ValueError> {
            <Self as _table::TableValue>::to_value(&literal)
        }
    }
};

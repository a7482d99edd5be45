const _: () = {
    use ::table_patterns::__private as _table;
    const VARIANT_0: i32 = Priority::Low as i32;
    const VARIANT_1: i32 = Priority::High as i32;
    const _: () = _table::assert!(
        VARIANT_0 as i128 == Priority::Low as i128 && VARIANT_1 as i128 == Priority::High
        as i128, "a discriminant of `Priority` does not fit an Int32"
    );
    #[automatically_derived]
    impl _table::key::Num for Priority {
        const IS_FLOAT: bool = false;
        const KIND: _table::Option<_table::ValueKind> = <i32 as _table::key::Num>::KIND;
        fn to_number(&self) -> _table::KeyValue<'static> {
            <i32 as _table::key::Num>::to_number(
                &match self {
                    Self::Low => VARIANT_0,
                    Self::High => VARIANT_1,
                },
            )
        }
        fn from_number(
            number: _table::KeyValue<'_>,
        ) -> _table::Result<Self, _table::ValueError> {
            match <i32 as _table::key::Num>::from_number(number)? {
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
};

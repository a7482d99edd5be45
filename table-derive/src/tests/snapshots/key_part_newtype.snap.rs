const _: () = {
    use ::table_patterns::__private as _table;
    #[automatically_derived]
    impl _table::key::Num for EmployeeId {
        const IS_FLOAT: bool = <u32 as _table::key::Num>::IS_FLOAT;
        const KIND: _table::Option<_table::ValueKind> = <u32 as _table::key::Num>::KIND;
        fn to_number(&self) -> _table::KeyValue<'static> {
            <u32 as _table::key::Num>::to_number(&self.0)
        }
        fn from_number(
            value: _table::KeyValue<'_>,
        ) -> _table::Result<Self, _table::ValueError> {
            _table::Result::map(<u32 as _table::key::Num>::from_number(value), Self)
        }
    }
};

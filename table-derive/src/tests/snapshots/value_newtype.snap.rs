const _: () = {
    use ::table_patterns::__private as _table;
    #[automatically_derived]
    impl _table::TableValue for EmployeeId {
        const TYPE: _table::EdmType = <u32 as _table::TableValue>::TYPE;
        const KIND: _table::ValueKind = <u32 as _table::TableValue>::KIND;
        fn to_value(&self) -> _table::Result<_table::Value, _table::ValueError> {
            <u32 as _table::TableValue>::to_value(&self.0)
        }
        fn from_value(value: _table::Value) -> _table::Result<Self, _table::ValueError> {
            _table::Result::map(<u32 as _table::TableValue>::from_value(value), Self)
        }
    }
    #[automatically_derived]
    impl _table::Filterable for EmployeeId {
        type Literal<'a> = Self;
        fn literal(literal: Self) -> _table::Result<_table::Value, _table::ValueError> {
            <Self as _table::TableValue>::to_value(&literal)
        }
    }
};

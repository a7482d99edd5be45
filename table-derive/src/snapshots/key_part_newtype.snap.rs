const _: () = {
    use ::table_patterns::__private as _table;
    #[automatically_derived]
    impl _table::key::Num for EmployeeId {
        const FORM: _table::key::NumberForm = <u32 as _table::key::Num>::FORM;
        fn to_number(&self) -> _table::key::Number {
            <u32 as _table::key::Num>::to_number(&self.0)
        }
        fn from_number(
            value: _table::key::Number,
        ) -> _table::Result<Self, _table::ValueError> {
            _table::Result::map(<u32 as _table::key::Num>::from_number(value), Self)
        }
    }
};

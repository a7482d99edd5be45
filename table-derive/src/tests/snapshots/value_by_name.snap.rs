const _: () = {
    use ::table_patterns::__private as _table;
    #[automatically_derived]
    impl _table::TableValue for Status {
        const TYPE: _table::EdmType = _table::EdmType::String;
        const KIND: _table::ValueKind = _table::ValueKind::Words(
            &["open", "on_hold", "done"],
        );
        fn to_value(&self) -> _table::Result<_table::Value, _table::ValueError> {
            let text = match self {
                Self::Open => "open",
                Self::OnHold => "on_hold",
                Self::Closed => "done",
            };
            _table::Ok(<_table::Value as _table::From<&str>>::from(text))
        }
        fn from_value(value: _table::Value) -> _table::Result<Self, _table::ValueError> {
            let text = <_table::String as _table::TableValue>::from_value(value)?;
            match _table::String::as_str(&text) {
                "open" => _table::Ok(Self::Open),
                "on_hold" => _table::Ok(Self::OnHold),
                "done" => _table::Ok(Self::Closed),
                other => {
                    _table::Err(
                        _table::ValueError::unreadable(other, "a variant of `Status`"),
                    )
                }
            }
        }
    }
    #[automatically_derived]
    impl _table::Filterable for Status {
        type Literal<'a> = Self;
        fn literal(literal: Self) -> _table::Result<_table::Value, _table::ValueError> {
            <Self as _table::TableValue>::to_value(&literal)
        }
    }
};

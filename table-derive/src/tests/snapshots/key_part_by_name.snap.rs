const _: () = {
    use ::table_patterns::__private as _table;
    #[automatically_derived]
    impl _table::key::Text for Status {
        const KIND: _table::Option<_table::ValueKind> = _table::Some(
            _table::ValueKind::Words(&["open", "on_hold", "done"]),
        );
        fn to_text(&self) -> _table::Cow<'_, str> {
            _table::Cow::Borrowed(
                match self {
                    Self::Open => "open",
                    Self::OnHold => "on_hold",
                    Self::Closed => "done",
                },
            )
        }
        fn from_text(text: &str) -> _table::Result<Self, _table::ValueError> {
            match text {
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
};

const _: () = {
    use ::table_patterns::__private as _table;
    const _: () = _table::assert!(
        _table::same_table(< Employee as _table::TableEntity > ::DESIGN, < Department as
        _table::TableEntity > ::DESIGN,), "entities of a union must be in one table"
    );
    #[automatically_derived]
    impl Person {
        /// Returns a query for all rows of the partition `{department}`, of any type, in RowKey order: a range query.
        pub fn rows(department: impl _table::AsRef<str>) -> _table::RangeQuery<Person> {
            _table::union::rows::<
                Person,
                Employee,
            >(
                &[
                    (
                        "department",
                        _table::hole::str(_table::AsRef::<str>::as_ref(&department)),
                    ),
                ],
            )
        }
    }
    #[automatically_derived]
    impl _table::TableUnion for Person {
        const NAME: &'static str = "Person";
        const UNKNOWN: _table::Unknown = _table::Unknown::Keep;
        const DESIGNS: &'static [&'static _table::Design] = &[
            <Employee as _table::TableEntity>::DESIGN,
            <Department as _table::TableEntity>::DESIGN,
        ];
    }
    #[automatically_derived]
    impl _table::FromRow for Person {
        type Out = Self;
        fn select_keys() -> _table::Option<_table::Vec<_table::Name>> {
            _table::union::keys_of([
                <Employee as _table::FromRow>::select_keys(),
                <Department as _table::FromRow>::select_keys(),
            ])
        }
        fn check_row(
            source: _table::Source<'_>,
            row: _table::RowRef<'_>,
        ) -> _table::Result<(), _table::DecodeError> {
            if _table::union::is_kind::<Employee>(row) {
                return <Employee as _table::FromRow>::check_row(source, row);
            }
            if _table::union::is_kind::<Department>(row) {
                return <Department as _table::FromRow>::check_row(source, row);
            }
            <DynamicEntity as _table::FromRow>::check_row(source, row)
        }
        fn from_row(
            source: _table::Source<'_>,
            row: _table::RowRef<'_>,
        ) -> _table::Result<Self, _table::DecodeError> {
            if _table::union::is_kind::<Employee>(row) {
                return _table::Ok(
                    Self::Employee(<Employee as _table::FromRow>::from_row(source, row)?),
                );
            }
            if _table::union::is_kind::<Department>(row) {
                return _table::Ok(
                    Self::Department(
                        <Department as _table::FromRow>::from_row(source, row)?,
                    ),
                );
            }
            _table::Ok(
                Self::Other(<DynamicEntity as _table::FromRow>::from_row(source, row)?),
            )
        }
    }
};

#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    #[automatically_derived]
    impl _table::Projection for Rating {
        type Of = Review;
        const SELECT: &'static [&'static [&'static str]] = &[
            <Review as _table::TableEntity>::FIELDS.year.names(),
            <Review as _table::TableEntity>::FIELDS.manager_rating.names(),
        ];
    }
    #[automatically_derived]
    impl _table::FromRow for Rating {
        type Out = Self;
        fn select() -> _table::Option<_table::Vec<_table::Name>> {
            _table::projection::select::<Self>()
        }
        fn select_keys() -> _table::Option<_table::Vec<_table::Name>> {
            _table::projection::select_keys::<Self>()
        }
        fn check_row(
            source: _table::Source<'_>,
            row: _table::RowRef<'_>,
        ) -> _table::Result<(), _table::DecodeError> {
            _table::projection::check_row::<Self>(source, row)
        }
        fn from_row(
            source: _table::Source<'_>,
            row: _table::RowRef<'_>,
        ) -> _table::Result<Self, _table::DecodeError> {
            _table::projection::from_row::<
                Self,
            >(
                source,
                row,
                |key, from| _table::Ok(Self {
                    year: <Review as _table::TableEntity>::FIELDS
                        .year
                        .project(key, from)?,
                    manager_rating: <Review as _table::TableEntity>::FIELDS
                        .manager_rating
                        .project(key, from)?,
                }),
            )
        }
    }
    #[automatically_derived]
    impl _table::CopiedFields for Rating
    where
        for<'any> u16: _table::TableValue,
        for<'any> i32: _table::TableValue,
    {
        const NAMES: &'static [_table::Option<&'static str>] = &[
            <Review as _table::TableEntity>::FIELDS.year.copied_as("year"),
            <Review as _table::TableEntity>::FIELDS
                .manager_rating
                .copied_as("manager_rating"),
        ];
        fn values(
            key: &<Review as _table::TableEntity>::Key,
            row: &_table::Properties,
        ) -> _table::Result<
            _table::Vec<_table::Option<_table::Value>>,
            _table::PropertyError,
        > {
            _table::Ok(
                _table::Vec::from([
                    <Review as _table::TableEntity>::FIELDS.year.copied(key, row)?,
                    <Review as _table::TableEntity>::FIELDS
                        .manager_rating
                        .copied(key, row)?,
                ]),
            )
        }
        fn take(
            names: &'static [&'static str],
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                year: _table::take_one::<u16>(names, 0usize, from)?,
                manager_rating: _table::take_one::<i32>(names, 1usize, from)?,
            })
        }
    }
};

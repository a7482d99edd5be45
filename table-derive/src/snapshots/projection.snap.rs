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
};

/// The key of [`Review`]: table `Reviews`, PartitionKey `{department}`, RowKey `{id:06}_{year:04}`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct ReviewKey {
    /// `{department}` of the PartitionKey.
    pub department: String,
    /// `{id:06}` of the RowKey.
    pub id: u32,
    /// `{year:04}` of the RowKey.
    pub year: u16,
}
/// Changes to properties of one [`Review`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `department`, `id` and `year`, which the key contains.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct ReviewPatch<__S = ::table_patterns::ByKey>(
    ::table_patterns::Patch<Review, __S>,
);
/// The properties of [`Review`] in filters: `Review::scan_partition(..).filter(|e| ..)`.
#[derive(::core::fmt::Debug)]
pub struct ReviewFields {
    #[doc(hidden)]
    pub department: ::table_patterns::KeyField<ReviewKey, String>,
    #[doc(hidden)]
    pub id: ::table_patterns::KeyField<ReviewKey, u32>,
    #[doc(hidden)]
    pub year: ::table_patterns::KeyField<ReviewKey, u16>,
    /// Stored as `manager_rating`.
    pub manager_rating: ::table_patterns::Field<i32>,
    /// Stored as `comment`.
    pub comment: ::table_patterns::Field<Option<String>>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _DEPARTMENT: _table::TemplateField<String> = _table::TemplateField::<
        String,
    >::text("department");
    const _ID: _table::TemplateField<u32> = _table::TemplateField::<u32>::num("id");
    const _YEAR: _table::TemplateField<u16> = _table::TemplateField::<u16>::num("year");
    #[automatically_derived]
    #[allow(
        dead_code,
        clippy::many_single_char_names,
        clippy::needless_pass_by_value,
        clippy::similar_names,
        clippy::too_many_arguments
    )]
    impl Review {
        /// Returns a query for the [`Review`] with this key: a point query, the fastest read.
        ///
        /// Key: table `Reviews`, PartitionKey `{department}`, RowKey `{id:06}_{year:04}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn point(
            department: impl _table::AsRef<str>,
            id: u32,
            year: u16,
        ) -> _table::PointQuery<Review> {
            _table::PointQuery::at_address(
                _table::row::address::<
                    Review,
                >(
                    &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
                    &[_ID.value(&id), _YEAR.value(&year)],
                ),
            )
        }
        /// Returns a query for all [`Review`] rows of one `department` in RowKey order: a range query.
        /// `at`, `between` and `starts_with` restrict it.
        ///
        /// Key: table `Reviews`, PartitionKey `{department}`, RowKey `{id:06}_{year:04}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn rows(
            department: impl _table::AsRef<str>,
        ) -> _table::Rows<Review, (_table::part::Num<u32>, _table::part::Num<u16>)> {
            _table::Rows::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Returns a query that reads all [`Review`] rows of one `department` and filters them: a partition scan.
        /// Its cost depends on the rows read, not on the rows returned.
        ///
        /// Key: table `Reviews`, PartitionKey `{department}`, RowKey `{id:06}_{year:04}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn scan_partition(
            department: impl _table::AsRef<str>,
        ) -> _table::PartitionScan<Review> {
            _table::PartitionScan::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Changes to properties of the [`Review`] with this key, regardless of its version.
        ///
        /// Key: table `Reviews`, PartitionKey `{department}`, RowKey `{id:06}_{year:04}`.
        pub fn patch(
            department: impl _table::AsRef<str>,
            id: u32,
            year: u16,
        ) -> ReviewPatch {
            ReviewPatch(
                _table::Patch::by_key(
                    _table::row::address::<
                        Review,
                    >(
                        &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
                        &[_ID.value(&id), _YEAR.value(&year)],
                    ),
                ),
            )
        }
    }
    #[automatically_derived]
    impl _table::TableEntity for Review {
        type Key = ReviewKey;
        type Patch<S: _table::PatchState> = ReviewPatch<S>;
        type Fields = ReviewFields;
        const DESIGN: &'static _table::Design = &_table::Design {
            name: "Review",
            table: "Reviews",
            partition: _table::Template {
                text: "{department}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Partition,
                    &[
                        _table::Part::Field {
                            field: "department",
                            shape: _table::Shape::Text,
                            exact: true,
                        },
                    ],
                ),
            },
            row: _table::Template {
                text: "{id:06}_{year:04}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Row,
                    &[
                        _table::Part::Field {
                            field: "id",
                            shape: _table::Shape::Padded(6),
                            exact: true,
                        },
                        _table::Part::Literal("_"),
                        _table::Part::Field {
                            field: "year",
                            shape: _table::Shape::Padded(4),
                            exact: true,
                        },
                    ],
                ),
            },
            declaration: _table::Declaration::InCode(|design| {
                use _table::declared as _declared;
                design.table = _declared::template("Reviews");
                design.partition = _declared::template("{department}");
                design.row = _declared::template("{id:06}_{year:04}");
                design.fields.push(_declared::field("department", "string"));
                design.fields.push(_declared::field("id", "u32"));
                design.fields.push(_declared::field("year", "u16"));
                design.fields.push(_declared::field("manager_rating", "i32"));
                design
                    .fields
                    .push(_declared::FieldDesign {
                        optional: true,
                        .._declared::field("comment", "string")
                    });
            }),
            entity_type: _table::Some("Review"),
            properties: &[
                _table::Property {
                    field: "manager_rating",
                    name: "manager_rating",
                    slots: &[],
                    rust_type: "i32",
                },
                _table::Property {
                    field: "comment",
                    name: "comment",
                    slots: &[],
                    rust_type: "Option<String>",
                },
            ],
            key: &[
                _table::TypedField {
                    field: "department",
                    rust_type: "String",
                },
                _table::TypedField {
                    field: "id",
                    rust_type: "u32",
                },
                _table::TypedField {
                    field: "year",
                    rust_type: "u16",
                },
            ],
            .._table::Design::EMPTY
        };
        const FIELDS: &'static ReviewFields = &ReviewFields {
            department: _table::KeyField::of(|key: &ReviewKey| _table::Clone::clone(
                &key.department,
            )),
            id: _table::KeyField::of(|key: &ReviewKey| _table::Clone::clone(&key.id)),
            year: _table::KeyField::of(|key: &ReviewKey| _table::Clone::clone(
                &key.year,
            )),
            manager_rating: _table::Field::<i32>::of("manager_rating"),
            comment: _table::Field::<Option<String>>::of("comment"),
        };
        fn key(&self) -> ReviewKey {
            ReviewKey {
                department: _table::Clone::clone(&self.department),
                id: _table::Clone::clone(&self.id),
                year: _table::Clone::clone(&self.year),
            }
        }
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Self,
            >(
                &[_DEPARTMENT.value(&self.department)],
                &[_ID.value(&self.id), _YEAR.value(&self.year)],
            )
        }
        fn write(
            &self,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            Self::FIELDS.manager_rating.put(&self.manager_rating, into)?;
            Self::FIELDS.comment.put(&self.comment, into)?;
            _table::Ok(())
        }
        fn read(
            key: ReviewKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                department: key.department,
                id: key.id,
                year: key.year,
                manager_rating: Self::FIELDS.manager_rating.take(from)?,
                comment: Self::FIELDS.comment.take(from)?,
            })
        }
    }
    #[automatically_derived]
    impl _table::NotEncrypted for Review {}
    #[automatically_derived]
    impl _table::AllowTableScan for Review {}
    #[automatically_derived]
    impl ReviewKey {
        /// Parses the keys of a row. Returns `None` if the row is not a [`Review`].
        pub fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
            _table::row::parse_key(partition_key, row_key)
        }
        /// The [`Review`] of this key: a point query.
        pub fn point(&self) -> _table::PointQuery<Review> {
            _table::PointQuery::of_key(self)
        }
    }
    #[automatically_derived]
    impl _table::EntityKey for ReviewKey {
        type Entity = Review;
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Review,
            >(
                &[_DEPARTMENT.value(&self.department)],
                &[_ID.value(&self.id), _YEAR.value(&self.year)],
            )
        }
        fn read(keys: &mut _table::KeyReader<'_>) -> _table::Option<Self> {
            _table::Some(Self {
                department: _DEPARTMENT.read(keys)?,
                id: _ID.read(keys)?,
                year: _YEAR.read(keys)?,
            })
        }
    }
    ::table_patterns::__key_traits!(ReviewKey);
    #[automatically_derived]
    #[allow(dead_code, clippy::wrong_self_convention)]
    impl<__S> ReviewPatch<__S> {
        #[doc(hidden)]
        pub fn department(self, _value: String) -> Self
        where
            __S: _table::PatchesKey,
        {
            self
        }
        #[doc(hidden)]
        pub fn id(self, _value: u32) -> Self
        where
            __S: _table::PatchesKey,
        {
            self
        }
        #[doc(hidden)]
        pub fn year(self, _value: u16) -> Self
        where
            __S: _table::PatchesKey,
        {
            self
        }
        /// Sets `manager_rating`.
        pub fn manager_rating(mut self, value: i32) -> Self {
            self.0.set(&<Review as _table::TableEntity>::FIELDS.manager_rating, &value);
            self
        }
        /// Sets `comment`. A merge cannot clear it; `replace` does.
        pub fn comment(mut self, value: String) -> Self {
            self.0
                .set(
                    &<Review as _table::TableEntity>::FIELDS.comment,
                    &_table::Some(value),
                );
            self
        }
    }
    #[automatically_derived]
    impl<__S> _table::From<_table::Patch<Review, __S>> for ReviewPatch<__S> {
        fn from(patch: _table::Patch<Review, __S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<__S: _table::PatchState> _table::IntoMerge for ReviewPatch<__S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};

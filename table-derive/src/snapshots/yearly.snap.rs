/// The key of [`Yearly`]: table `Yearly`, PartitionKey `{employee}`, RowKey `{year:04}_{part:02}`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct YearlyKey {
    /// `{employee}` of the PartitionKey.
    pub employee: String,
    /// `{year:04}` of the RowKey.
    pub year: u16,
}
/// Changes to properties of one [`Yearly`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `employee` and `year`, which the key contains.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct YearlyPatch<S = ::table_patterns::ByKey>(::table_patterns::Patch<Yearly, S>);
/// The properties of [`Yearly`].
#[derive(::core::fmt::Debug)]
pub struct YearlyFields {
    #[doc(hidden)]
    pub employee: ::table_patterns::KeyField<YearlyKey, String>,
    #[doc(hidden)]
    pub year: ::table_patterns::KeyField<YearlyKey, u16>,
    /// Stored as `days_000` to `days_364`, one property per slot.
    pub days: ::table_patterns::Series<[Option<i32>; 365]>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _EMPLOYEE: _table::Hole<String> = _table::Hole::<String>::text("employee");
    const _YEAR: _table::Hole<u16> = _table::Hole::<u16>::num("year");
    const _DAYS: &[&str] = ::table_patterns::__slots!("days", [Option < i32 >; 365]);
    #[automatically_derived]
    #[allow(
        dead_code,
        clippy::many_single_char_names,
        clippy::needless_pass_by_value,
        clippy::similar_names,
        clippy::too_many_arguments
    )]
    impl Yearly {
        /// Returns a query for the [`Yearly`] with this key: one range over its rows.
        ///
        /// Key: table `Yearly`, PartitionKey `{employee}`, RowKey `{year:04}_{part:02}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn point(
            employee: impl _table::AsRef<str>,
            year: u16,
        ) -> _table::WidePoint<Yearly> {
            _table::WidePoint::at_address(
                _table::row::address::<
                    Yearly,
                >(
                    &[_EMPLOYEE.str(_table::AsRef::<str>::as_ref(&employee))],
                    &[_YEAR.value(&year)],
                ),
            )
        }
        /// Changes to properties of the [`Yearly`] with this key, regardless of its version.
        ///
        /// Key: table `Yearly`, PartitionKey `{employee}`, RowKey `{year:04}_{part:02}`.
        pub fn patch(employee: impl _table::AsRef<str>, year: u16) -> YearlyPatch {
            YearlyPatch(
                _table::Patch::by_key(
                    _table::row::address::<
                        Yearly,
                    >(
                        &[_EMPLOYEE.str(_table::AsRef::<str>::as_ref(&employee))],
                        &[_YEAR.value(&year)],
                    ),
                ),
            )
        }
    }
    #[automatically_derived]
    impl _table::TableEntity for Yearly {
        type Key = YearlyKey;
        type Patch<S: _table::PatchState> = YearlyPatch<S>;
        type Fields = YearlyFields;
        const DESIGN: &'static _table::Design = &_table::Design {
            name: "Yearly",
            table: "Yearly",
            tables: _table::None,
            shard: _table::None,
            partition: _table::Template {
                text: "{employee}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Partition,
                    &[
                        _table::Part::Hole {
                            field: "employee",
                            shape: _table::Shape::Text,
                            exact: true,
                        },
                    ],
                ),
            },
            row: _table::Template {
                text: "{year:04}_{part:02}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Row,
                    &[
                        _table::Part::Hole {
                            field: "year",
                            shape: _table::Shape::Padded(4),
                            exact: true,
                        },
                        _table::Part::Literal("_"),
                        _table::Part::Hole {
                            field: "part",
                            shape: _table::Shape::Padded(2),
                            exact: true,
                        },
                    ],
                ),
            },
            entity_type: _table::Some("Yearly"),
            aliases: &[],
            older: _table::None,
            properties: &[
                _table::Property {
                    field: "days",
                    name: "days",
                    slots: _DAYS,
                    rust_type: "[Option<i32>; 365]",
                },
            ],
            encrypted: &[],
            blobs: &[],
            wide: _table::Some(200),
            indexes: &[],
            key: &[
                _table::TypedField {
                    field: "employee",
                    rust_type: "String",
                },
                _table::TypedField {
                    field: "year",
                    rust_type: "u16",
                },
            ],
            fed: &[],
            feeds: &[],
        };
        const FIELDS: &'static YearlyFields = &YearlyFields {
            employee: _table::KeyField::of(|key: &YearlyKey| _table::Clone::clone(
                &key.employee,
            )),
            year: _table::KeyField::of(|key: &YearlyKey| _table::Clone::clone(
                &key.year,
            )),
            days: _table::Series::<[Option<i32>; 365]>::of("days", _DAYS),
        };
        fn key(&self) -> YearlyKey {
            YearlyKey {
                employee: _table::Clone::clone(&self.employee),
                year: _table::Clone::clone(&self.year),
            }
        }
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Self,
            >(&[_EMPLOYEE.value(&self.employee)], &[_YEAR.value(&self.year)])
        }
        fn write(
            &self,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            Self::FIELDS.days.put(&self.days, into)?;
            _table::Ok(())
        }
        fn read(
            key: YearlyKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                employee: key.employee,
                year: key.year,
                days: Self::FIELDS.days.take(from)?,
            })
        }
    }
    #[automatically_derived]
    impl YearlyKey {
        /// Parses the keys of a row. Returns `None` if the row is not a [`Yearly`].
        pub fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
            _table::row::parse_key(partition_key, row_key)
        }
        /// The [`Yearly`] of this key: one range over its rows.
        pub fn point(&self) -> _table::WidePoint<Yearly> {
            _table::WidePoint::of_key(self)
        }
    }
    #[automatically_derived]
    impl _table::EntityKey for YearlyKey {
        type Entity = Yearly;
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Yearly,
            >(&[_EMPLOYEE.value(&self.employee)], &[_YEAR.value(&self.year)])
        }
        fn read(keys: &mut _table::KeyReader<'_>) -> _table::Option<Self> {
            let read = Self {
                employee: _EMPLOYEE.read(keys)?,
                year: _YEAR.read(keys)?,
            };
            keys.skip()?;
            _table::Some(read)
        }
    }
    ::table_patterns::__key_traits!(YearlyKey);
    #[automatically_derived]
    impl<S> YearlyPatch<S> {
        /// Sets one slot, counted from 0, of `days_000` to `days_364`. A merge cannot clear it; `replace` does.
        pub fn days(mut self, slot: usize, value: i32) -> Self {
            self.0
                .set_slot(
                    &<Yearly as _table::TableEntity>::FIELDS.days,
                    slot,
                    &_table::Some(value),
                );
            self
        }
    }
    #[automatically_derived]
    impl<S> _table::From<_table::Patch<Yearly, S>> for YearlyPatch<S> {
        fn from(patch: _table::Patch<Yearly, S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<S: _table::PatchState> _table::IntoMerge for YearlyPatch<S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};

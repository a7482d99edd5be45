/// The key of [`Messages`]: table `Messages`, PartitionKey `{employee}`, RowKey `{day:%Y%m%d}`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct MessagesKey {
    /// `{employee}` of the PartitionKey.
    pub employee: String,
    /// `{day:%Y%m%d}` of the RowKey.
    pub day: Date,
}
/// Changes to properties of one [`Messages`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `employee` and `day`, which the key contains.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct MessagesPatch<S = ::table_patterns::ByKey>(
    ::table_patterns::Patch<Messages, S>,
);
/// The properties of [`Messages`] in filters: `Messages::scan_partition(..).filter(|e| ..)`.
#[derive(::core::fmt::Debug)]
pub struct MessagesFields {
    #[doc(hidden)]
    pub employee: ::table_patterns::KeyField<MessagesKey, String>,
    #[doc(hidden)]
    pub day: ::table_patterns::KeyField<MessagesKey, Date>,
    /// Stored as `hours_00` to `hours_23`, one property per slot.
    pub hours: ::table_patterns::Series<[Option<i32>; 24]>,
    /// Stored as `minutes_..`, one property per slot.
    pub minutes: ::table_patterns::Series<[i32; MINUTES]>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _EMPLOYEE: _table::Hole<String> = _table::Hole::<String>::text("employee");
    const _DAY: _table::Hole<Date> = _table::Hole::<Date>::time("day");
    const _HOURS: &[&str] = ::table_patterns::__slots!("hours", [Option < i32 >; 24]);
    const _MINUTES: &[&str] = ::table_patterns::__slots!("minutes", [i32; MINUTES]);
    const _: () = _table::assert!(
        < Messages as _table::TableEntity > ::DESIGN.property_count() <= 250usize,
        "`Messages` needs more than 250 properties, including one per slot of a series; split it over several entities: #[table(wide = 200, ..)]"
    );
    #[automatically_derived]
    #[allow(
        dead_code,
        clippy::many_single_char_names,
        clippy::needless_pass_by_value,
        clippy::similar_names,
        clippy::too_many_arguments
    )]
    impl Messages {
        /// Returns a query for the [`Messages`] with this key: a point query, the fastest read.
        ///
        /// Key: table `Messages`, PartitionKey `{employee}`, RowKey `{day:%Y%m%d}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn point(
            employee: impl _table::AsRef<str>,
            day: Date,
        ) -> _table::PointQuery<Messages> {
            _table::PointQuery::at_address(
                _table::row::address::<
                    Messages,
                >(
                    &[_EMPLOYEE.str(_table::AsRef::<str>::as_ref(&employee))],
                    &[_DAY.value(&day)],
                ),
            )
        }
        /// Returns a query for all [`Messages`] rows of one `employee` in RowKey order: a range query.
        /// `at`, `between` and `starts_with` restrict it.
        ///
        /// Key: table `Messages`, PartitionKey `{employee}`, RowKey `{day:%Y%m%d}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn rows(
            employee: impl _table::AsRef<str>,
        ) -> _table::Rows<Messages, (_table::part::Time<Date>,)> {
            _table::Rows::of(&[_EMPLOYEE.str(_table::AsRef::<str>::as_ref(&employee))])
        }
        /// Returns a query that reads all [`Messages`] rows of one `employee` and filters them: a partition scan.
        /// Its cost depends on the rows read, not on the rows returned.
        ///
        /// Key: table `Messages`, PartitionKey `{employee}`, RowKey `{day:%Y%m%d}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn scan_partition(
            employee: impl _table::AsRef<str>,
        ) -> _table::PartitionScan<Messages> {
            _table::PartitionScan::of(
                &[_EMPLOYEE.str(_table::AsRef::<str>::as_ref(&employee))],
            )
        }
        /// Changes to properties of the [`Messages`] with this key, regardless of its version.
        ///
        /// Key: table `Messages`, PartitionKey `{employee}`, RowKey `{day:%Y%m%d}`.
        pub fn patch(employee: impl _table::AsRef<str>, day: Date) -> MessagesPatch {
            MessagesPatch(
                _table::Patch::by_key(
                    _table::row::address::<
                        Messages,
                    >(
                        &[_EMPLOYEE.str(_table::AsRef::<str>::as_ref(&employee))],
                        &[_DAY.value(&day)],
                    ),
                ),
            )
        }
    }
    #[automatically_derived]
    impl _table::TableEntity for Messages {
        type Key = MessagesKey;
        type Patch<S: _table::PatchState> = MessagesPatch<S>;
        type Fields = MessagesFields;
        const DESIGN: &'static _table::Design = &_table::Design {
            name: "Messages",
            table: "Messages",
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
                text: "{day:%Y%m%d}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Row,
                    &[
                        _table::Part::Hole {
                            field: "day",
                            shape: _table::Shape::Date(
                                _table::DateFormat::new(_table::DateUnit::Day),
                            ),
                            exact: true,
                        },
                    ],
                ),
            },
            entity_type: _table::Some("Messages"),
            aliases: &[],
            older: _table::None,
            properties: &[
                _table::Property {
                    field: "hours",
                    name: "hours",
                    slots: _HOURS,
                    rust_type: "[Option<i32>; 24]",
                },
                _table::Property {
                    field: "minutes",
                    name: "minutes",
                    slots: _MINUTES,
                    rust_type: "[i32; MINUTES]",
                },
            ],
            encrypted: &[],
            blobs: &[],
            wide: _table::None,
            indexes: &[],
            key: &[
                _table::TypedField {
                    field: "employee",
                    rust_type: "String",
                },
                _table::TypedField {
                    field: "day",
                    rust_type: "Date",
                },
            ],
            fed: &[],
            feeds: &[],
        };
        const FIELDS: &'static MessagesFields = &MessagesFields {
            employee: _table::KeyField::of(|key: &MessagesKey| _table::Clone::clone(
                &key.employee,
            )),
            day: _table::KeyField::of(|key: &MessagesKey| _table::Clone::clone(
                &key.day,
            )),
            hours: _table::Series::<[Option<i32>; 24]>::of("hours", _HOURS),
            minutes: _table::Series::<[i32; MINUTES]>::of("minutes", _MINUTES)
                .or_default(),
        };
        fn key(&self) -> MessagesKey {
            MessagesKey {
                employee: _table::Clone::clone(&self.employee),
                day: _table::Clone::clone(&self.day),
            }
        }
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Self,
            >(&[_EMPLOYEE.value(&self.employee)], &[_DAY.value(&self.day)])
        }
        fn write(
            &self,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            Self::FIELDS.hours.put(&self.hours, into)?;
            Self::FIELDS.minutes.put(&self.minutes, into)?;
            _table::Ok(())
        }
        fn read(
            key: MessagesKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                employee: key.employee,
                day: key.day,
                hours: Self::FIELDS.hours.take(from)?,
                minutes: Self::FIELDS.minutes.take(from)?,
            })
        }
    }
    #[automatically_derived]
    impl _table::AllowTableScan for Messages {}
    #[automatically_derived]
    impl MessagesKey {
        /// Parses the keys of a row. Returns `None` if the row is not a [`Messages`].
        pub fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
            _table::row::parse_key(partition_key, row_key)
        }
        /// The [`Messages`] of this key: a point query.
        pub fn point(&self) -> _table::PointQuery<Messages> {
            _table::PointQuery::of_key(self)
        }
    }
    #[automatically_derived]
    impl _table::EntityKey for MessagesKey {
        type Entity = Messages;
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Messages,
            >(&[_EMPLOYEE.value(&self.employee)], &[_DAY.value(&self.day)])
        }
        fn read(keys: &mut _table::KeyReader<'_>) -> _table::Option<Self> {
            _table::Some(Self {
                employee: _EMPLOYEE.read(keys)?,
                day: _DAY.read(keys)?,
            })
        }
    }
    ::table_patterns::__key_traits!(MessagesKey);
    #[automatically_derived]
    impl<S> MessagesPatch<S> {
        /// Sets one slot, counted from 0, of `hours_00` to `hours_23`. A merge cannot clear it; `replace` does.
        pub fn hours(mut self, slot: usize, value: i32) -> Self {
            self.0
                .set_slot(
                    &<Messages as _table::TableEntity>::FIELDS.hours,
                    slot,
                    &_table::Some(value),
                );
            self
        }
        /// Sets one slot, counted from 0, of `minutes_..`.
        pub fn minutes(mut self, slot: usize, value: i32) -> Self {
            self.0
                .set_slot(
                    &<Messages as _table::TableEntity>::FIELDS.minutes,
                    slot,
                    &value,
                );
            self
        }
    }
    #[automatically_derived]
    impl<S> _table::From<_table::Patch<Messages, S>> for MessagesPatch<S> {
        fn from(patch: _table::Patch<Messages, S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<S: _table::PatchState> _table::IntoMerge for MessagesPatch<S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};

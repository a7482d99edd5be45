/// The key of [`Event`]: table `Events`, PartitionKey `{device}_{at:%Y%m}`, RowKey `{at:inverted_ticks}_{id}`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct EventKey {
    /// `{device}` of the PartitionKey.
    pub device: DeviceId,
    /// `{at:%Y%m}` of the PartitionKey and `{at:inverted_ticks}` of the RowKey.
    pub at: Timestamp,
    /// `{id:guid}` of the RowKey.
    pub id: Uuid,
}
/// Changes to properties of one [`Event`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `device`, `at` and `id`, which the key contains.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct EventPatch<__S = ::table_patterns::ByKey>(
    ::table_patterns::Patch<Event, __S>,
);
/// The properties of [`Event`] in filters: `Event::scan_partition(..).filter(|e| ..)`.
#[derive(::core::fmt::Debug)]
pub struct EventFields {
    #[doc(hidden)]
    pub device: ::table_patterns::KeyField<EventKey, DeviceId>,
    #[doc(hidden)]
    pub at: ::table_patterns::KeyField<EventKey, Timestamp>,
    #[doc(hidden)]
    pub id: ::table_patterns::KeyField<EventKey, Uuid>,
    /// Stored as `level`.
    pub level: ::table_patterns::Field<f64>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _DEVICE: _table::TemplateField<DeviceId> = _table::TemplateField::<
        DeviceId,
    >::text("device");
    const _AT: _table::TemplateField<Timestamp> = _table::TemplateField::<
        Timestamp,
    >::time("at");
    const _ID: _table::TemplateField<Uuid> = _table::TemplateField::<Uuid>::id("id");
    #[automatically_derived]
    #[allow(
        dead_code,
        clippy::many_single_char_names,
        clippy::needless_pass_by_value,
        clippy::similar_names,
        clippy::too_many_arguments
    )]
    impl Event {
        /// Returns a query for the [`Event`] with this key: a point query, the fastest read.
        ///
        /// Key: table `Events`, PartitionKey `{device}_{at:%Y%m}`, RowKey `{at:inverted_ticks}_{id}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn point(
            device: DeviceId,
            at: Timestamp,
            id: Uuid,
        ) -> _table::PointQuery<Event> {
            _table::PointQuery::at_address(
                _table::row::address::<
                    Event,
                >(
                    &[_DEVICE.value(&device), _AT.value(&at)],
                    &[_AT.value(&at), _ID.value(&id)],
                ),
            )
        }
        /// Returns a query for all [`Event`] rows of one `device` and `at` in RowKey order: a range query.
        /// `at`, `between` and `starts_with` restrict it.
        ///
        /// Key: table `Events`, PartitionKey `{device}_{at:%Y%m}`, RowKey `{at:inverted_ticks}_{id}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn rows(
            device: DeviceId,
            at: Timestamp,
        ) -> _table::Rows<
            Event,
            (_table::part::Time<Timestamp>, _table::part::Id<Uuid>),
        > {
            _table::Rows::of(&[_DEVICE.value(&device), _AT.value(&at)])
        }
        /// Returns a query that reads all [`Event`] rows of one `device` and `at` and filters them: a partition scan.
        /// Its cost depends on the rows read, not on the rows returned.
        ///
        /// Key: table `Events`, PartitionKey `{device}_{at:%Y%m}`, RowKey `{at:inverted_ticks}_{id}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn scan_partition(
            device: DeviceId,
            at: Timestamp,
        ) -> _table::PartitionScan<Event> {
            _table::PartitionScan::of(&[_DEVICE.value(&device), _AT.value(&at)])
        }
        /// Changes to properties of the [`Event`] with this key, regardless of its version.
        ///
        /// Key: table `Events`, PartitionKey `{device}_{at:%Y%m}`, RowKey `{at:inverted_ticks}_{id}`.
        pub fn patch(device: DeviceId, at: Timestamp, id: Uuid) -> EventPatch {
            EventPatch(
                _table::Patch::by_key(
                    _table::row::address::<
                        Event,
                    >(
                        &[_DEVICE.value(&device), _AT.value(&at)],
                        &[_AT.value(&at), _ID.value(&id)],
                    ),
                ),
            )
        }
    }
    #[automatically_derived]
    impl _table::TableEntity for Event {
        type Key = EventKey;
        type Patch<S: _table::PatchState> = EventPatch<S>;
        type Fields = EventFields;
        const DESIGN: &'static _table::Design = &_table::Design {
            name: "Event",
            table: "Events",
            partition: _table::Template {
                text: "{device}_{at:%Y%m}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Partition,
                    &[
                        _table::Part::Field {
                            field: "device",
                            shape: _table::Shape::Text,
                            exact: true,
                        },
                        _table::Part::Literal("_"),
                        _table::Part::Field {
                            field: "at",
                            shape: _table::Shape::Date(
                                _table::DateFormat::new(_table::DateUnit::Month),
                            ),
                            exact: false,
                        },
                    ],
                ),
            },
            row: _table::Template {
                text: "{at:inverted_ticks}_{id}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Row,
                    &[
                        _table::Part::Field {
                            field: "at",
                            shape: _table::Shape::InvertedTicks,
                            exact: true,
                        },
                        _table::Part::Literal("_"),
                        _table::Part::Field {
                            field: "id",
                            shape: _table::Shape::Guid,
                            exact: true,
                        },
                    ],
                ),
            },
            declaration: _table::Declaration::InCode(|design| {
                use _table::declared as _declared;
                design.table = _declared::template("Events");
                design.partition = _declared::template("{device}_{at:%Y%m}");
                design.row = _declared::template("{at:inverted_ticks}_{id}");
                design.entity_type = _declared::EntityTypeRule::None;
                design
                    .fields
                    .push(_declared::FieldDesign::in_key("device", _DEVICE.kind()));
                design.fields.push(_declared::field("at", "datetime"));
                design.fields.push(_declared::field("id", "guid"));
                design.fields.push(_declared::field("level", "f64"));
            }),
            properties: &[
                _table::Property {
                    field: "level",
                    name: "level",
                    slots: &[],
                    rust_type: "f64",
                },
            ],
            key: &[
                _table::TypedField {
                    field: "device",
                    rust_type: "DeviceId",
                },
                _table::TypedField {
                    field: "at",
                    rust_type: "Timestamp",
                },
                _table::TypedField {
                    field: "id",
                    rust_type: "Uuid",
                },
            ],
            .._table::Design::EMPTY
        };
        const FIELDS: &'static EventFields = &EventFields {
            device: _table::KeyField::of(|key: &EventKey| _table::Clone::clone(
                &key.device,
            )),
            at: _table::KeyField::of(|key: &EventKey| _table::Clone::clone(&key.at)),
            id: _table::KeyField::of(|key: &EventKey| _table::Clone::clone(&key.id)),
            level: _table::Field::<f64>::of("level"),
        };
        fn key(&self) -> EventKey {
            EventKey {
                device: _table::Clone::clone(&self.device),
                at: _table::Clone::clone(&self.at),
                id: _table::Clone::clone(&self.id),
            }
        }
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Self,
            >(
                &[_DEVICE.value(&self.device), _AT.value(&self.at)],
                &[_AT.value(&self.at), _ID.value(&self.id)],
            )
        }
        fn write(
            &self,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            Self::FIELDS.level.put(&self.level, into)?;
            _table::Ok(())
        }
        fn read(
            key: EventKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                device: key.device,
                at: key.at,
                id: key.id,
                level: Self::FIELDS.level.take(from)?,
            })
        }
    }
    #[automatically_derived]
    impl _table::NotEncrypted for Event {}
    #[automatically_derived]
    impl _table::AllowTableScan for Event {}
    #[automatically_derived]
    impl EventKey {
        /// Parses the keys of a row. Returns `None` if the row is not a [`Event`].
        pub fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
            _table::row::parse_key(partition_key, row_key)
        }
        /// The [`Event`] of this key: a point query.
        pub fn point(&self) -> _table::PointQuery<Event> {
            _table::PointQuery::of_key(self)
        }
    }
    #[automatically_derived]
    impl _table::EntityKey for EventKey {
        type Entity = Event;
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Event,
            >(
                &[_DEVICE.value(&self.device), _AT.value(&self.at)],
                &[_AT.value(&self.at), _ID.value(&self.id)],
            )
        }
        fn read(keys: &mut _table::KeyReader<'_>) -> _table::Option<Self> {
            _table::Some(Self {
                device: _DEVICE.read(keys)?,
                at: {
                    keys.skip()?;
                    _AT.read(keys)?
                },
                id: _ID.read(keys)?,
            })
        }
    }
    ::table_patterns::__key_traits!(EventKey);
    #[automatically_derived]
    #[allow(dead_code, clippy::wrong_self_convention)]
    impl<__S> EventPatch<__S> {
        #[doc(hidden)]
        pub fn device(self, _value: DeviceId) -> Self
        where
            __S: _table::PatchesKey,
        {
            self
        }
        #[doc(hidden)]
        pub fn at(self, _value: Timestamp) -> Self
        where
            __S: _table::PatchesKey,
        {
            self
        }
        #[doc(hidden)]
        pub fn id(self, _value: Uuid) -> Self
        where
            __S: _table::PatchesKey,
        {
            self
        }
        /// Sets `level`.
        pub fn level(mut self, value: f64) -> Self {
            self.0.set(&<Event as _table::TableEntity>::FIELDS.level, &value);
            self
        }
    }
    #[automatically_derived]
    impl<__S> _table::From<_table::Patch<Event, __S>> for EventPatch<__S> {
        fn from(patch: _table::Patch<Event, __S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<__S: _table::PatchState> _table::IntoMerge for EventPatch<__S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};

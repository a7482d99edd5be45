/// The key of [`Login`]: table `Logins{at:%Y%m%d}`, PartitionKey `{site}_{shard:02}`, RowKey `{at:inverted_ticks}_{user}`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct LoginKey {
    /// `{site}` of the PartitionKey.
    pub site: String,
    /// `{at:inverted_ticks}` of the RowKey.
    pub at: Timestamp,
    /// `{user}` of the RowKey.
    pub user: String,
}
/// Changes to properties of one [`Login`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `site`, `at` and `user`, which the key contains.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct LoginPatch<S = ::table_patterns::ByKey>(::table_patterns::Patch<Login, S>);
/// The properties of [`Login`] in filters: `Login::scan_partition(..).filter(|e| ..)`.
#[derive(::core::fmt::Debug)]
pub struct LoginFields {
    #[doc(hidden)]
    pub site: ::table_patterns::KeyField<LoginKey, String>,
    #[doc(hidden)]
    pub at: ::table_patterns::KeyField<LoginKey, Timestamp>,
    #[doc(hidden)]
    pub user: ::table_patterns::KeyField<LoginKey, String>,
    /// Stored as `ok`.
    pub ok: ::table_patterns::Field<bool>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _SITE: _table::Hole<String> = _table::Hole::<String>::text("site");
    const _AT: _table::Hole<Timestamp> = _table::Hole::<Timestamp>::time("at");
    const _USER: _table::Hole<String> = _table::Hole::<String>::text("user");
    #[automatically_derived]
    #[allow(
        dead_code,
        clippy::many_single_char_names,
        clippy::needless_pass_by_value,
        clippy::similar_names,
        clippy::too_many_arguments
    )]
    impl Login {
        /// Returns a query for the [`Login`] with this key: a point query, the fastest read.
        ///
        /// Key: table `Logins{at:%Y%m%d}`, PartitionKey `{site}_{shard:02}`, RowKey `{at:inverted_ticks}_{user}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn point(
            site: impl _table::AsRef<str>,
            at: Timestamp,
            user: impl _table::AsRef<str>,
        ) -> _table::PointQuery<Login> {
            _table::PointQuery::at_address(
                _table::row::address::<
                    Login,
                >(
                    &[_SITE.str(_table::AsRef::<str>::as_ref(&site))],
                    &[_AT.value(&at), _USER.str(_table::AsRef::<str>::as_ref(&user))],
                ),
            )
        }
        /// Returns a query for all [`Login`] rows of one `site` in RowKey order: a range query.
        /// `at`, `between` and `starts_with` restrict it.
        ///
        /// Key: table `Logins{at:%Y%m%d}`, PartitionKey `{site}_{shard:02}`, RowKey `{at:inverted_ticks}_{user}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn rows(
            site: impl _table::AsRef<str>,
        ) -> _table::FanOutRows<
            Login,
            (_table::part::Time<Timestamp>, _table::part::Text),
        > {
            _table::Rows::spread(&[_SITE.str(_table::AsRef::<str>::as_ref(&site))])
        }
        /// Returns a query that reads all [`Login`] rows of one `site` and filters them: a partition scan.
        /// Its cost depends on the rows read, not on the rows returned.
        ///
        /// Key: table `Logins{at:%Y%m%d}`, PartitionKey `{site}_{shard:02}`, RowKey `{at:inverted_ticks}_{user}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn scan_partition(
            site: impl _table::AsRef<str>,
        ) -> _table::FanOutScan<Login> {
            _table::FanOutScan::of(&[_SITE.str(_table::AsRef::<str>::as_ref(&site))])
        }
        /// Changes to properties of the [`Login`] with this key, regardless of its version.
        ///
        /// Key: table `Logins{at:%Y%m%d}`, PartitionKey `{site}_{shard:02}`, RowKey `{at:inverted_ticks}_{user}`.
        pub fn patch(
            site: impl _table::AsRef<str>,
            at: Timestamp,
            user: impl _table::AsRef<str>,
        ) -> LoginPatch {
            LoginPatch(
                _table::Patch::by_key(
                    _table::row::address::<
                        Login,
                    >(
                        &[_SITE.str(_table::AsRef::<str>::as_ref(&site))],
                        &[_AT.value(&at), _USER.str(_table::AsRef::<str>::as_ref(&user))],
                    ),
                ),
            )
        }
    }
    #[automatically_derived]
    impl _table::TableEntity for Login {
        type Key = LoginKey;
        type Patch<S: _table::PatchState> = LoginPatch<S>;
        type Fields = LoginFields;
        const DESIGN: &'static _table::Design = &_table::Design {
            name: "Login",
            table: "Logins{at:%Y%m%d}",
            tables: _table::Some(_table::Template {
                text: "Logins{at:%Y%m%d}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Partition,
                    &[
                        _table::Part::Literal("Logins"),
                        _table::Part::Hole {
                            field: "at",
                            shape: _table::Shape::Date(
                                _table::DateFormat::new(_table::DateUnit::Day),
                            ),
                            exact: false,
                        },
                    ],
                ),
            }),
            shard: _table::Some(_table::Shard {
                of: "user",
                count: 16,
            }),
            partition: _table::Template {
                text: "{site}_{shard:02}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Partition,
                    &[
                        _table::Part::Hole {
                            field: "site",
                            shape: _table::Shape::Text,
                            exact: true,
                        },
                        _table::Part::Literal("_"),
                        _table::Part::Hole {
                            field: "shard",
                            shape: _table::Shape::Padded(2),
                            exact: true,
                        },
                    ],
                ),
            },
            row: _table::Template {
                text: "{at:inverted_ticks}_{user}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Row,
                    &[
                        _table::Part::Hole {
                            field: "at",
                            shape: _table::Shape::InvertedTicks,
                            exact: true,
                        },
                        _table::Part::Literal("_"),
                        _table::Part::Hole {
                            field: "user",
                            shape: _table::Shape::Text,
                            exact: true,
                        },
                    ],
                ),
            },
            entity_type: _table::Some("Login"),
            aliases: &[],
            older: _table::None,
            properties: &[
                _table::Property {
                    field: "ok",
                    name: "ok",
                    slots: &[],
                    rust_type: "bool",
                },
            ],
            encrypted: &[],
            blobs: &[],
            wide: _table::None,
            indexes: &[],
            key: &[
                _table::TypedField {
                    field: "site",
                    rust_type: "String",
                },
                _table::TypedField {
                    field: "at",
                    rust_type: "Timestamp",
                },
                _table::TypedField {
                    field: "user",
                    rust_type: "String",
                },
            ],
            fed: &[],
            feeds: &[],
        };
        const FIELDS: &'static LoginFields = &LoginFields {
            site: _table::KeyField::of(|key: &LoginKey| _table::Clone::clone(&key.site)),
            at: _table::KeyField::of(|key: &LoginKey| _table::Clone::clone(&key.at)),
            user: _table::KeyField::of(|key: &LoginKey| _table::Clone::clone(&key.user)),
            ok: _table::Field::<bool>::of("ok"),
        };
        fn key(&self) -> LoginKey {
            LoginKey {
                site: _table::Clone::clone(&self.site),
                at: _table::Clone::clone(&self.at),
                user: _table::Clone::clone(&self.user),
            }
        }
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Self,
            >(
                &[_SITE.value(&self.site)],
                &[_AT.value(&self.at), _USER.value(&self.user)],
            )
        }
        fn write(
            &self,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            Self::FIELDS.ok.put(&self.ok, into)?;
            _table::Ok(())
        }
        fn read(
            key: LoginKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                site: key.site,
                at: key.at,
                user: key.user,
                ok: Self::FIELDS.ok.take(from)?,
            })
        }
    }
    #[automatically_derived]
    impl _table::PerPeriod for Login {
        type Time = Timestamp;
        const FIELD: &'static str = "at";
    }
    #[automatically_derived]
    impl _table::AllowTableScan for Login {}
    #[automatically_derived]
    impl LoginKey {
        /// Parses the keys of a row. Returns `None` if the row is not a [`Login`].
        pub fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
            _table::row::parse_key(partition_key, row_key)
        }
        /// The [`Login`] of this key: a point query.
        pub fn point(&self) -> _table::PointQuery<Login> {
            _table::PointQuery::of_key(self)
        }
    }
    #[automatically_derived]
    impl _table::EntityKey for LoginKey {
        type Entity = Login;
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Login,
            >(
                &[_SITE.value(&self.site)],
                &[_AT.value(&self.at), _USER.value(&self.user)],
            )
        }
        fn read(keys: &mut _table::KeyReader<'_>) -> _table::Option<Self> {
            _table::Some(Self {
                site: _SITE.read(keys)?,
                at: {
                    keys.skip()?;
                    _AT.read(keys)?
                },
                user: _USER.read(keys)?,
            })
        }
    }
    ::table_patterns::__key_traits!(LoginKey);
    #[automatically_derived]
    impl<S> LoginPatch<S> {
        /// Sets `ok`.
        pub fn ok(mut self, value: bool) -> Self {
            self.0.set(&<Login as _table::TableEntity>::FIELDS.ok, &value);
            self
        }
    }
    #[automatically_derived]
    impl<S> _table::From<_table::Patch<Login, S>> for LoginPatch<S> {
        fn from(patch: _table::Patch<Login, S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<S: _table::PatchState> _table::IntoMerge for LoginPatch<S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};

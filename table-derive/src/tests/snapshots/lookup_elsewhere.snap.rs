/// The key of [`Employee`]: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id:06}`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct EmployeeKey {
    /// `{department}` of the PartitionKey.
    pub department: String,
    /// `{id:06}` of the RowKey.
    pub id: u32,
}
/// Changes to properties of one [`Employee`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `department` and `id`, which the key contains.
///
/// There is no setter for `last_name`, `city`, `floor` and `skill`, which determines the keys or the existence of index rows. Use `update` or `replace`.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct EmployeePatch<__S = ::table_patterns::ByKey>(
    ::table_patterns::Patch<Employee, __S>,
);
/// The properties of [`Employee`] in filters: `Employee::scan_partition(..).filter(|e| ..)`.
#[derive(::core::fmt::Debug)]
pub struct EmployeeFields {
    #[doc(hidden)]
    pub department: ::table_patterns::KeyField<EmployeeKey, String>,
    #[doc(hidden)]
    pub id: ::table_patterns::KeyField<EmployeeKey, u32>,
    /// Stored as `last_name`.
    pub last_name: ::table_patterns::Field<String>,
    /// Stored as `city`.
    pub city: ::table_patterns::Field<Option<String>>,
    /// Stored as `floor`.
    pub floor: ::table_patterns::Field<u8>,
    /// Stored as `skill`.
    pub skill: ::table_patterns::Field<String>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _DEPARTMENT: _table::TemplateField<String> = _table::TemplateField::<
        String,
    >::text("department");
    const _ID: _table::TemplateField<u32> = _table::TemplateField::<u32>::num("id");
    const _LAST_NAME: _table::TemplateField<String> = _table::TemplateField::<
        String,
    >::text("last_name");
    const _CITY: _table::TemplateField<String> = _table::TemplateField::<
        String,
    >::text("city");
    const _FLOOR: _table::TemplateField<u8> = _table::TemplateField::<u8>::num("floor");
    const _SKILL: _table::TemplateField<String> = _table::TemplateField::<
        String,
    >::text("skill");
    #[automatically_derived]
    #[allow(
        dead_code,
        clippy::many_single_char_names,
        clippy::needless_pass_by_value,
        clippy::similar_names,
        clippy::too_many_arguments
    )]
    impl Employee {
        /// Returns a query for the [`Employee`] with this key: a point query, the fastest read.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id:06}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn point(
            department: impl _table::AsRef<str>,
            id: u32,
        ) -> _table::PointQuery<Employee> {
            _table::PointQuery::at_address(
                _table::row::address::<
                    Employee,
                >(
                    &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
                    &[_ID.value(&id)],
                ),
            )
        }
        /// Returns a query for all [`Employee`] rows of one `department` in RowKey order: a range query.
        /// `at`, `between` and `starts_with` restrict it.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id:06}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn rows(
            department: impl _table::AsRef<str>,
        ) -> _table::Rows<Employee, (_table::part::Num<u32>,)> {
            _table::Rows::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Returns a query that reads all [`Employee`] rows of one `department` and filters them: a partition scan.
        /// Its cost depends on the rows read, not on the rows returned.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id:06}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn scan_partition(
            department: impl _table::AsRef<str>,
        ) -> _table::PartitionScan<Employee> {
            _table::PartitionScan::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Changes to properties of the [`Employee`] with this key, regardless of its version.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id:06}`.
        pub fn patch(department: impl _table::AsRef<str>, id: u32) -> EmployeePatch {
            EmployeePatch(
                _table::Patch::by_key(
                    _table::row::address::<
                        Employee,
                    >(
                        &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
                        &[_ID.value(&id)],
                    ),
                ),
            )
        }
        /// Returns a query for every [`Employee`], in any partition, with this `last_name`: it reads the list, then each member by its key. An entity that was deleted or changed in between is skipped.
        ///
        /// List: table `EmployeesByLastName`, PartitionKey `{last_name}`, one row per member, RowKey `lastname!{department}!empid_{id:06}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn by_last_name(
            last_name: impl _table::AsRef<str>,
        ) -> _table::MultiPoint<Employee> {
            _table::MultiPoint::of_list(
                0usize,
                &[_LAST_NAME.str(_table::AsRef::<str>::as_ref(&last_name))],
                &[],
            )
        }
        /// Returns a query for every [`Employee`], in any partition, with this `city` and `floor`: it reads the list, then each member by its key. An entity that was deleted or changed in between is skipped.
        ///
        /// List: table `Homes`, PartitionKey `{city}_{floor:03}`, RowKey `home`, property `EmployeeDetails`; longer lists continue in RowKey `home!{department}!empid_{id:06}`.
        #[must_use = "a query does nothing until it runs"]
        pub fn by_home(
            city: impl _table::AsRef<str>,
            floor: u8,
        ) -> _table::MultiPoint<Employee> {
            _table::MultiPoint::of_list(
                1usize,
                &[_CITY.str(_table::AsRef::<str>::as_ref(&city)), _FLOOR.value(&floor)],
                &[],
            )
        }
        /// Returns a query for every [`Employee`], in any partition, with this `skill`: it reads the list, then each member by its key. An entity that was deleted or changed in between is skipped.
        ///
        /// List: blob `by_skill/{skill:esc}.jsonl` in the container of `Employees`; longer lists continue in blobs below that name.
        #[must_use = "a query does nothing until it runs"]
        pub fn by_skill(skill: impl _table::AsRef<str>) -> _table::MultiPoint<Employee> {
            _table::MultiPoint::of_list(
                2usize,
                &[_SKILL.str(_table::AsRef::<str>::as_ref(&skill))],
                &[],
            )
        }
    }
    #[automatically_derived]
    impl _table::TableEntity for Employee {
        type Key = EmployeeKey;
        type Patch<S: _table::PatchState> = EmployeePatch<S>;
        type Fields = EmployeeFields;
        const DESIGN: &'static _table::Design = &_table::Design {
            name: "Employee",
            table: "Employees",
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
                text: "empid_{id:06}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Row,
                    &[
                        _table::Part::Literal("empid_"),
                        _table::Part::Field {
                            field: "id",
                            shape: _table::Shape::Padded(6),
                            exact: true,
                        },
                    ],
                ),
            },
            declaration: _table::Declaration::InCode(|design| {
                use _table::declared as _declared;
                design.table = _declared::template("Employees");
                design.partition = _declared::template("{department}");
                design.row = _declared::template("empid_{id:06}");
                design
                    .lookups
                    .push(_declared::LookupDesign {
                        name: _declared::text("by_last_name"),
                        on: _declared::texts(&["last_name"]),
                        place: _declared::LookupPlace::Table,
                        .._table::Default::default()
                    });
                design
                    .lookups
                    .push(_declared::LookupDesign {
                        name: _declared::text("by_home"),
                        on: _declared::texts(&["city", "floor"]),
                        place: _declared::LookupPlace::Table,
                        table: _declared::template("Homes"),
                        ids: _table::Some(_declared::text("EmployeeDetails")),
                        .._table::Default::default()
                    });
                design
                    .lookups
                    .push(_declared::LookupDesign {
                        name: _declared::text("by_skill"),
                        on: _declared::texts(&["skill"]),
                        place: _declared::LookupPlace::Blob,
                        .._table::Default::default()
                    });
                design.fields.push(_declared::field("department", "string"));
                design.fields.push(_declared::field("id", "u32"));
                design.fields.push(_declared::field("last_name", "string"));
                design
                    .fields
                    .push(_declared::FieldDesign {
                        optional: true,
                        .._declared::field("city", "string")
                    });
                design.fields.push(_declared::field("floor", "u8"));
                design.fields.push(_declared::field("skill", "string"));
            }),
            entity_type: _table::Some("Employee"),
            properties: &[
                _table::Property {
                    field: "last_name",
                    name: "last_name",
                    slots: &[],
                    rust_type: "String",
                },
                _table::Property {
                    field: "city",
                    name: "city",
                    slots: &[],
                    rust_type: "Option<String>",
                },
                _table::Property {
                    field: "floor",
                    name: "floor",
                    slots: &[],
                    rust_type: "u8",
                },
                _table::Property {
                    field: "skill",
                    name: "skill",
                    slots: &[],
                    rust_type: "String",
                },
            ],
            indexes: &[
                _table::Index {
                    name: "by_last_name",
                    table: "EmployeesByLastName",
                    partition: _table::Template {
                        text: "{last_name}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Partition,
                            &[
                                _table::Part::Field {
                                    field: "last_name",
                                    shape: _table::Shape::Text,
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    row: _table::Template {
                        text: "lastname!{department}!empid_{id:06}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Row,
                            &[
                                _table::Part::Literal("lastname!"),
                                _table::Part::Field {
                                    field: "department",
                                    shape: _table::Shape::Text,
                                    exact: true,
                                },
                                _table::Part::Literal("!empid_"),
                                _table::Part::Field {
                                    field: "id",
                                    shape: _table::Shape::Padded(6),
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    near: false,
                    unique: false,
                    whole: false,
                    properties: &[],
                    lookup: _table::Some(_table::Lookup {
                        list: _table::Template {
                            text: "lastname",
                            form: _table::KeyForm::new(
                                _table::KeyKind::Row,
                                &[_table::Part::Literal("lastname!")],
                            ),
                        },
                        ids: _table::None,
                        in_blobs: false,
                    }),
                },
                _table::Index {
                    name: "by_home",
                    table: "Homes",
                    partition: _table::Template {
                        text: "{city}_{floor:03}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Partition,
                            &[
                                _table::Part::Field {
                                    field: "city",
                                    shape: _table::Shape::Text,
                                    exact: true,
                                },
                                _table::Part::Literal("_"),
                                _table::Part::Field {
                                    field: "floor",
                                    shape: _table::Shape::Padded(3),
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    row: _table::Template {
                        text: "home!{department}!empid_{id:06}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Row,
                            &[
                                _table::Part::Literal("home!"),
                                _table::Part::Field {
                                    field: "department",
                                    shape: _table::Shape::Text,
                                    exact: true,
                                },
                                _table::Part::Literal("!empid_"),
                                _table::Part::Field {
                                    field: "id",
                                    shape: _table::Shape::Padded(6),
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    near: false,
                    unique: false,
                    whole: false,
                    properties: &[],
                    lookup: _table::Some(_table::Lookup {
                        list: _table::Template {
                            text: "home",
                            form: _table::KeyForm::new(
                                _table::KeyKind::Row,
                                &[_table::Part::Literal("home!")],
                            ),
                        },
                        ids: _table::Some("EmployeeDetails"),
                        in_blobs: false,
                    }),
                },
                _table::Index {
                    name: "by_skill",
                    table: "Employees",
                    partition: _table::Template {
                        text: "{skill:esc}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Partition,
                            &[
                                _table::Part::Field {
                                    field: "skill",
                                    shape: _table::Shape::Esc,
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    row: _table::Template {
                        text: "skill!{department}!empid_{id:06}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Row,
                            &[
                                _table::Part::Literal("skill!"),
                                _table::Part::Field {
                                    field: "department",
                                    shape: _table::Shape::Text,
                                    exact: true,
                                },
                                _table::Part::Literal("!empid_"),
                                _table::Part::Field {
                                    field: "id",
                                    shape: _table::Shape::Padded(6),
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    near: false,
                    unique: false,
                    whole: false,
                    properties: &[],
                    lookup: _table::Some(_table::Lookup {
                        list: _table::Template {
                            text: "skill",
                            form: _table::KeyForm::new(
                                _table::KeyKind::Row,
                                &[_table::Part::Literal("skill!")],
                            ),
                        },
                        ids: _table::None,
                        in_blobs: true,
                    }),
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
            ],
            .._table::Design::EMPTY
        };
        const FIELDS: &'static EmployeeFields = &EmployeeFields {
            department: _table::KeyField::of(|key: &EmployeeKey| _table::Clone::clone(
                &key.department,
            )),
            id: _table::KeyField::of(|key: &EmployeeKey| _table::Clone::clone(&key.id)),
            last_name: _table::Field::<String>::of("last_name"),
            city: _table::Field::<Option<String>>::of("city"),
            floor: _table::Field::<u8>::of("floor"),
            skill: _table::Field::<String>::of("skill"),
        };
        fn key(&self) -> EmployeeKey {
            EmployeeKey {
                department: _table::Clone::clone(&self.department),
                id: _table::Clone::clone(&self.id),
            }
        }
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Self,
            >(&[_DEPARTMENT.value(&self.department)], &[_ID.value(&self.id)])
        }
        fn write(
            &self,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            Self::FIELDS.last_name.put(&self.last_name, into)?;
            Self::FIELDS.city.put(&self.city, into)?;
            Self::FIELDS.floor.put(&self.floor, into)?;
            Self::FIELDS.skill.put(&self.skill, into)?;
            _table::Ok(())
        }
        fn read(
            key: EmployeeKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                department: key.department,
                id: key.id,
                last_name: Self::FIELDS.last_name.take(from)?,
                city: Self::FIELDS.city.take(from)?,
                floor: Self::FIELDS.floor.take(from)?,
                skill: Self::FIELDS.skill.take(from)?,
            })
        }
        fn derive(
            &self,
            rows: &mut _table::DerivedRows<'_>,
        ) -> _table::Result<(), _table::Error> {
            rows.row::<
                    Self,
                >(
                0usize,
                &[_LAST_NAME.value(&self.last_name)],
                &[_DEPARTMENT.value(&self.department), _ID.value(&self.id)],
                |_| _table::Ok(()),
            )?;
            if let _table::Some(value0) = &self.city {
                rows.row::<
                        Self,
                    >(
                    1usize,
                    &[_CITY.value(value0), _FLOOR.value(&self.floor)],
                    &[_DEPARTMENT.value(&self.department), _ID.value(&self.id)],
                    |_| _table::Ok(()),
                )?;
            }
            rows.row::<
                    Self,
                >(
                2usize,
                &[_SKILL.value(&self.skill)],
                &[_DEPARTMENT.value(&self.department), _ID.value(&self.id)],
                |_| _table::Ok(()),
            )?;
            _table::Ok(())
        }
        fn read_copy(
            number: usize,
            from: &mut _table::CopyReader<'_, '_, '_>,
        ) -> _table::Result<EmployeeKey, _table::IndexRowError> {
            match number {
                0usize => {
                    _table::Ok(EmployeeKey {
                        department: {
                            from.give(&Self::FIELDS.last_name, &_LAST_NAME)?;
                            from.hole(&_DEPARTMENT)?
                        },
                        id: from.hole(&_ID)?,
                    })
                }
                1usize => {
                    _table::Ok(EmployeeKey {
                        department: {
                            from.give_some(&Self::FIELDS.city, &_CITY)?;
                            from.give(&Self::FIELDS.floor, &_FLOOR)?;
                            from.hole(&_DEPARTMENT)?
                        },
                        id: from.hole(&_ID)?,
                    })
                }
                2usize => {
                    _table::Ok(EmployeeKey {
                        department: {
                            from.give(&Self::FIELDS.skill, &_SKILL)?;
                            from.hole(&_DEPARTMENT)?
                        },
                        id: from.hole(&_ID)?,
                    })
                }
                _ => _table::Err(_table::IndexRowError::Foreign),
            }
        }
    }
    #[automatically_derived]
    impl _table::NotEncrypted for Employee {}
    #[automatically_derived]
    impl _table::AllowTableScan for Employee {}
    #[automatically_derived]
    impl EmployeeKey {
        /// Parses the keys of a row. Returns `None` if the row is not a [`Employee`].
        pub fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
            _table::row::parse_key(partition_key, row_key)
        }
        /// The [`Employee`] of this key: a point query.
        pub fn point(&self) -> _table::PointQuery<Employee> {
            _table::PointQuery::of_key(self)
        }
    }
    #[automatically_derived]
    impl _table::EntityKey for EmployeeKey {
        type Entity = Employee;
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Employee,
            >(&[_DEPARTMENT.value(&self.department)], &[_ID.value(&self.id)])
        }
        fn read(keys: &mut _table::KeyReader<'_>) -> _table::Option<Self> {
            _table::Some(Self {
                department: _DEPARTMENT.read(keys)?,
                id: _ID.read(keys)?,
            })
        }
    }
    ::table_patterns::__key_traits!(EmployeeKey);
    #[automatically_derived]
    #[allow(dead_code, clippy::wrong_self_convention)]
    impl<__S> EmployeePatch<__S> {
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
        pub fn last_name(self, _value: String) -> Self
        where
            __S: _table::PatchesIndexKey,
        {
            self
        }
        #[doc(hidden)]
        pub fn city(self, _value: String) -> Self
        where
            __S: _table::PatchesIndexKey,
        {
            self
        }
        #[doc(hidden)]
        pub fn floor(self, _value: u8) -> Self
        where
            __S: _table::PatchesIndexKey,
        {
            self
        }
        #[doc(hidden)]
        pub fn skill(self, _value: String) -> Self
        where
            __S: _table::PatchesIndexKey,
        {
            self
        }
    }
    #[automatically_derived]
    impl<__S> _table::From<_table::Patch<Employee, __S>> for EmployeePatch<__S> {
        fn from(patch: _table::Patch<Employee, __S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<__S: _table::PatchState> _table::IntoMerge for EmployeePatch<__S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};

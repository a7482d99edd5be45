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
/// There is no setter for `email`, `badge` and `gone`, which determines the keys or the existence of index rows. Use `update` or `replace`.
///
/// Only a patch of a stored entity can set `age`: index rows contain it and change in the same transaction.
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
    /// Stored as `email`.
    pub email: ::table_patterns::Field<String>,
    /// Stored as `badge`.
    pub badge: ::table_patterns::Field<Option<u32>>,
    /// Stored as `age`.
    pub age: ::table_patterns::Field<i32>,
    /// Stored as `gone`.
    pub gone: ::table_patterns::Field<bool>,
}
/// A row of the index `by_badge` of [`Employee`]: its key, and copies of some fields.
#[allow(dead_code)]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct EmployeeByBadge {
    /// Part of the key of the entity.
    pub department: String,
    /// Part of the key of the entity.
    pub id: u32,
    /// A copy of `badge`.
    pub badge: Option<u32>,
    /// A copy of `age`.
    pub age: i32,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _DEPARTMENT: _table::TemplateField<String> = _table::TemplateField::<
        String,
    >::text("department");
    const _ID: _table::TemplateField<u32> = _table::TemplateField::<u32>::num("id");
    const _EMAIL: _table::TemplateField<String> = _table::TemplateField::<
        String,
    >::text("email");
    const _BADGE: _table::TemplateField<u32> = _table::TemplateField::<
        u32,
    >::num("badge");
    const _ID_STORED: _table::Field<u32> = _table::Field::<u32>::of("id");
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
        /// Returns a query for the [`Employee`] with this key in the index `by_email`: a point query. It returns the complete entity.
        ///
        /// Key: RowKey `email_{email}`, in the entity's partition.
        #[must_use = "a query does nothing until it runs"]
        pub fn by_email(
            department: impl _table::AsRef<str>,
            email: impl _table::AsRef<str>,
        ) -> _table::PointQuery<Employee> {
            _table::PointQuery::by(
                _table::AccessPath::Index(0usize),
                _table::row::address_by::<
                    Employee,
                >(
                    _table::AccessPath::Index(0usize),
                    &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
                    &[_EMAIL.str(_table::AsRef::<str>::as_ref(&email))],
                ),
            )
        }
        /// Returns a query for the [`Employee`] rows of one `department` in the order of the index `by_email`: a range query.
        ///
        /// Key: RowKey `email_{email}`, in the entity's partition.
        #[must_use = "a query does nothing until it runs"]
        pub fn by_email_rows(
            department: impl _table::AsRef<str>,
        ) -> _table::Rows<Employee, (_table::part::Text,)> {
            _table::Rows::by(
                _table::AccessPath::Index(0usize),
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Returns a query for the [`Employee`] with this key in the index `by_badge`: a point query. It returns a [`EmployeeByBadge`], which can load the entity.
        ///
        /// Key: RowKey `badge_{badge:08}`, in the entity's partition.
        #[must_use = "a query does nothing until it runs"]
        pub fn by_badge(
            department: impl _table::AsRef<str>,
            badge: u32,
        ) -> _table::PointQuery<Employee, EmployeeByBadge> {
            _table::PointQuery::by(
                _table::AccessPath::Index(1usize),
                _table::row::address_by::<
                    Employee,
                >(
                    _table::AccessPath::Index(1usize),
                    &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
                    &[_BADGE.value(&badge)],
                ),
            )
        }
        /// Returns a query for the [`Employee`] rows of one `department` in the order of the index `by_badge`: a range query.
        ///
        /// Key: RowKey `badge_{badge:08}`, in the entity's partition.
        #[must_use = "a query does nothing until it runs"]
        pub fn by_badge_rows(
            department: impl _table::AsRef<str>,
        ) -> _table::Rows<Employee, (_table::part::Num<u32>,), EmployeeByBadge> {
            _table::Rows::by(
                _table::AccessPath::Index(1usize),
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Returns a query for the [`Employee`] with this key in the index `leavers`: a point query. It returns the complete entity.
        ///
        /// Key: RowKey `left_{id:06}`, in the entity's partition.
        #[must_use = "a query does nothing until it runs"]
        pub fn leavers(
            department: impl _table::AsRef<str>,
            id: u32,
        ) -> _table::PointQuery<Employee> {
            _table::PointQuery::by(
                _table::AccessPath::Index(2usize),
                _table::row::address_by::<
                    Employee,
                >(
                    _table::AccessPath::Index(2usize),
                    &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
                    &[_ID.value(&id)],
                ),
            )
        }
        /// Returns a query for the [`Employee`] rows of one `department` in the order of the index `leavers`: a range query.
        ///
        /// Key: RowKey `left_{id:06}`, in the entity's partition.
        #[must_use = "a query does nothing until it runs"]
        pub fn leavers_rows(
            department: impl _table::AsRef<str>,
        ) -> _table::Rows<Employee, (_table::part::Num<u32>,)> {
            _table::Rows::by(
                _table::AccessPath::Index(2usize),
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
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
                    .indexes
                    .push(_declared::IndexDesign {
                        unique: true,
                        .._declared::IndexDesign::new("by_email", "email_{email}")
                    });
                design
                    .indexes
                    .push(_declared::IndexDesign {
                        unique: true,
                        sparse: true,
                        copy: _declared::CopiedFields::Only(_declared::texts(&["age"])),
                        .._declared::IndexDesign::new("by_badge", "badge_{badge:08}")
                    });
                design
                    .indexes
                    .push(_declared::IndexDesign {
                        sparse: true,
                        condition: _table::Some(_declared::text("gone")),
                        .._declared::IndexDesign::new("leavers", "left_{id:06}")
                    });
                design.fields.push(_declared::field("department", "string"));
                design.fields.push(_declared::field("id", "u32"));
                design.fields.push(_declared::field("email", "string"));
                design
                    .fields
                    .push(_declared::FieldDesign {
                        optional: true,
                        .._declared::field("badge", "u32")
                    });
                design.fields.push(_declared::field("age", "i32"));
                design.fields.push(_declared::field("gone", "bool"));
            }),
            entity_type: _table::Some("Employee"),
            properties: &[
                _table::Property {
                    field: "email",
                    name: "email",
                    slots: &[],
                    rust_type: "String",
                },
                _table::Property {
                    field: "badge",
                    name: "badge",
                    slots: &[],
                    rust_type: "Option<u32>",
                },
                _table::Property {
                    field: "age",
                    name: "age",
                    slots: &[],
                    rust_type: "i32",
                },
                _table::Property {
                    field: "gone",
                    name: "gone",
                    slots: &[],
                    rust_type: "bool",
                },
            ],
            indexes: &[
                _table::Index {
                    name: "by_email",
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
                        text: "email_{email}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Row,
                            &[
                                _table::Part::Literal("email_"),
                                _table::Part::Field {
                                    field: "email",
                                    shape: _table::Shape::Text,
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    near: true,
                    unique: true,
                    whole: true,
                    properties: &[&["id"], &["badge"], &["age"], &["gone"]],
                    lookup: _table::None,
                },
                _table::Index {
                    name: "by_badge",
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
                        text: "badge_{badge:08}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Row,
                            &[
                                _table::Part::Literal("badge_"),
                                _table::Part::Field {
                                    field: "badge",
                                    shape: _table::Shape::Padded(8),
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    near: true,
                    unique: true,
                    whole: false,
                    properties: &[&["id"], &["age"]],
                    lookup: _table::None,
                },
                _table::Index {
                    name: "leavers",
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
                        text: "left_{id:06}",
                        form: _table::KeyForm::new(
                            _table::KeyKind::Row,
                            &[
                                _table::Part::Literal("left_"),
                                _table::Part::Field {
                                    field: "id",
                                    shape: _table::Shape::Padded(6),
                                    exact: true,
                                },
                            ],
                        ),
                    },
                    near: true,
                    unique: false,
                    whole: true,
                    properties: &[&["email"], &["badge"], &["age"], &["gone"]],
                    lookup: _table::None,
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
            email: _table::Field::<String>::of("email"),
            badge: _table::Field::<Option<u32>>::of("badge"),
            age: _table::Field::<i32>::of("age"),
            gone: _table::Field::<bool>::of("gone"),
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
            Self::FIELDS.email.put(&self.email, into)?;
            Self::FIELDS.badge.put(&self.badge, into)?;
            Self::FIELDS.age.put(&self.age, into)?;
            Self::FIELDS.gone.put(&self.gone, into)?;
            _table::Ok(())
        }
        fn read(
            key: EmployeeKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                department: key.department,
                id: key.id,
                email: Self::FIELDS.email.take(from)?,
                badge: Self::FIELDS.badge.take(from)?,
                age: Self::FIELDS.age.take(from)?,
                gone: Self::FIELDS.gone.take(from)?,
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
                &[_DEPARTMENT.value(&self.department)],
                &[_EMAIL.value(&self.email)],
                |own| {
                    _ID_STORED.put(&self.id, own)?;
                    _table::Ok(())
                },
            )?;
            if let _table::Some(value0) = &self.badge {
                rows.row::<
                        Self,
                    >(
                    1usize,
                    &[_DEPARTMENT.value(&self.department)],
                    &[_BADGE.value(value0)],
                    |own| {
                        _ID_STORED.put(&self.id, own)?;
                        _table::Ok(())
                    },
                )?;
            }
            if self.gone {
                rows.row::<
                        Self,
                    >(
                    2usize,
                    &[_DEPARTMENT.value(&self.department)],
                    &[_ID.value(&self.id)],
                    |_| _table::Ok(()),
                )?;
            }
            _table::Ok(())
        }
        fn read_copy(
            number: usize,
            from: &mut _table::CopyReader<'_, '_, '_>,
        ) -> _table::Result<EmployeeKey, _table::IndexRowError> {
            match number {
                0usize => {
                    _table::Ok(EmployeeKey {
                        department: from.hole(&_DEPARTMENT)?,
                        id: {
                            from.give(&Self::FIELDS.email, &_EMAIL)?;
                            from.property(&_ID_STORED)?
                        },
                    })
                }
                1usize => {
                    _table::Ok(EmployeeKey {
                        department: from.hole(&_DEPARTMENT)?,
                        id: {
                            from.give_some(&Self::FIELDS.badge, &_BADGE)?;
                            from.property(&_ID_STORED)?
                        },
                    })
                }
                2usize => {
                    _table::Ok(EmployeeKey {
                        department: from.hole(&_DEPARTMENT)?,
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
    #[allow(non_camel_case_types, unreachable_pub)]
    pub enum gone {}
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
        pub fn email(self, _value: String) -> Self
        where
            __S: _table::PatchesIndexKey,
        {
            self
        }
        #[doc(hidden)]
        pub fn badge(self, _value: u32) -> Self
        where
            __S: _table::PatchesIndexKey,
        {
            self
        }
        /// Sets `age`.
        pub fn age(mut self, value: i32) -> Self
        where
            __S: _table::PatchesStored,
        {
            self.0.set(&<Employee as _table::TableEntity>::FIELDS.age, &value);
            self
        }
        #[doc(hidden)]
        pub fn gone(self, _value: bool) -> Self
        where
            __S: _table::PatchesCondition<gone>,
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
    #[automatically_derived]
    impl _table::FromRow for EmployeeByBadge {
        type Out = _table::IndexRow<Self>;
        fn from_row(
            source: _table::Source<'_>,
            row: _table::RowRef<'_>,
        ) -> _table::Result<_table::IndexRow<Self>, _table::DecodeError> {
            _table::copy::read::<
                Self,
            >(
                source,
                row,
                |key, from| _table::Ok(Self {
                    department: _table::Clone::clone(&key.department),
                    id: _table::Clone::clone(&key.id),
                    badge: <Employee as _table::TableEntity>::FIELDS.badge.take(from)?,
                    age: <Employee as _table::TableEntity>::FIELDS.age.take(from)?,
                }),
            )
        }
    }
    #[automatically_derived]
    impl _table::IndexRowType for EmployeeByBadge {
        type Of = Employee;
        fn key(&self) -> EmployeeKey {
            EmployeeKey {
                department: _table::Clone::clone(&self.department),
                id: _table::Clone::clone(&self.id),
            }
        }
    }
};

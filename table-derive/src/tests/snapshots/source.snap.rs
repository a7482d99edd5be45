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
/// There is no setter for `floor`, `age`, `desks` and `is_here`, which determines the keys or the existence of index rows. Use `update` or `replace`.
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
    /// Stored as `floor`.
    pub floor: ::table_patterns::Field<Option<i32>>,
    /// Stored as `age`.
    pub age: ::table_patterns::Field<i32>,
    /// Stored as `desks`.
    pub desks: ::table_patterns::Field<i64>,
    /// Stored as `is_here`.
    pub is_here: ::table_patterns::Field<bool>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _DEPARTMENT: _table::TemplateField<String> = _table::TemplateField::<
        String,
    >::text("department");
    const _ID: _table::TemplateField<u32> = _table::TemplateField::<u32>::num("id");
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
                    .contributions
                    .push(_declared::ContributionDesign {
                        by: _table::Aggregate::Count,
                        target: _declared::text("Department"),
                        path: _declared::text("Department"),
                        field: _declared::text("employees"),
                        of: _table::None,
                        when: _table::None,
                        condition: _table::Some(_declared::text("is_active")),
                    });
                design
                    .contributions
                    .push(_declared::ContributionDesign {
                        by: _table::Aggregate::Max,
                        target: _declared::text("Department"),
                        path: _declared::text("Department"),
                        field: _declared::text("oldest"),
                        of: _table::Some(_declared::text("age")),
                        when: _table::None,
                        condition: _table::None,
                    });
                design
                    .contributions
                    .push(_declared::ContributionDesign {
                        by: _table::Aggregate::Sum,
                        target: _declared::text("Floor"),
                        path: _declared::text("model::Floor"),
                        field: _declared::text("desks"),
                        of: _table::Some(_declared::text("desks")),
                        when: _table::None,
                        condition: _table::Some(_declared::text("is_here")),
                    });
                design.fields.push(_declared::field("department", "string"));
                design.fields.push(_declared::field("id", "u32"));
                design
                    .fields
                    .push(_declared::FieldDesign {
                        optional: true,
                        .._declared::field("floor", "i32")
                    });
                design.fields.push(_declared::field("age", "i32"));
                design.fields.push(_declared::field("desks", "i64"));
                design.fields.push(_declared::field("is_here", "bool"));
            }),
            entity_type: _table::Some("Employee"),
            properties: &[
                _table::Property {
                    field: "floor",
                    name: "floor",
                    slots: &[],
                    rust_type: "Option<i32>",
                },
                _table::Property {
                    field: "age",
                    name: "age",
                    slots: &[],
                    rust_type: "i32",
                },
                _table::Property {
                    field: "desks",
                    name: "desks",
                    slots: &[],
                    rust_type: "i64",
                },
                _table::Property {
                    field: "is_here",
                    name: "is_here",
                    slots: &[],
                    rust_type: "bool",
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
            feeds: &[
                _table::Contribution {
                    name: "Department",
                    sink: || <Department as _table::TableEntity>::DESIGN,
                    totals: &[
                        _table::Total {
                            field: "employees",
                            by: _table::Aggregate::Count,
                            of: _table::None,
                        },
                        _table::Total {
                            field: "oldest",
                            by: _table::Aggregate::Max,
                            of: _table::Some("age"),
                        },
                    ],
                },
                _table::Contribution {
                    name: "Floor",
                    sink: || <model::Floor as _table::TableEntity>::DESIGN,
                    totals: &[
                        _table::Total {
                            field: "desks",
                            by: _table::Aggregate::Sum,
                            of: _table::Some("desks"),
                        },
                    ],
                },
            ],
            .._table::Design::EMPTY
        };
        const FIELDS: &'static EmployeeFields = &EmployeeFields {
            department: _table::KeyField::of(|key: &EmployeeKey| _table::Clone::clone(
                &key.department,
            )),
            id: _table::KeyField::of(|key: &EmployeeKey| _table::Clone::clone(&key.id)),
            floor: _table::Field::<Option<i32>>::of("floor"),
            age: _table::Field::<i32>::of("age"),
            desks: _table::Field::<i64>::of("desks"),
            is_here: _table::Field::<bool>::of("is_here"),
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
            Self::FIELDS.floor.put(&self.floor, into)?;
            Self::FIELDS.age.put(&self.age, into)?;
            Self::FIELDS.desks.put(&self.desks, into)?;
            Self::FIELDS.is_here.put(&self.is_here, into)?;
            _table::Ok(())
        }
        fn read(
            key: EmployeeKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                department: key.department,
                id: key.id,
                floor: Self::FIELDS.floor.take(from)?,
                age: Self::FIELDS.age.take(from)?,
                desks: Self::FIELDS.desks.take(from)?,
                is_here: Self::FIELDS.is_here.take(from)?,
            })
        }
        fn derive(
            &self,
            rows: &mut _table::DerivedRows<'_>,
        ) -> _table::Result<(), _table::Error> {
            rows.feed::<
                    Self,
                    Department,
                >(
                0usize,
                &_table::Parts::new(
                    &[
                        ("department", _table::part_of(&self.department)),
                        ("id", _table::part_of(&self.id)),
                        ("floor", _table::part_of_option(&self.floor)),
                        ("age", _table::part_of(&self.age)),
                        ("desks", _table::part_of(&self.desks)),
                        ("is_here", _table::part_of(&self.is_here)),
                    ],
                ),
                |values| {
                    if Self::is_active(self) {
                        values.count(0usize);
                    }
                    values.add(1usize, &Self::FIELDS.age, &self.age)?;
                    _table::Ok(())
                },
            )?;
            rows.feed::<
                    Self,
                    model::Floor,
                >(
                1usize,
                &_table::Parts::new(
                    &[
                        ("department", _table::part_of(&self.department)),
                        ("id", _table::part_of(&self.id)),
                        ("floor", _table::part_of_option(&self.floor)),
                        ("age", _table::part_of(&self.age)),
                        ("desks", _table::part_of(&self.desks)),
                        ("is_here", _table::part_of(&self.is_here)),
                    ],
                ),
                |values| {
                    if self.is_here {
                        values.add(0usize, &Self::FIELDS.desks, &self.desks)?;
                    }
                    _table::Ok(())
                },
            )?;
            _table::Ok(())
        }
    }
    #[automatically_derived]
    impl _table::NotEncrypted for Employee {}
    const _: () = {
        const SOURCE: &_table::Design = <Employee as _table::TableEntity>::DESIGN;
        const SINK: &_table::Design = <Department as _table::TableEntity>::DESIGN;
        _table::assert!(
            SOURCE.knows_key_of(SINK),
            "the key of `Department` contains fields that `Employee` does not have with the same names and types\n\nhelp: add these fields to `Employee`, or aggregate it in an entity whose key fields it has"
        );
        _table::assert!(
            SINK.takes("employees", & ["i64"]),
            "`counted_in` maintains an `i64` in `Department::employees`, which is missing, has another type, or is not marked\n\nhelp: write in `Department`: #[table(from_source)] employees: i64"
        );
        _table::assert!(
            SINK.takes("oldest", & ["Option<i32>"]),
            "`max_in` maintains an `Option<i32>` in `Department::oldest`, which is missing, has another type, or is not marked\n\nhelp: write in `Department`: #[table(from_source)] oldest: Option<i32>"
        );
    };
    const _: () = {
        const SOURCE: &_table::Design = <Employee as _table::TableEntity>::DESIGN;
        const SINK: &_table::Design = <model::Floor as _table::TableEntity>::DESIGN;
        _table::assert!(
            SOURCE.knows_key_of(SINK),
            "the key of `Floor` contains fields that `Employee` does not have with the same names and types\n\nhelp: add these fields to `Employee`, or aggregate it in an entity whose key fields it has"
        );
        _table::assert!(
            SINK.takes("desks", & ["i64"]),
            "`summed_in` maintains an `i64` in `Floor::desks`, which is missing, has another type, or is not marked\n\nhelp: write in `Floor`: #[table(from_source)] desks: i64"
        );
    };
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
    pub enum is_active {}
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
        pub fn floor(self, _value: i32) -> Self
        where
            __S: _table::PatchesCondition<is_active>,
        {
            self
        }
        #[doc(hidden)]
        pub fn age(self, _value: i32) -> Self
        where
            __S: _table::PatchesCondition<is_active>,
        {
            self
        }
        #[doc(hidden)]
        pub fn desks(self, _value: i64) -> Self
        where
            __S: _table::PatchesCondition<is_active>,
        {
            self
        }
        #[doc(hidden)]
        pub fn is_here(self, _value: bool) -> Self
        where
            __S: _table::PatchesCondition<is_active>,
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

/// The key of [`Employee`]: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id}`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
struct EmployeeKey {
    /// `{department}` of the PartitionKey.
    department: String,
    /// `{id}` of the RowKey.
    id: u32,
}
/// Changes to properties of one [`Employee`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `department` and `id`, which the key contains.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
struct EmployeePatch<S = ::table_patterns::ByKey>(::table_patterns::Patch<Employee, S>);
/// The properties of [`Employee`] in filters: `Employee::scan_partition(..).filter(|e| ..)`.
#[derive(::core::fmt::Debug)]
struct EmployeeFields {
    #[doc(hidden)]
    department: ::table_patterns::KeyField<EmployeeKey, String>,
    #[doc(hidden)]
    id: ::table_patterns::KeyField<EmployeeKey, u32>,
    /// Stored as `age`.
    age: ::table_patterns::Field<usize>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    const _DEPARTMENT: _table::Hole<String> = _table::Hole::unusable("department");
    const _ID: _table::Hole<u32> = _table::Hole::unusable("id");
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
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id}`.
        #[must_use = "a query does nothing until it runs"]
        fn point(
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
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id}`.
        #[must_use = "a query does nothing until it runs"]
        fn rows(
            department: impl _table::AsRef<str>,
        ) -> _table::Rows<Employee, (_table::part::Num<u32>,)> {
            _table::Rows::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Returns a query that reads all [`Employee`] rows of one `department` and filters them: a partition scan.
        /// Its cost depends on the rows read, not on the rows returned.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id}`.
        #[must_use = "a query does nothing until it runs"]
        fn scan_partition(
            department: impl _table::AsRef<str>,
        ) -> _table::PartitionScan<Employee> {
            _table::PartitionScan::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Changes to properties of the [`Employee`] with this key, regardless of its version.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id}`.
        fn patch(department: impl _table::AsRef<str>, id: u32) -> EmployeePatch {
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
            tables: _table::None,
            shard: _table::None,
            partition: _table::Template {
                text: "{department}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Partition,
                    &[
                        _table::Part::Hole {
                            field: "department",
                            shape: _table::Shape::Text,
                            exact: true,
                        },
                    ],
                ),
            },
            row: _table::Template {
                text: "empid_{id}",
                form: _table::KeyForm::new(
                    _table::KeyKind::Row,
                    &[
                        _table::Part::Literal("empid_"),
                        _table::Part::Hole {
                            field: "id",
                            shape: _table::Shape::Text,
                            exact: true,
                        },
                    ],
                ),
            },
            entity_type: _table::Some("Employee"),
            aliases: &[],
            older: _table::None,
            properties: &[
                _table::Property {
                    field: "age",
                    name: "age",
                    slots: &[],
                    rust_type: "usize",
                },
            ],
            encrypted: &[],
            blobs: &[],
            wide: _table::None,
            indexes: &[],
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
            fed: &[],
            feeds: &[],
        };
        const FIELDS: &'static EmployeeFields = &EmployeeFields {
            department: _table::KeyField::of(|key: &EmployeeKey| _table::Clone::clone(
                &key.department,
            )),
            id: _table::KeyField::of(|key: &EmployeeKey| _table::Clone::clone(&key.id)),
            age: _table::Field::unusable("age"),
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
            Self::FIELDS.age.put(&self.age, into)?;
            _table::Ok(())
        }
        fn read(
            key: EmployeeKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            loop {}
        }
    }
    #[automatically_derived]
    impl _table::AllowTableScan for Employee {}
    #[automatically_derived]
    impl EmployeeKey {
        /// Parses the keys of a row. Returns `None` if the row is not a [`Employee`].
        fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
            _table::row::parse_key(partition_key, row_key)
        }
        /// The [`Employee`] of this key: a point query.
        fn point(&self) -> _table::PointQuery<Employee> {
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
    impl<S> EmployeePatch<S> {
        /// Sets `age`.
        fn age(mut self, value: usize) -> Self {
            self.0.set(&<Employee as _table::TableEntity>::FIELDS.age, &value);
            self
        }
    }
    #[automatically_derived]
    impl<S> _table::From<_table::Patch<Employee, S>> for EmployeePatch<S> {
        fn from(patch: _table::Patch<Employee, S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<S: _table::PatchState> _table::IntoMerge for EmployeePatch<S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};
::core::compile_error! {
    "`Employee` has no field `departmnt` [D008]\n  \"{departmnt}\"\n   ^^^^^^^^^^^\n\nhelp: did you mean `department`?"
}
::core::compile_error! {
    "integer `id` has no width: 10 would sort before 9 [K10]\n  \"empid_{id}\"\n         ^^^^\n\nhelp: write `{id:010}` (or fewer digits, if values stay small)"
}
::core::compile_error! {
    "`usize` depends on the machine; stored data must not [D007]\n\nhelp: write `u32` or `u64`"
}

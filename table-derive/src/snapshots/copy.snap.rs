/// The key of [`Department`]: table `Employees`, PartitionKey `{department}`, RowKey `department`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct DepartmentKey {
    /// `{department}` of the PartitionKey.
    pub department: String,
}
/// Changes to properties of one [`Department`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `department`, which the key contains.
///
/// There is no setter for `manager`, which other entities maintain.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct DepartmentPatch<S = ::table_patterns::ByKey>(
    ::table_patterns::Patch<Department, S>,
);
/// The properties of [`Department`] in filters: `Department::scan_partition(..).filter(|e| ..)`.
#[derive(::core::fmt::Debug)]
pub struct DepartmentFields {
    #[doc(hidden)]
    pub department: ::table_patterns::KeyField<DepartmentKey, String>,
    /// Stored as `budget`.
    pub budget: ::table_patterns::Field<i64>,
    /// Stored as `manager`; a copy is stored as properties whose names start with `manager_`.
    pub manager: ::table_patterns::Field<Option<Manager>>,
}
#[allow(unused_qualifications)]
const _: () = {
    use ::table_patterns::__private as _table;
    #[allow(unused_imports)]
    use _table::OneValue as _;
    const _DEPARTMENT: _table::Hole<String> = _table::Hole::<String>::text("department");
    const _MANAGER: &[&str] = ::table_patterns::__copied!("manager", Option < Manager >);
    const _: () = _table::assert!(
        < Department as _table::TableEntity > ::DESIGN.property_count() <= 250usize,
        "`Department` needs more than 250 properties, including one per slot of a series; copy fewer fields of other entities"
    );
    #[automatically_derived]
    #[allow(
        dead_code,
        clippy::many_single_char_names,
        clippy::needless_pass_by_value,
        clippy::similar_names,
        clippy::too_many_arguments
    )]
    impl Department {
        /// Returns a query for the [`Department`] with this key: a point query, the fastest read.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `department`.
        #[must_use = "a query does nothing until it runs"]
        pub fn point(
            department: impl _table::AsRef<str>,
        ) -> _table::PointQuery<Department> {
            _table::PointQuery::at_address(
                _table::row::address::<
                    Department,
                >(&[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))], &[]),
            )
        }
        /// Returns a query for all [`Department`] rows of one `department` in RowKey order: a range query.
        /// `at`, `between` and `starts_with` restrict it.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `department`.
        #[must_use = "a query does nothing until it runs"]
        pub fn rows(
            department: impl _table::AsRef<str>,
        ) -> _table::Rows<Department, ()> {
            _table::Rows::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Returns a query that reads all [`Department`] rows of one `department` and filters them: a partition scan.
        /// Its cost depends on the rows read, not on the rows returned.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `department`.
        #[must_use = "a query does nothing until it runs"]
        pub fn scan_partition(
            department: impl _table::AsRef<str>,
        ) -> _table::PartitionScan<Department> {
            _table::PartitionScan::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Changes to properties of the [`Department`] with this key, regardless of its version.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `department`.
        pub fn patch(department: impl _table::AsRef<str>) -> DepartmentPatch {
            DepartmentPatch(
                _table::Patch::by_key(
                    _table::row::address::<
                        Department,
                    >(&[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))], &[]),
                ),
            )
        }
    }
    #[automatically_derived]
    impl _table::TableEntity for Department {
        type Key = DepartmentKey;
        type Patch<S: _table::PatchState> = DepartmentPatch<S>;
        type Fields = DepartmentFields;
        const DESIGN: &'static _table::Design = &_table::Design {
            name: "Department",
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
                text: "department",
                form: _table::KeyForm::new(
                    _table::KeyKind::Row,
                    &[_table::Part::Literal("department")],
                ),
            },
            entity_type: _table::Some("Department"),
            aliases: &[],
            older: _table::None,
            properties: &[
                _table::Property {
                    field: "budget",
                    name: "budget",
                    slots: &[],
                    rust_type: "i64",
                },
                _table::Property {
                    field: "manager",
                    name: "manager",
                    slots: _MANAGER,
                    rust_type: "Option<Manager>",
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
            ],
            fed: &["manager"],
            feeds: &[],
        };
        const FIELDS: &'static DepartmentFields = &DepartmentFields {
            department: _table::KeyField::of(|key: &DepartmentKey| _table::Clone::clone(
                &key.department,
            )),
            budget: _table::Field::<i64>::of("budget"),
            manager: <_table::Fed<Option<Manager>>>::FIELD.named("manager", _MANAGER),
        };
        fn key(&self) -> DepartmentKey {
            DepartmentKey {
                department: _table::Clone::clone(&self.department),
            }
        }
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<Self>(&[_DEPARTMENT.value(&self.department)], &[])
        }
        fn write(
            &self,
            into: &mut _table::Writer,
        ) -> _table::Result<(), _table::PropertyError> {
            Self::FIELDS.budget.put(&self.budget, into)?;
            _table::Ok(())
        }
        fn read(
            key: DepartmentKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                department: key.department,
                budget: Self::FIELDS.budget.take(from)?,
                manager: Self::FIELDS.manager.take(from)?,
            })
        }
    }
    #[automatically_derived]
    impl _table::Sink for Department {
        fn key_among(parts: &_table::Parts<'_>) -> _table::Option<DepartmentKey> {
            _table::Some(DepartmentKey {
                department: parts.get::<String>("department")?,
            })
        }
    }
    const _: () = _table::assert!(
        < _table::Fed < Option < Manager > >> ::IS_PLAIN,
        "`manager` copies a field that is encrypted, maintained by another entity, or not a single property\n\nhelp: remove it from the projection: a copy contains values that every reader may see, and is not copied again"
    );
    const _: () = _table::assert!(
        ! < Department as _table::TableEntity > ::DESIGN.has_a_name_twice(),
        "two properties of `Department` have the same name: the properties of `manager` are named `manager_..`\n\nhelp: rename one of them: #[table(rename = \"..\")]"
    );
    #[automatically_derived]
    impl _table::AllowTableScan for Department {}
    #[automatically_derived]
    impl DepartmentKey {
        /// Parses the keys of a row. Returns `None` if the row is not a [`Department`].
        pub fn parse(partition_key: &str, row_key: &str) -> _table::Option<Self> {
            _table::row::parse_key(partition_key, row_key)
        }
        /// The [`Department`] of this key: a point query.
        pub fn point(&self) -> _table::PointQuery<Department> {
            _table::PointQuery::of_key(self)
        }
    }
    #[automatically_derived]
    impl _table::EntityKey for DepartmentKey {
        type Entity = Department;
        fn address(&self) -> _table::Result<_table::Address, _table::Error> {
            _table::row::address::<
                Department,
            >(&[_DEPARTMENT.value(&self.department)], &[])
        }
        fn read(keys: &mut _table::KeyReader<'_>) -> _table::Option<Self> {
            _table::Some(Self {
                department: _DEPARTMENT.read(keys)?,
            })
        }
    }
    ::table_patterns::__key_traits!(DepartmentKey);
    #[automatically_derived]
    impl<S> DepartmentPatch<S> {
        /// Sets `budget`.
        pub fn budget(mut self, value: i64) -> Self {
            self.0.set(&<Department as _table::TableEntity>::FIELDS.budget, &value);
            self
        }
    }
    #[automatically_derived]
    impl<S> _table::From<_table::Patch<Department, S>> for DepartmentPatch<S> {
        fn from(patch: _table::Patch<Department, S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<S: _table::PatchState> _table::IntoMerge for DepartmentPatch<S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};

/// The key of [`Employee`]: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id:06}`.
///
/// Two keys are equal if they identify the same row. They sort like the rows.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
struct EmpKey {
    /// `{department}` of the PartitionKey.
    department: String,
    /// `{id:06}` of the RowKey.
    id: u32,
}
/// Changes to properties of one [`Employee`], sent as one merge. Other properties are unchanged.
///
/// There is no setter for `department` and `id`, which the key contains.
#[must_use = "a patch does nothing until it is merged"]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
struct EmpPatch<__S = storage::ByKey>(storage::Patch<Employee, __S>);
/// The properties of [`Employee`] in filters: `Employee::scan(..).filter(|e| ..)`.
#[derive(::core::fmt::Debug)]
struct EmpFields {
    #[doc(hidden)]
    department: storage::KeyField<EmpKey, String>,
    /// Stored as `Id`.
    id: storage::Field<u32>,
    /// Stored as `Mail`.
    email: storage::Field<String>,
    /// Stored as `Age`.
    age: storage::Field<i32>,
    #[doc(hidden)]
    tags: storage::Field<Vec<String>, storage::Json>,
}
#[allow(unused_qualifications)]
const _: () = {
    use storage::__private as _table;
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
        fn at(
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
        fn list(
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
        fn scan(department: impl _table::AsRef<str>) -> _table::PartitionScan<Employee> {
            _table::PartitionScan::of(
                &[_DEPARTMENT.str(_table::AsRef::<str>::as_ref(&department))],
            )
        }
        /// Changes to properties of the [`Employee`] with this key, regardless of its version.
        ///
        /// Key: table `Employees`, PartitionKey `{department}`, RowKey `empid_{id:06}`.
        fn change(department: impl _table::AsRef<str>, id: u32) -> EmpPatch {
            EmpPatch(
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
        type Key = EmpKey;
        type Patch<S: _table::PatchState> = EmpPatch<S>;
        type Fields = EmpFields;
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
                design.version = 2;
                design.is_versioned = true;
                design.from = _declared::texts(&["EmployeeV1"]);
                design.aliases = _declared::texts(&["Staff"]);
                design.deny_table_scan = true;
                design
                    .fields
                    .push(_declared::FieldDesign {
                        property: _declared::text("Department"),
                        .._declared::field("department", "string")
                    });
                design
                    .fields
                    .push(_declared::FieldDesign {
                        property: _declared::text("Id"),
                        store: true,
                        .._declared::field("id", "u32")
                    });
                design
                    .fields
                    .push(_declared::FieldDesign {
                        property: _declared::text("Mail"),
                        was: _table::Some(_declared::text("Address")),
                        .._declared::field("email", "string")
                    });
                design
                    .fields
                    .push(_declared::FieldDesign {
                        property: _declared::text("Age"),
                        default: _table::Some(_declared::text("Default::default()")),
                        .._declared::field("age", "i32")
                    });
                design
                    .fields
                    .push(_declared::FieldDesign {
                        property: _declared::text("Tags"),
                        .._declared::field("tags", "json")
                    });
            }),
            entity_type: _table::Some("Employee.v2"),
            aliases: &["Staff"],
            older: _table::Some(<EmployeeV1 as _table::TableEntity>::DESIGN),
            versioned: true,
            renamed: &[("Mail", "Address")],
            indirect: &["Age", "Tags"],
            properties: &[
                _table::Property {
                    field: "id",
                    name: "Id",
                    slots: &[],
                    rust_type: "u32",
                },
                _table::Property {
                    field: "email",
                    name: "Mail",
                    slots: &[],
                    rust_type: "String",
                },
                _table::Property {
                    field: "age",
                    name: "Age",
                    slots: &[],
                    rust_type: "i32",
                },
                _table::Property {
                    field: "tags",
                    name: "Tags",
                    slots: &[],
                    rust_type: "Vec<String>",
                },
            ],
            defaults: &["Age"],
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
        const FIELDS: &'static EmpFields = &EmpFields {
            department: _table::KeyField::of(|key: &EmpKey| _table::Clone::clone(
                &key.department,
            )),
            id: _table::Field::<u32>::of("Id"),
            email: _table::Field::<String>::of("Mail"),
            age: _table::Field::<i32>::of("Age").or_default(),
            tags: _table::Field::<Vec<String>, _table::Json>::json("Tags"),
        };
        fn key(&self) -> EmpKey {
            EmpKey {
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
            Self::FIELDS.id.put(&self.id, into)?;
            Self::FIELDS.email.put(&self.email, into)?;
            Self::FIELDS.age.put(&self.age, into)?;
            Self::FIELDS.tags.put(&self.tags, into)?;
            _table::Ok(())
        }
        fn read(
            key: EmpKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                department: key.department,
                id: Self::FIELDS.id.same(key.id, from)?,
                email: Self::FIELDS.email.take(from)?,
                age: Self::FIELDS.age.take(from)?,
                tags: Self::FIELDS.tags.take(from)?,
                seen: _table::Default::default(),
            })
        }
        fn decode(
            source: _table::Source<'_>,
            row: _table::RowRef<'_>,
        ) -> _table::Result<Self, _table::DecodeError> {
            if _table::row::is_written_as::<EmployeeV1>(row) {
                let older = _table::row::decode_older::<Self, EmployeeV1>(source, row)?;
                return _table::Ok(<Self as _table::From<EmployeeV1>>::from(older));
            }
            _table::row::decode::<Self>(source, row)
        }
        fn older_version() -> _table::Option<_table::row::EntityInfo> {
            _table::Option::Some(_table::row::version::<EmployeeV1>())
        }
    }
    #[automatically_derived]
    impl _table::NotEncrypted for Employee {}
    #[automatically_derived]
    impl EmpKey {
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
    impl _table::EntityKey for EmpKey {
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
    storage::__key_traits!(EmpKey);
    #[automatically_derived]
    #[allow(dead_code, clippy::wrong_self_convention)]
    impl<__S> EmpPatch<__S> {
        #[doc(hidden)]
        fn department(self, _value: String) -> Self
        where
            __S: _table::PatchesKey,
        {
            self
        }
        #[doc(hidden)]
        fn id(self, _value: u32) -> Self
        where
            __S: _table::PatchesKey,
        {
            self
        }
        /// Sets `Mail`.
        fn email(mut self, value: String) -> Self {
            self.0.set(&<Employee as _table::TableEntity>::FIELDS.email, &value);
            self
        }
        /// Sets `Age`.
        fn age(mut self, value: i32) -> Self {
            self.0.set(&<Employee as _table::TableEntity>::FIELDS.age, &value);
            self
        }
        /// Sets `Tags`.
        fn tags(mut self, value: Vec<String>) -> Self {
            self.0.set(&<Employee as _table::TableEntity>::FIELDS.tags, &value);
            self
        }
    }
    #[automatically_derived]
    impl<__S> _table::From<_table::Patch<Employee, __S>> for EmpPatch<__S> {
        fn from(patch: _table::Patch<Employee, __S>) -> Self {
            Self(patch)
        }
    }
    #[automatically_derived]
    impl<__S: _table::PatchState> _table::IntoMerge for EmpPatch<__S> {
        fn into_merge(self) -> _table::Result<_table::Merge, _table::Error> {
            _table::IntoMerge::into_merge(self.0)
        }
    }
};

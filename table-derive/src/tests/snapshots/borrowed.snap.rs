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
    /// Stored as `id`.
    pub id: ::table_patterns::Field<u32>,
    /// Stored as `name`.
    pub name: ::table_patterns::Field<String>,
    /// Stored as `email`.
    pub email: ::table_patterns::Field<Option<String>>,
    /// Stored as `photo`.
    pub photo: ::table_patterns::Field<Vec<u8>>,
    /// Stored as `age`.
    pub age: ::table_patterns::Field<i32>,
}
/// The borrowed form of [`Employee`]: strings and bytes are borrowed from its row, other values are copied.
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
#[allow(dead_code)]
pub struct EmployeeRef<'r> {
    /// A part of the key.
    pub department: &'r str,
    /// Stored as `id`.
    pub id: u32,
    /// Stored as `name`.
    pub name: &'r str,
    /// Stored as `email`.
    pub email: ::core::option::Option<&'r str>,
    /// Stored as `photo`.
    pub photo: &'r [u8],
    /// Stored as `age`.
    pub age: i32,
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
                design.fields.push(_declared::field("department", "string"));
                design
                    .fields
                    .push(_declared::FieldDesign {
                        store: true,
                        .._declared::field("id", "u32")
                    });
                design.fields.push(_declared::field("name", "string"));
                design
                    .fields
                    .push(_declared::FieldDesign {
                        optional: true,
                        .._declared::field("email", "string")
                    });
                design
                    .fields
                    .push(_declared::FieldDesign {
                        default: _table::Some(_declared::text("Default::default()")),
                        .._declared::field("photo", "binary")
                    });
                design.fields.push(_declared::field("age", "i32"));
            }),
            entity_type: _table::Some("Employee"),
            indirect: &["photo"],
            properties: &[
                _table::Property {
                    field: "id",
                    name: "id",
                    slots: &[],
                    rust_type: "u32",
                },
                _table::Property {
                    field: "name",
                    name: "name",
                    slots: &[],
                    rust_type: "String",
                },
                _table::Property {
                    field: "email",
                    name: "email",
                    slots: &[],
                    rust_type: "Option<String>",
                },
                _table::Property {
                    field: "photo",
                    name: "photo",
                    slots: &[],
                    rust_type: "Vec<u8>",
                },
                _table::Property {
                    field: "age",
                    name: "age",
                    slots: &[],
                    rust_type: "i32",
                },
            ],
            defaults: &["photo"],
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
            id: _table::Field::<u32>::of("id"),
            name: _table::Field::<String>::of("name"),
            email: _table::Field::<Option<String>>::of("email"),
            photo: _table::Field::<Vec<u8>>::of("photo").or_default(),
            age: _table::Field::<i32>::of("age"),
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
            Self::FIELDS.id.put(&self.id, into)?;
            Self::FIELDS.name.put(&self.name, into)?;
            Self::FIELDS.email.put(&self.email, into)?;
            Self::FIELDS.photo.put(&self.photo, into)?;
            Self::FIELDS.age.put(&self.age, into)?;
            _table::Ok(())
        }
        fn read(
            key: EmployeeKey,
            from: &mut _table::Reader<'_>,
        ) -> _table::Result<Self, _table::PropertyError> {
            _table::Ok(Self {
                department: key.department,
                id: Self::FIELDS.id.same(key.id, from)?,
                name: Self::FIELDS.name.take(from)?,
                email: Self::FIELDS.email.take(from)?,
                photo: Self::FIELDS.photo.take(from)?,
                age: Self::FIELDS.age.take(from)?,
                seen: _table::Default::default(),
            })
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
        /// Sets `name`.
        pub fn name(mut self, value: String) -> Self {
            self.0.set(&<Employee as _table::TableEntity>::FIELDS.name, &value);
            self
        }
        /// Sets `email`. A merge cannot clear it; `replace` does.
        pub fn email(mut self, value: String) -> Self {
            self.0
                .set(
                    &<Employee as _table::TableEntity>::FIELDS.email,
                    &_table::Some(value),
                );
            self
        }
        /// Sets `photo`.
        pub fn photo(mut self, value: Vec<u8>) -> Self {
            self.0.set(&<Employee as _table::TableEntity>::FIELDS.photo, &value);
            self
        }
        /// Sets `age`.
        pub fn age(mut self, value: i32) -> Self {
            self.0.set(&<Employee as _table::TableEntity>::FIELDS.age, &value);
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
    impl<'r> _table::From<&'r Employee> for EmployeeRef<'r> {
        fn from(entity: &'r Employee) -> Self {
            Self {
                department: _table::AsRef::<str>::as_ref(&entity.department),
                id: _table::Clone::clone(&entity.id),
                name: _table::AsRef::<str>::as_ref(&entity.name),
                email: _table::Option::as_deref(&entity.email),
                photo: _table::AsRef::<[u8]>::as_ref(&entity.photo),
                age: _table::Clone::clone(&entity.age),
            }
        }
    }
    #[automatically_derived]
    impl _table::BorrowRow for Employee {
        type Ref<'r> = EmployeeRef<'r>;
        fn lend_row<T>(
            source: _table::Source<'_>,
            row: _table::RowRef<'_>,
            visit: impl _table::FnOnce(EmployeeRef<'_>) -> T,
        ) -> _table::Result<T, _table::DecodeError> {
            _table::row::lend::<Self, T>(source, row, visit)
        }
    }
    #[automatically_derived]
    impl _table::BorrowedEntity for Employee {
        type KeyRef<'r> = (&'r str, u32);
        fn read_key<'r>(
            keys: &mut _table::KeyReader<'r>,
        ) -> _table::Option<(&'r str, u32)> {
            _table::Some((keys.str()?, _ID.read(keys)?))
        }
        fn read_ref<'r>(
            key: (&'r str, u32),
            from: &mut _table::Reader<'r>,
        ) -> _table::Result<EmployeeRef<'r>, _table::PropertyError> {
            _table::Ok(EmployeeRef {
                department: key.0,
                id: Self::FIELDS.id.same(key.1, from)?,
                name: _table::Reader::required("name", from.str("name")?)?,
                email: from.str("email")?,
                photo: _table::Option::unwrap_or_default(from.bytes("photo")?),
                age: Self::FIELDS.age.take(from)?,
            })
        }
        fn lent(&self) -> EmployeeRef<'_> {
            _table::From::from(self)
        }
    }
};

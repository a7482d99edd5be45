//! Manual implementation of the output of `#[derive(TableEntity)]`, for an entity whose RowKey starts with a literal.
//! It also stores a key field as a property, and denies table scans.

use table_patterns::{Field, Json, KeyField, PartitionScan, PointQuery, Rows};

// #[derive(TableEntity, Clone, Debug)]
// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", deny(table_scan))]
/// An employee.
#[derive(Clone, Debug, PartialEq)]
pub struct Employee {
    pub department: String,
    // #[table(store, rename = "EmployeeId")]
    pub id: u32,
    pub last_name: String,
    pub age: i32,
    // #[table(json, default)]
    pub tags: Vec<String>,
    // #[table(skip)]
    pub seen: bool,
}

// ---- from this line: generated ----

/// The key of an [`Employee`]: PartitionKey `{department}`, RowKey `empid_{id:06}`.
#[derive(Clone, Debug)]
pub struct EmployeeKey {
    /// `{department}` of the PartitionKey.
    pub department: String,
    /// `{id:06}` of the RowKey.
    pub id: u32,
}

/// Patch of some properties of an [`Employee`]. There is no setter for `department`, `id`: they are its key.
#[derive(Clone, Debug)]
#[must_use = "a patch does nothing until it is merged"]
pub struct EmployeePatch<S = ::table_patterns::ByKey>(::table_patterns::Patch<Employee, S>);

/// Properties of [`Employee`] in filters.
#[derive(Debug)]
pub struct EmployeeFields {
    #[doc(hidden)]
    pub department: KeyField<EmployeeKey, String>,
    /// Stored as `EmployeeId`.
    pub id: Field<u32>,
    /// Stored as `last_name`.
    pub last_name: Field<String>,
    /// Stored as `age`.
    pub age: Field<i32>,
    #[doc(hidden)]
    pub tags: Field<Vec<String>, Json>,
}

const _: () = {
    use ::core::option::Option::{self, Some};
    use ::core::result::Result::{self, Ok};
    use ::table_patterns::__private as tp;

    const _DEPARTMENT: tp::TemplateField<String> = tp::TemplateField::<String>::text("department");
    const _ID: tp::TemplateField<u32> = tp::TemplateField::<u32>::num("id");

    impl Employee {
        /// Returns the query for one employee: PartitionKey `{department}`, RowKey `empid_{id:06}`. Class: point.
        pub fn point(department: impl AsRef<str>, id: u32) -> PointQuery<Employee> {
            PointQuery::at_address(tp::row::address::<Employee>(
                &[_DEPARTMENT.str(AsRef::<str>::as_ref(&department))],
                &[_ID.value(&id)],
            ))
        }

        /// Returns the query for all employees of a partition in the order of `empid_{id:06}`. Class: row-range.
        pub fn rows(department: impl AsRef<str>) -> Rows<Employee, (tp::part::Num<u32>,)> {
            Rows::of(&[_DEPARTMENT.str(AsRef::<str>::as_ref(&department))])
        }

        /// Reads all employees of a partition. Class: partition-scan.
        pub fn scan_partition(department: impl AsRef<str>) -> PartitionScan<Employee> {
            PartitionScan::of(&[_DEPARTMENT.str(AsRef::<str>::as_ref(&department))])
        }

        /// Returns a patch for one employee, regardless of its version.
        pub fn patch(department: impl AsRef<str>, id: u32) -> EmployeePatch {
            EmployeePatch(tp::Patch::by_key(tp::row::address::<Employee>(
                &[_DEPARTMENT.str(AsRef::<str>::as_ref(&department))],
                &[_ID.value(&id)],
            )))
        }
    }

    impl EmployeeKey {
        /// Parses the key of a row. Returns `None` if the row is of another entity type.
        pub fn parse(partition_key: &str, row_key: &str) -> Option<Self> {
            tp::row::parse_key::<Self>(partition_key, row_key)
        }

        /// Returns the query for the employee with this key.
        pub fn point(&self) -> ::table_patterns::PointQuery<Employee> {
            ::table_patterns::PointQuery::of_key(self)
        }
    }

    impl tp::EntityKey for EmployeeKey {
        type Entity = Employee;

        fn address(&self) -> Result<::table_patterns::Address, ::table_patterns::Error> {
            tp::row::address::<Employee>(&[_DEPARTMENT.value(&self.department)], &[_ID.value(&self.id)])
        }

        fn read(keys: &mut tp::KeyReader<'_>) -> Option<Self> {
            Some(Self { department: _DEPARTMENT.read(keys)?, id: _ID.read(keys)? })
        }
    }

    ::table_patterns::__key_traits!(EmployeeKey);

    impl<S> EmployeePatch<S> {
        /// Sets `last_name`.
        pub fn last_name(mut self, value: String) -> Self {
            self.0.set(&<Employee as tp::TableEntity>::FIELDS.last_name, &value);
            self
        }

        /// Sets `age`.
        pub fn age(mut self, value: i32) -> Self {
            self.0.set(&<Employee as tp::TableEntity>::FIELDS.age, &value);
            self
        }

        /// Sets `tags`.
        pub fn tags(mut self, value: Vec<String>) -> Self {
            self.0.set(&<Employee as tp::TableEntity>::FIELDS.tags, &value);
            self
        }
    }

    impl<S> ::core::convert::From<tp::Patch<Employee, S>> for EmployeePatch<S> {
        fn from(patch: tp::Patch<Employee, S>) -> Self {
            Self(patch)
        }
    }

    impl<S: tp::PatchState> tp::IntoMerge for EmployeePatch<S> {
        fn into_merge(self) -> Result<tp::Merge, ::table_patterns::Error> {
            tp::IntoMerge::into_merge(self.0)
        }
    }

    impl tp::TableEntity for Employee {
        type Key = EmployeeKey;
        type Patch<S: tp::PatchState> = EmployeePatch<S>;
        type Fields = EmployeeFields;

        const DESIGN: &'static tp::Design = &tp::Design {
            name: "Employee",
            table: "Employees",
            partition: tp::Template {
                text: "{department}",
                form: tp::KeyForm::new(
                    tp::KeyKind::Partition,
                    &[tp::Part::Field { field: "department", shape: tp::Shape::Text, exact: true }],
                ),
            },
            row: tp::Template {
                text: "empid_{id:06}",
                form: tp::KeyForm::new(
                    tp::KeyKind::Row,
                    &[
                        tp::Part::Literal("empid_"),
                        tp::Part::Field { field: "id", shape: tp::Shape::Padded(6), exact: true },
                    ],
                ),
            },
            entity_type: Some("Employee"),
            properties: &[
                tp::Property { field: "id", name: "EmployeeId", slots: &[], rust_type: "u32" },
                tp::Property { field: "last_name", name: "last_name", slots: &[], rust_type: "String" },
                tp::Property { field: "age", name: "age", slots: &[], rust_type: "i32" },
                tp::Property { field: "tags", name: "tags", slots: &[], rust_type: "Vec<String>" },
            ],
            ..tp::Design::EMPTY
        };

        const FIELDS: &'static EmployeeFields = &EmployeeFields {
            department: tp::KeyField::of(|key| ::core::clone::Clone::clone(&key.department)),
            id: tp::Field::of("EmployeeId"),
            last_name: tp::Field::of("last_name"),
            age: tp::Field::of("age"),
            tags: tp::Field::json("tags").or_default(),
        };

        fn key(&self) -> EmployeeKey {
            EmployeeKey {
                department: ::core::clone::Clone::clone(&self.department),
                id: ::core::clone::Clone::clone(&self.id),
            }
        }

        fn address(&self) -> Result<::table_patterns::Address, ::table_patterns::Error> {
            tp::row::address::<Self>(&[_DEPARTMENT.value(&self.department)], &[_ID.value(&self.id)])
        }

        fn write(&self, into: &mut tp::Writer) -> Result<(), tp::PropertyError> {
            Self::FIELDS.id.put(&self.id, into)?;
            Self::FIELDS.last_name.put(&self.last_name, into)?;
            Self::FIELDS.age.put(&self.age, into)?;
            Self::FIELDS.tags.put(&self.tags, into)?;
            Ok(())
        }

        fn read(key: EmployeeKey, from: &mut tp::Reader<'_>) -> Result<Self, tp::PropertyError> {
            Ok(Self {
                department: key.department,
                id: Self::FIELDS.id.same(key.id, from)?,
                last_name: Self::FIELDS.last_name.take(from)?,
                age: Self::FIELDS.age.take(from)?,
                tags: Self::FIELDS.tags.take(from)?,
                seen: ::core::default::Default::default(),
            })
        }
    }
};

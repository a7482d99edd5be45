//! Manual implementation of the output of `#[derive(TableEntity)]` for an entity with a compound key.

use table_patterns::{Field, KeyField, PartitionScan, PointQuery, Rows};

// #[derive(TableEntity, Clone, Debug)]
// #[table(name = "Reviews", partition = "{department}", row = "{id:06}_{year:04}")]
/// A review of an employee in a year.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    pub department: String,
    pub id: u32,
    pub year: u16,
    pub manager_rating: i32,
    pub comment: Option<String>,
}

// ---- from this line: generated ----

/// The key of a [`Review`]: PartitionKey `{department}`, RowKey `{id:06}_{year:04}`.
#[derive(Clone, Debug)]
pub struct ReviewKey {
    /// `{department}` of the PartitionKey.
    pub department: String,
    /// `{id:06}` of the RowKey.
    pub id: u32,
    /// `{year:04}` of the RowKey.
    pub year: u16,
}

/// Patch of some properties of a [`Review`]. There is no setter for `department`, `id`, `year`: they are its key.
#[derive(Clone, Debug)]
#[must_use = "a patch does nothing until it is merged"]
pub struct ReviewPatch<S = ::table_patterns::ByKey>(::table_patterns::Patch<Review, S>);

/// Properties of [`Review`] in filters.
#[derive(Debug)]
pub struct ReviewFields {
    #[doc(hidden)]
    pub department: KeyField<ReviewKey, String>,
    #[doc(hidden)]
    pub id: KeyField<ReviewKey, u32>,
    #[doc(hidden)]
    pub year: KeyField<ReviewKey, u16>,
    /// Stored as `manager_rating`.
    pub manager_rating: Field<i32>,
    /// Stored as `comment`.
    pub comment: Field<Option<String>>,
}

const _: () = {
    use ::core::option::Option::{self, Some};
    use ::core::result::Result::{self, Ok};
    use ::table_patterns::__private as tp;

    const _DEPARTMENT: tp::TemplateField<String> = tp::TemplateField::<String>::text("department");
    const _ID: tp::TemplateField<u32> = tp::TemplateField::<u32>::num("id");
    const _YEAR: tp::TemplateField<u16> = tp::TemplateField::<u16>::num("year");

    impl Review {
        /// Returns the query for one review: PartitionKey `{department}`, RowKey `{id:06}_{year:04}`. Class: point.
        pub fn point(department: impl AsRef<str>, id: u32, year: u16) -> PointQuery<Review> {
            PointQuery::at_address(tp::row::address::<Review>(
                &[_DEPARTMENT.str(AsRef::<str>::as_ref(&department))],
                &[_ID.value(&id), _YEAR.value(&year)],
            ))
        }

        /// Returns the query for all reviews of a partition in the order of `{id:06}_{year:04}`. Class: row-range.
        pub fn rows(department: impl AsRef<str>) -> Rows<Review, (tp::part::Num<u32>, tp::part::Num<u16>)> {
            Rows::of(&[_DEPARTMENT.str(AsRef::<str>::as_ref(&department))])
        }

        /// Reads all reviews of a partition. Class: partition-scan.
        pub fn scan_partition(department: impl AsRef<str>) -> PartitionScan<Review> {
            PartitionScan::of(&[_DEPARTMENT.str(AsRef::<str>::as_ref(&department))])
        }

        /// Returns a patch for one review, regardless of its version.
        pub fn patch(department: impl AsRef<str>, id: u32, year: u16) -> ReviewPatch {
            ReviewPatch(tp::Patch::by_key(tp::row::address::<Review>(
                &[_DEPARTMENT.str(AsRef::<str>::as_ref(&department))],
                &[_ID.value(&id), _YEAR.value(&year)],
            )))
        }
    }

    impl ReviewKey {
        /// Parses the key of a row. Returns `None` if the row is of another entity type.
        pub fn parse(partition_key: &str, row_key: &str) -> Option<Self> {
            tp::row::parse_key::<Self>(partition_key, row_key)
        }

        /// Returns the query for the review with this key.
        pub fn point(&self) -> ::table_patterns::PointQuery<Review> {
            ::table_patterns::PointQuery::of_key(self)
        }
    }

    impl tp::EntityKey for ReviewKey {
        type Entity = Review;

        fn address(&self) -> Result<::table_patterns::Address, ::table_patterns::Error> {
            tp::row::address::<Review>(
                &[_DEPARTMENT.value(&self.department)],
                &[_ID.value(&self.id), _YEAR.value(&self.year)],
            )
        }

        fn read(keys: &mut tp::KeyReader<'_>) -> Option<Self> {
            Some(Self { department: _DEPARTMENT.read(keys)?, id: _ID.read(keys)?, year: _YEAR.read(keys)? })
        }
    }

    ::table_patterns::__key_traits!(ReviewKey);

    impl<S> ReviewPatch<S> {
        /// Sets `manager_rating`.
        pub fn manager_rating(mut self, value: i32) -> Self {
            self.0.set(&<Review as tp::TableEntity>::FIELDS.manager_rating, &value);
            self
        }

        /// Sets `comment`. A merge cannot clear it; use `replace` for that.
        pub fn comment(mut self, value: String) -> Self {
            self.0.set(&<Review as tp::TableEntity>::FIELDS.comment, &Some(value));
            self
        }
    }

    impl<S> ::core::convert::From<tp::Patch<Review, S>> for ReviewPatch<S> {
        fn from(patch: tp::Patch<Review, S>) -> Self {
            Self(patch)
        }
    }

    impl<S: tp::PatchState> tp::IntoMerge for ReviewPatch<S> {
        fn into_merge(self) -> Result<tp::Merge, ::table_patterns::Error> {
            tp::IntoMerge::into_merge(self.0)
        }
    }

    impl tp::TableEntity for Review {
        type Key = ReviewKey;
        type Patch<S: tp::PatchState> = ReviewPatch<S>;
        type Fields = ReviewFields;

        const DESIGN: &'static tp::Design = &tp::Design {
            name: "Review",
            table: "Reviews",
            partition: tp::Template {
                text: "{department}",
                form: tp::KeyForm::new(
                    tp::KeyKind::Partition,
                    &[tp::Part::Field { field: "department", shape: tp::Shape::Text, exact: true }],
                ),
            },
            row: tp::Template {
                text: "{id:06}_{year:04}",
                form: tp::KeyForm::new(
                    tp::KeyKind::Row,
                    &[
                        tp::Part::Field { field: "id", shape: tp::Shape::Padded(6), exact: true },
                        tp::Part::Literal("_"),
                        tp::Part::Field { field: "year", shape: tp::Shape::Padded(4), exact: true },
                    ],
                ),
            },
            entity_type: Some("Review"),
            properties: &[
                tp::Property {
                    field: "manager_rating",
                    name: "manager_rating",
                    slots: &[],
                    rust_type: "i32",
                },
                tp::Property { field: "comment", name: "comment", slots: &[], rust_type: "Option<String>" },
            ],
            ..tp::Design::EMPTY
        };

        const FIELDS: &'static ReviewFields = &ReviewFields {
            department: tp::KeyField::of(|key| ::core::clone::Clone::clone(&key.department)),
            id: tp::KeyField::of(|key| ::core::clone::Clone::clone(&key.id)),
            year: tp::KeyField::of(|key| ::core::clone::Clone::clone(&key.year)),
            manager_rating: tp::Field::of("manager_rating"),
            comment: tp::Field::of("comment"),
        };

        fn key(&self) -> ReviewKey {
            ReviewKey {
                department: ::core::clone::Clone::clone(&self.department),
                id: ::core::clone::Clone::clone(&self.id),
                year: ::core::clone::Clone::clone(&self.year),
            }
        }

        fn address(&self) -> Result<::table_patterns::Address, ::table_patterns::Error> {
            tp::row::address::<Self>(
                &[_DEPARTMENT.value(&self.department)],
                &[_ID.value(&self.id), _YEAR.value(&self.year)],
            )
        }

        fn write(&self, into: &mut tp::Writer) -> Result<(), tp::PropertyError> {
            Self::FIELDS.manager_rating.put(&self.manager_rating, into)?;
            Self::FIELDS.comment.put(&self.comment, into)?;
            Ok(())
        }

        fn read(key: ReviewKey, from: &mut tp::Reader<'_>) -> Result<Self, tp::PropertyError> {
            Ok(Self {
                department: key.department,
                id: key.id,
                year: key.year,
                manager_rating: Self::FIELDS.manager_rating.take(from)?,
                comment: Self::FIELDS.comment.take(from)?,
            })
        }
    }

    impl tp::AllowTableScan for Review {}
};

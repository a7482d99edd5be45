//! Manual implementation of the output of the row type derives: a projection and a union.

use table_patterns::prelude::*;
use table_patterns::{RangeQuery, TableUnion};

use super::{Employee, Review};

// #[derive(Projection)]
// #[table(of = Review)]
/// Result of a review.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    pub year: u16,
    pub manager_rating: i32,
}

const _: () = {
    use ::core::option::Option::{self};
    use ::core::result::Result::{self, Ok};
    use ::table_patterns::__private as tp;

    impl ::table_patterns::Projection for Rating {
        type Of = Review;
        const SELECT: &'static [&'static [&'static ::core::primitive::str]] = &[
            <Review as tp::TableEntity>::FIELDS.year.names(),
            <Review as tp::TableEntity>::FIELDS.manager_rating.names(),
        ];
    }

    impl ::table_patterns::FromRow for Rating {
        type Out = Self;

        fn select() -> Option<::std::vec::Vec<tp::Name>> {
            tp::projection::select::<Self>()
        }

        fn from_row(source: tp::Source<'_>, row: tp::RowRef<'_>) -> Result<Self, tp::DecodeError> {
            tp::projection::from_row::<Self>(source, row, |key, from| {
                Ok(Self {
                    year: <Review as tp::TableEntity>::FIELDS.year.project(key, from)?,
                    manager_rating: <Review as tp::TableEntity>::FIELDS.manager_rating.project(key, from)?,
                })
            })
        }
    }
};

// #[derive(TableUnion, Debug)]
// #[table(partition = "{department}", unknown = keep)]
/// Any entity in the partition of a department.
#[derive(Debug)]
pub enum Member {
    Employee(Stored<Employee>),
    // #[table(other)]
    Other(Stored<DynamicEntity>),
}

impl Member {
    /// Returns the query for all rows of a partition. Class: row-range.
    pub fn rows(department: impl AsRef<str>) -> RangeQuery<Member> {
        ::table_patterns::__private::union::rows::<Member, Employee>(&[(
            "department",
            ::table_patterns::__private::hole::str(AsRef::<str>::as_ref(&department)),
        )])
    }
}

const _: () = {
    use ::core::result::Result::{self, Ok};
    use ::table_patterns::__private as tp;

    impl TableUnion for Member {
        const NAME: &'static ::core::primitive::str = "Member";
        const UNKNOWN: ::table_patterns::Unknown = ::table_patterns::Unknown::Keep;
    }

    impl ::table_patterns::FromRow for Member {
        type Out = Self;

        fn from_row(source: tp::Source<'_>, row: tp::RowRef<'_>) -> Result<Self, tp::DecodeError> {
            if tp::union::is_kind::<Employee>(row) {
                return Ok(Member::Employee(<Employee as ::table_patterns::FromRow>::from_row(source, row)?));
            }
            // Without a variant for other rows: Err(tp::union::none_of::<Self>(row))
            Ok(Member::Other(<DynamicEntity as ::table_patterns::FromRow>::from_row(source, row)?))
        }
    }
};

// <tables> Written from company.toml, design a2ba53332fbb3a2b. The region up to its end is replaced each time;
// derives and attributes that are added in it are kept, and so is everything outside of it.

use std::ops::RangeBounds;
use table_patterns::{PartitionScan, PointQuery, RangeQuery};
use table_patterns::prelude::*;

/// A row of `Employees`: `{department}` | `department`.
///
/// It has many [`Employee`]: `staff`.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "department")]
pub struct Department {
    /// In the PartitionKey, at most 40 characters. `name` in the design.
    #[table(max = 40)]
    pub department: String,
    /// Stored as `manager_id`.
    pub manager_id: u32,
    /// Stored as `budget`.
    pub budget: f64,
    /// The number of [`Employee`]: maintained by them, read-only here.
    #[table(from_source)]
    pub employee_count: i64,
    /// `first_name` of the [`Employee`] whose `department` is this `department` and `id` is this `manager_id`. A copy that the program maintains.
    pub manager_first_name: Option<String>,
    /// `last_name` of the [`Employee`] whose `department` is this `department` and `id` is this `manager_id`. A copy that the program maintains.
    pub manager_last_name: Option<String>,
    /// `email` of the [`Employee`] whose `department` is this `department` and `id` is this `manager_id`. A copy that the program maintains.
    pub manager_email: Option<String>,
}

/// The queries of `company.toml`.
impl Department {
    /// `name = ?`: a point query. Expected 20/s.
    #[allow(clippy::self_named_constructors)]
    #[must_use = "a query does nothing until it runs"]
    pub fn department(department: &str) -> PointQuery<Self> {
        Self::point(department)
    }
}

/// A row of `Employees`: `{department}` | `empid_{id:06}`.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(
    index(
        by_email,
        row = "email_{email}",
        unique,
        copy(badge, first_name, last_name, email, age, national_id)
    )
)]
#[table(
    index(
        by_badge,
        partition = "badge_{department}",
        row = "{badge:08}",
        unique,
        copy(first_name, last_name)
    )
)]
#[table(
    lookup(by_last_name, on = last_name, place = partition, row = "lastname_{last_name}")
)]
#[allow(clippy::duplicated_attributes)]
#[table(counted_in(Department::employee_count))]
pub struct Employee {
    /// In the PartitionKey, at most 40 characters.
    #[table(max = 40)]
    pub department: String,
    /// In the RowKey.
    pub id: u32,
    /// Stored as `badge`.
    pub badge: u32,
    /// Stored as `first_name`, at most 40 characters.
    #[table(max = 40)]
    pub first_name: String,
    /// Stored as `last_name`, at most 40 characters.
    #[table(max = 40)]
    pub last_name: String,
    /// Stored as `email`, at most 80 characters.
    #[table(max = 80)]
    pub email: String,
    /// Stored as `age`.
    pub age: i32,
    /// Encrypted in `national_id`, at most 20 characters.
    #[table(max = 20, encrypt)]
    pub national_id: String,
    /// Stored in a blob alongside the row, named by `photo`.
    ///
    /// P11
    #[table(blob)]
    pub photo: Blob,
}

/// The queries of `company.toml`.
impl Employee {
    /// `department = ? and id = ?`: a point query. Expected 40/s.
    #[allow(clippy::self_named_constructors)]
    #[must_use = "a query does nothing until it runs"]
    pub fn employee(department: &str, id: u32) -> PointQuery<Self> {
        Self::point(department, id)
    }

    /// `department = ? and email = ?`: a point query. Expected 15/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn employee_by_email(
        department: &str,
        email: &str,
    ) -> PointQuery<Self, EmployeeByEmail> {
        Self::by_email(department, email)
    }

    /// `department = ? and badge = ?`: a point query. Expected 100/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn employee_by_badge(
        department: &str,
        badge: u32,
    ) -> PointQuery<Self, EmployeeByBadge> {
        Self::by_badge(department, badge)
    }

    /// `department = ? and id between 4%`: a range. Expected 2/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn employees_100_to_199(
        department: &str,
        id: impl RangeBounds<u32>,
    ) -> RangeQuery<Self, Employees100To199Row> {
        Self::rows(department).between(id).select::<Employees100To199Row>()
    }

    /// `department = ? and last_name = ?`: the list, and a point read per member. Expected 1/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn employees_named(department: &str, last_name: &str) -> MultiPoint<Self> {
        Self::by_last_name(department, last_name)
    }

    /// `department = ? and age > 20%`: a scan within a partition. Expected 10/day.
    #[must_use = "a query does nothing until it runs"]
    pub fn older_than(department: &str, age: i32) -> PartitionScan<Self, OlderThanRow> {
        Self::scan_partition(department)
            .filter(|e| e.age.gt(age))
            .select::<OlderThanRow>()
    }
}

/// The fields of [`Employee`] that `employees_100_to_199` selects.
#[derive(Projection, Clone, Debug)]
#[table(of = Employee)]
pub struct Employees100To199Row {
    /// `first_name`
    pub first_name: String,
    /// `last_name`
    pub last_name: String,
}

/// The fields of [`Employee`] that `older_than` selects.
#[derive(Projection, Clone, Debug)]
#[table(of = Employee)]
pub struct OlderThanRow {
    /// `first_name`
    pub first_name: String,
    /// `last_name`
    pub last_name: String,
    /// `age`
    pub age: i32,
}

/// A row of `Reviews`: `{department}` | `empid_{employee:06}_{year:04}`.
#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Reviews",
    partition = "{department}",
    row = "empid_{employee:06}_{year:04}"
)]
#[table(entity_type = none)]
pub struct Review {
    /// In the PartitionKey, at most 40 characters.
    #[table(max = 40)]
    pub department: String,
    /// In the RowKey.
    pub employee: u32,
    /// In the RowKey.
    pub year: u16,
    /// Stored as `manager_rating`.
    pub manager_rating: u8,
    /// Stored as `peer_rating`.
    pub peer_rating: u8,
    /// Stored as `comments`, at most 4000 characters.
    #[table(max = 4000)]
    pub comments: String,
}

/// The queries of `company.toml`.
impl Review {
    /// `department = ? and employee = ?`: a range. Expected 1/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn reviews_of(
        department: &str,
        employee: u32,
    ) -> RangeQuery<Self, ReviewsOfRow> {
        Self::rows(department).at(employee).between(..).select::<ReviewsOfRow>()
    }
}

/// The fields of [`Review`] that `reviews_of` selects.
#[derive(Projection, Clone, Debug)]
#[table(of = Review)]
pub struct ReviewsOfRow {
    /// `manager_rating`
    pub manager_rating: u8,
    /// `peer_rating`
    pub peer_rating: u8,
}

// </tables>

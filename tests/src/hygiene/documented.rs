//! All public output of the derive is documented, as `deny(missing_docs)` checks.

use storage::prelude::*;

/// A review of an employee.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Reviews", partition = "{department}", row = "{id:06}_{year:04}")]
pub struct Review {
    /// The department.
    pub department: String,
    /// The employee's ID.
    pub id: u32,
    /// The year.
    pub year: u16,
    /// From 1 to 5.
    pub manager_rating: i32,
    /// The comment.
    pub comment: Option<String>,
}

/// Only the rating.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(crate = storage, of = Review)]
pub struct Rating {
    /// From 1 to 5.
    pub manager_rating: i32,
}

/// A department.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Reviews", partition = "{name}", row = "department", deny(table_scan))]
#[table(names(key = NameOfDepartment, patch = ChangeOfDepartment, fields = PartsOfDepartment))]
#[table(methods(point = at, rows = all, patch = change, scan_partition = scan))]
pub struct Department {
    /// Its name.
    pub name: String,
    /// Number of employees.
    pub count: u64,
}

/// The rows in the partition of a department.
#[derive(TableUnion, Clone, Debug)]
#[table(crate = storage, partition = "{department}", unknown = keep)]
pub enum Anything {
    /// A review.
    Review(Stored<Review>),
    /// A department.
    Department(Stored<Department>),
    /// All other rows.
    #[table(other)]
    Other(Stored<DynamicEntity>),
}

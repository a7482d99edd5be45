//! All of the derive's output is documented: `deny(missing_docs)` holds for what it makes public.

use storage::prelude::*;

/// A review of an employee.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Reviews", partition = "{department}", row = "{id:06}_{year:04}")]
pub struct Review {
    /// Which department.
    pub department: String,
    /// Which employee.
    pub id: u32,
    /// Of which year.
    pub year: u16,
    /// From 1 to 5.
    pub manager_rating: i32,
    /// What was said.
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
    /// How many work there.
    pub count: u64,
}

/// What is in the partition of a department.
#[derive(TableUnion, Clone, Debug)]
#[table(crate = storage, partition = "{department}", unknown = keep)]
pub enum Anything {
    /// A review.
    Review(Stored<Review>),
    /// A department.
    Department(Stored<Department>),
    /// All else.
    #[table(other)]
    Other(Stored<Entity>),
}

//! Values of all forms, including private ones.

use storage::prelude::*;

/// A newtype in a key and in a property.
#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq)]
#[table(crate = storage)]
pub struct EmployeeId(pub u32);

/// A newtype of text.
#[derive(TableValue, KeyPart, Clone, Debug, PartialEq, Eq)]
#[table(crate = storage)]
pub struct Email(pub String);

/// In the key by name, in a property by name.
#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq)]
#[table(crate = storage, rename_all = "snake_case")]
pub enum Status {
    /// Not started.
    Open,
    /// Waiting.
    OnHold,
}

/// By discriminant.
#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq)]
#[table(crate = storage, repr = int)]
pub enum Priority {
    /// Low urgency.
    Low = 10,
    /// High urgency.
    High = 20,
}

/// An entity with these values.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Tasks", partition = "{status} {priority:02}", row = "{email:esc} {id:06}")]
pub struct Task {
    /// In the PartitionKey.
    pub status: Status,
    /// In the PartitionKey.
    pub priority: Priority,
    /// In the RowKey.
    pub email: Email,
    /// In the RowKey.
    pub id: EmployeeId,
    /// A property.
    pub before: Option<Status>,
    /// A property.
    pub urgency: Priority,
    /// A property.
    pub reporter: EmployeeId,
    /// A property.
    pub contact: Option<Email>,
}

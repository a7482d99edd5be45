//! The entities of `company.tables`; this file is also the design of their explorer.

use table_patterns::TableEntity;

/// An employee with index rows in its partition and elsewhere.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_badge, partition = "badge_{badge:04}", row = "{department}_{id:06}"))]
pub(super) struct Employee {
    pub(super) department: String,
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) email: String,
    pub(super) badge: u32,
}

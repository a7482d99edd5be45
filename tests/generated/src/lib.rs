//! What `table-codegen` writes from its example designs, as it is committed: a change of the generator shows here.

#![deny(missing_docs, warnings)]

/// Departments, employees and reviews.
#[rustfmt::skip]
pub mod company;
/// Readings of sensors.
#[rustfmt::skip]
pub mod iot;
/// Logins.
#[rustfmt::skip]
pub mod logins;
/// Orders and their lines.
#[rustfmt::skip]
pub mod orders;

/// What is done with each entity of the random designs: a type, the file that it was written from, and its name there.
pub trait Visit {
    /// Does it.
    fn visit<E: table_patterns::TableEntity>(&mut self, file: &str, name: &str);
}

/// Random designs: they compile, and by the designs alone the same rows are derived.
pub mod random {
    include!(concat!(env!("OUT_DIR"), "/random.rs"));
}

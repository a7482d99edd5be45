//! The committed output of `table-codegen` for its example designs: it shows changes of the generator.

#![deny(missing_docs, warnings)]

/// Departments, employees and reviews.
#[rustfmt::skip]
pub mod company;
/// Measurements in a partition for each day.
#[rustfmt::skip]
pub mod events;
/// Readings of sensors.
#[rustfmt::skip]
pub mod iot;
/// Logins.
#[rustfmt::skip]
pub mod logins;
/// Orders and their lines.
#[rustfmt::skip]
pub mod orders;

/// A visitor of each entity of the random designs: a type, the file from which it was generated, and its name there.
pub trait Visit {
    /// Visits an entity.
    fn visit<E: table_patterns::TableEntity>(&mut self, file: &str, name: &str);
}

/// Random designs: they compile, and the designs alone derive the same rows.
pub mod random {
    include!(concat!(env!("OUT_DIR"), "/random.rs"));
}

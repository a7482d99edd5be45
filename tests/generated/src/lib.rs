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

/// Random designs: that they compile is all that is asked of them.
pub mod random {
    include!(concat!(env!("OUT_DIR"), "/random.rs"));
}

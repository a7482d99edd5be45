//! The designs of a program together, for tools and migrations. No macro compiles this crate, and a program only with
//! the feature `designs` of `table-patterns`. It performs no I/O.
//!
//! | module | contents |
//! |---|---|
//! | [`schema`] | a complete design file: entities, queries, load, prices |
//! | [`language`] | the small languages in it: those of `table-schema`, rates and delays |
//! | [`evolution`] | comparison of two versions of a design: what programs of the older version see |
//! | [`lock`] | the stored form of all versions as a file: `tables.lock` |
//!
//! [`check_schema`] applies the rules between entities, and [`from_designs`] converts the compiled designs of a crate.

mod compiled;
pub mod evolution;
pub mod language;
pub mod lock;
mod rules;
pub mod schema;

pub use compiled::{ConditionOf, FromDesigns, default_of, from_designs, kind_by_shape, of_file, schema_of};
pub use rules::check_schema;

//! Design files: conversion between TOML, the design model and Rust.
//!
//! | module | contents |
//! |---|---|
//! | [`mod@read`] | parses a file into a [`Schema`], or reports all errors with their locations |
//! | [`read_workload`] | parses a workload: a file without keys, for the design search |
//! | [`write_workload`] | formats a workload as TOML |
//! | [`write()`] | formats a [`Schema`] as a file; [`upgrade`] rewrites an existing file |
//! | [`from_designs`] | converts the compiled designs of a crate to a [`Schema`] |
//! | [`from_sources`] | converts the derives of source files to a [`Schema`] |
//! | [`generate`] | generates Rust from a [`Schema`], and regenerates it without losing user additions |
//!
//! ```
//! let text = r#"
//! tables = 1
//! design = "company"
//!
//! [entity.Employee]
//! table = "Employees"
//! partition = "{departement}"
//! row = "empid_{id:06}"
//!
//! [entity.Employee.fields]
//! department = "string(40)"
//! id = "u32"
//! "#;
//! let mistakes = table_codegen::read(text, "company.toml").unwrap_err();
//! assert_eq!(
//!     mistakes[0].to_string(),
//!     r#"error[D008]: `Employee` has no field `departement`
//!  --> company.toml:7:14
//!   |
//! 7 | partition = "{departement}"
//!   |              ^^^^^^^^^^^^^ did you mean `department`?
//!   = help: fields: department, id
//! "#
//! );
//!
//! let schema = table_codegen::read(&text.replace("departement", "department"), "company.toml")?;
//! assert_eq!(schema.entities[0].name, "Employee");
//! # Ok::<(), table_codegen::Diagnostics>(())
//! ```

mod diagnostic;
mod from_sources;
pub mod generate;
mod hash;
pub mod read;
mod source;
mod upgrade;
mod word;
mod write;

pub use diagnostic::{Diagnostic, Diagnostics};
pub use from_sources::{SourceDiagnostic, from_sources};
pub use hash::design_hash;
pub use read::{Comments, Positions, Reading, read, read_with_load, read_workload};
pub use source::Source;
pub use table_designs::{FromDesigns, from_designs, schema::Schema};
pub use upgrade::upgrade;
pub use write::{write, write_workload};

//! A parser of the items that `#[derive(TableEntity)]` reads, for use by tools: the entities of a source file as
//! designs, with their enums, functions and contributions.
//!
//! This crate compiles the modules of the derive again, because a proc-macro crate can export only macros. Attributes
//! therefore have a single parser.
//!
//! ```
//! let text = r#"
//!     #[derive(TableEntity)]
//!     #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
//!     struct Employee { department: String, id: u32, status: Status }
//!
//!     #[derive(TableValue)]
//!     #[table(rename_all = "snake_case")]
//!     enum Status { Active, OnLeave }
//! "#;
//! let file = table_attributes::read(text)?;
//! assert_eq!(file.entities[0].design.row.as_ref().unwrap().text(), "empid_{id:06}");
//! let words: Vec<&str> = file.enums[0].variants.iter().map(|(_, word)| word.as_str()).collect();
//! assert_eq!(words, ["active", "on_leave"]);
//! # Ok::<(), Vec<table_attributes::Mistake>>(())
//! ```

#[path = "../../table-derive/src"]
#[allow(dead_code, reason = "what the derive writes needs more than what is read here")]
mod derive {
    pub(crate) mod check;
    pub(crate) mod errors;
    pub(crate) mod parse;
    pub(crate) mod resolve;
    pub(crate) mod types;
    pub(crate) mod words;
}
mod file;

use derive::{errors, parse, resolve, types, words};

pub use file::{Entity, Enum, Feed, File, Mistake, read};

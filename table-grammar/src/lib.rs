//! The attributes of the derives of `table-patterns`, parsed, checked and resolved with `syn`.
//!
//! The crate has two users. The derives generate code from [`resolve`], the resolved input of each derive. Tools read the
//! designs of source files with `file` (feature `files`). A macro crate can export only macros; as a library, the
//! attributes have a single parser.
//!
//! A derive has four steps. The first three are here, each in a separate module: `parse` reads the input, `resolve`
//! applies defaults and names, `check` validates with `table-schema`. Code generation is in `table-derive`. The design
//! rules are in `table-schema`.
//!
//! ```
//! use table_grammar::{Errors, resolve::entity::Entity};
//!
//! let mut errors = Errors::default();
//! let input = syn::parse_str(
//!     r#"
//!     #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
//!     struct Employee { department: String, id: u32, age: Option<i32> }
//!     "#,
//! )?;
//! let employee = Entity::read(input, &mut errors).unwrap();
//! assert!(errors.is_empty());
//! let key: Vec<&str> = employee.key_fields().map(|field| field.name.as_str()).collect();
//! assert_eq!(key, ["department", "id"]);
//! assert_eq!(employee.companions.patch, "EmployeePatch");
//! # Ok::<(), syn::Error>(())
//! ```

mod check;
mod errors;
#[cfg(feature = "files")]
pub mod file;
mod parse;
pub mod resolve;
mod types;
mod words;

pub use errors::Errors;
pub use parse::case::Case;

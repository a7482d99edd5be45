//! Table designs: key templates, entities and the design rules. This crate performs no I/O and contains no store.
//!
//! | module | contents |
//! |---|---|
//! | [`template`] | the key language: `empid_{id:06}`; its grammar and the table of shapes |
//! | [`key`] | encoding and decoding of keys: one implementation of each format |
//! | [`bounds`] | key ranges: all rows of a kind, a prefix, an interval |
//! | [`design`] | an entity as declared by a front end, Rust or TOML |
//! | [`language`] | the small languages of designs: conditions, spans, sizes |
//! | [`role`] | the roles of fields that an entity names, such as `expires` |
//! | [`rules`] | the design rules, checked in one place for every front end |
//! | [`catalogue`] | every rule violation: code, title, severity |
//! | [`static_design`] | a validated design as const data, for generated code and tools |
//!
//! # Key rules
//!
//! 1. **Unambiguous.** Text of unbounded length is last in its template, or ends at punctuation (its *separator*) that
//!    the text does not contain. Two entities cannot share a key, and no range contains rows of another value. Code:
//!    `K11`.
//! 2. **Distinct.** Row kinds that can share a partition start with different literals, so that a range over one kind
//!    contains no row of another (`K15`).
//! 3. **Recoverable.** Each key field can be decoded from an exact template field of the same row key, or is stored as
//!    a property: [`design::EntityDesign::stored_fields`].
//!
//! # Example
//!
//! ```
//! use table_schema::{key::{KeyKind, STRICT_UNITS}, template::Template};
//!
//! let row = Template::parse("{id:06}_{year:04}")?;
//! let reviews = row.form(KeyKind::Row);
//! let key = reviews.encode(&[("id", 123_u32.into()), ("year", 2012_u16.into())], STRICT_UNITS)?;
//! assert_eq!(key, "000123_2012");
//!
//! let recent = reviews.open().fix(&123_u32.into())?.between(2010_u16..)?;
//! assert_eq!(recent.to_string(), "ge '000123_2010' and lt '000123`'");
//! assert!(recent.contains(&key));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reserved names
//!
//! Properties that start with `_` and row keys that start with `!` are reserved for the library. A design that uses
//! such a name violates a rule. A value that would produce such a row key fails with a [`key::KeyError`]. Generated
//! ranges start above these row keys.

pub mod bounds;
pub mod catalogue;
pub mod design;
pub mod key;
pub mod language;
mod mistake;
pub mod role;
pub mod rules;
pub mod static_design;
pub mod suggest;
pub mod template;
pub mod toml_text;

pub use mistake::RuleViolation;

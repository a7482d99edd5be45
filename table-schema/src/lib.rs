//! A table design: its key templates, its entities, and the rules that hold for them. No I/O, no store.
//!
//! | module | what it is |
//! |---|---|
//! | [`template`] | the language of keys: `empid_{id:06}`; grammar and table of shapes stand there |
//! | [`key`] | the text of keys, written and read: one implementation of each format |
//! | [`bounds`] | ranges of keys: all rows of a kind, a beginning, an interval |
//! | [`design`] | an entity as a front end said it, Rust or TOML |
//! | [`schema`] | a whole design file: entities, queries, load, prices |
//! | [`language`] | the small languages in it: conditions, rates, spans, sizes |
//! | [`rules`] | what must hold, checked in one place for every front end |
//! | [`catalogue`] | every mistake: code, title, explanation |
//! | [`advise`] | what a design costs and where it will hurt |
//! | [`simulate`] | how a design spreads over servers that split, move, merge and throttle |
//! | [`static_design`] | a checked design as const data, for generated code and tools |
//!
//! # Three rules of keys
//!
//! 1. **Unambiguous.** A text of any length is last in its template, or ends at punctuation (its *separator*) that the
//!    text does not hold. Two entities cannot share a key, and no range holds rows of another value. A code: `K11`.
//! 2. **Distinct.** Kinds of rows that can meet in one partition begin with words of their own, so that a range over one
//!    kind holds no row of another (`K15`).
//! 3. **Recoverable.** Each field of a key is given back by an exact hole of the row's own key, or is stored as a
//!    property: [`design::EntityDesign::stored_fields`].
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
//! Properties that begin with `_` and row keys that begin with `!` are the library's own. A design that uses one is a
//! mistake; a value that would lead a row key there is a [`key::KeyError`]; and generated ranges begin above.

pub mod advise;
pub mod bounds;
pub mod catalogue;
pub mod design;
pub mod key;
pub mod language;
mod mistake;
pub mod rules;
pub mod schema;
pub mod simulate;
pub mod static_design;
pub mod suggest;
pub mod template;

pub use mistake::Mistake;

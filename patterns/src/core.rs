//! Keys, values, rows, entities, queries and errors.

pub mod address;
pub mod cursor;
pub(crate) mod date;
pub(crate) mod derived;
pub(crate) mod dynamic_entity;
pub(crate) mod entity;
pub(crate) mod error;
pub(crate) mod field;
pub mod key;
pub(crate) mod kinds;
pub(crate) mod placement;
pub(crate) mod predicate;
pub(crate) mod projection;
pub(crate) mod properties;
pub(crate) mod query;
pub(crate) mod row;
pub(crate) mod source;
pub(crate) mod stored;
pub(crate) mod union;
pub(crate) mod value;

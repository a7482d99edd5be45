//! Parses input into plain structs without decisions. Each value keeps its argument name, so that later diagnostics can
//! point at it.

pub(crate) mod attribute;
pub(crate) mod case;
pub(crate) mod changes;
pub(crate) mod entity;
pub(crate) mod feed;
pub(crate) mod field;
pub(crate) mod index;
pub(crate) mod lookup;
pub(crate) mod nested;
pub(crate) mod newtype;
pub(crate) mod projection;
pub(crate) mod serde_words;
pub(crate) mod shard;
pub(crate) mod task;
pub(crate) mod union;
pub(crate) mod variants;

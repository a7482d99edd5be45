//! Queries.

use crate::language::{Condition, Rate};

/// An access pattern: what is asked for, and how often.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Its name: that of a function.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// The entity.
    pub find: String,
    /// Which of them; absent: all.
    pub filter: Option<Condition>,
    /// The fields that are wanted; absent: all.
    pub select: Option<Vec<String>>,
    /// The first so many in key order.
    pub limit: Option<u32>,
    /// The newest so many.
    pub latest: Option<u32>,
    /// Entities a page.
    pub page: Option<u32>,
    /// How often; absent: classified, not costed.
    pub rate: Option<Rate>,
    /// Whether it must not be served by a copy that follows later.
    pub fresh: bool,
    /// The index or lookup to use; absent: the best.
    pub using: Option<String>,
}

//! Queries.

use crate::language::Rate;
use table_schema::language::Condition;

/// An access pattern: a query and its rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The name, which is also a function name.
    pub name: String,
    /// The description.
    pub about: Option<String>,
    /// The name of the entity.
    pub find: String,
    /// The filter. Defaults to all entities.
    pub filter: Option<Condition>,
    /// The selected fields. Defaults to all fields.
    pub select: Option<Vec<String>>,
    /// The maximum number of entities, in key order.
    pub limit: Option<u32>,
    /// The number of newest entities to return.
    pub latest: Option<u32>,
    /// The number of entities per page.
    pub page: Option<u32>,
    /// The rate. Without a rate, the query is classified but has no cost.
    pub rate: Option<Rate>,
    /// `true` if the query must not use an eventually consistent copy.
    pub fresh: bool,
    /// The index or lookup to use. Defaults to the best access path.
    pub using: Option<String>,
}

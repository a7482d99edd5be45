use table_store::{Filter, Name, Plan, QueryClass, TableName};

use super::Spec;
use crate::Error;

/// What a query will ask and read: known without a store.
#[derive(Clone, Debug)]
pub struct Explain {
    /// The class, as the query's type says it.
    pub class: QueryClass,
    /// The table.
    pub table: TableName,
    /// The filter that is sent; none for all of the table.
    pub filter: Option<Filter>,
    /// Which properties are asked for; none for all.
    pub select: Option<Vec<Name>>,
    /// The key ranges that the filter comes to, and what is left to check on each entity in them.
    pub plan: Plan,
    /// Most items of the whole run.
    pub take: Option<u64>,
}

impl Explain {
    pub(super) fn of(spec: &Spec, select: Option<Vec<Name>>) -> Result<Self, Error> {
        let (table, filter) = spec.filter()?;
        let plan = Plan::of(filter.as_ref());
        Ok(Self { class: spec.class, table, filter, select, plan, take: spec.take })
    }
}

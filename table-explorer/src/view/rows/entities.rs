//! The entities of a partition, without the rows of other kinds.

use table_designs::schema::TableKinds;
use table_model::Filter;
use table_schema::key::succ;

use super::{Asked, kinds, total::Total};
use crate::params::Params;

/// A partition that contains entities of the design.
pub(super) struct Entities<'a> {
    asked: &'a Asked<'a>,
    whole: Filter,
    /// The filter on the RowKeys of its entities.
    only: Filter,
}

impl<'a> Entities<'a> {
    /// Returns the partition of a query. `None` if it contains no entity by its key, or if the RowKeys of entities have no
    /// common start.
    pub(super) fn of(asked: &'a Asked<'a>) -> Option<Self> {
        let kinds = asked.context.design()?.in_table(asked.table)?;
        let planned = asked.planned().ok()?;
        let partition = planned.partition()?;
        let whole = Filter::eq("PartitionKey", partition);
        let only = whole.clone().and(row_keys(&kinds, partition)?);
        Some(Self { asked, whole, only })
    }

    /// Returns the address of the entities alone, if the query returns the whole partition.
    pub(super) fn url(&self) -> Option<String> {
        self.is_asked(&self.whole).then(|| self.address(&self.only, kinds::ENTITIES))
    }

    /// Returns the address of all rows of the partition, if the query returns its entities alone.
    pub(super) fn url_of_all(&self) -> Option<String> {
        self.is_asked(&self.only).then(|| self.address(&self.whole, kinds::ALL))
    }

    /// Filters with the same text are equal, however they are nested.
    fn is_asked(&self, filter: &Filter) -> bool {
        let asked = self.asked.filter.as_ref().ok().and_then(Option::as_ref);
        asked.is_some_and(|asked| asked.to_string() == filter.to_string())
    }

    fn address(&self, filter: &Filter, kind: &str) -> String {
        let query: Params = Total::removed(&self.asked.context.query);
        let query = query.with("filter", Some(&filter.to_string())).with("kind", Some(kind));
        self.asked.url("rows", query)
    }
}

/// Returns the filter on the RowKeys of the entities of a partition.
fn row_keys(kinds: &TableKinds<'_>, partition: &str) -> Option<Filter> {
    let starts = kinds.entities_in(partition).map(|row| starts(row.lead()));
    starts.collect::<Option<Vec<Filter>>>()?.into_iter().reduce(Filter::or)
}

/// Returns the filter on RowKeys that start with a literal.
fn starts(lead: &str) -> Option<Filter> {
    let end = succ(lead).filter(|_| !lead.is_empty())?;
    Some(Filter::ge("RowKey", lead).and(Filter::lt("RowKey", end)))
}

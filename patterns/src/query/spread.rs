//! Where a query looks that reads several partitions or tables.

use table_schema::bounds::{Bounds, End, KeyRange};
use table_store::{Filter, TableName, key::compare, service::ListTables};

use super::{range, spec::partition_eq};
use crate::{cursor::RowPlace, design::Template};

/// Several partitions or tables.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    pub(crate) tables: TableSet,
    /// The PartitionKey of each partition that is read in a table; none for whole tables.
    pub(crate) partitions: Option<Vec<String>>,
    /// Which RowKey, in each partition.
    pub(crate) keys: Bounds,
    pub(crate) order: Order,
}

/// Which tables.
#[derive(Clone, Debug)]
pub(crate) enum TableSet {
    /// These, whether or not they are there; in the order of their names.
    Named(Vec<TableName>),
    /// Those that are there when the query runs, of this template and with names in this range.
    Listed(&'static Template, KeyRange),
}

/// How the rows of several tables come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Table by table.
    Ascending,
    /// Table by table, the last first.
    Descending,
    /// In the order of the RowKey: all tables are read at once.
    Merged,
}

impl TableSet {
    pub(crate) fn listed(template: &'static Template, bounds: Bounds) -> Self {
        match bounds {
            Bounds::Range(range) => Self::Listed(template, range),
            Bounds::Empty => Self::Named(Vec::new()),
            Bounds::Point(name) => Self::Named(TableName::new(name).into_iter().collect()),
        }
    }

    /// Whether a listed table is one of them.
    pub(super) fn holds(&self, table: &TableName) -> bool {
        match self {
            Self::Named(names) => names.contains(table),
            Self::Listed(template, range) => {
                template.form.decode(table.as_str()).is_ok() && range.contains(table.as_str())
            }
        }
    }
}

/// The listing of the tables with names in a range.
pub(crate) fn listing(range: &KeyRange) -> ListTables {
    let ends = range.lower.iter().map(|End { key, .. }| Filter::ge("TableName", key.clone()));
    let ends = ends.chain(range.upper.iter().map(|End { key, included }| {
        let key = key.clone();
        if *included { Filter::le("TableName", key) } else { Filter::lt("TableName", key) }
    }));
    match ends.reduce(Filter::and) {
        Some(filter) => ListTables::new().filter(filter),
        None => ListTables::new(),
    }
}

impl Spread {
    /// Whether no key can match, so that nothing is asked.
    pub(super) fn is_nowhere(&self) -> bool {
        let no_table = matches!(&self.tables, TableSet::Named(names) if names.is_empty());
        no_table || self.keys == Bounds::Empty
    }

    /// The keys that are asked for in one partition, or in a whole table; none for all.
    pub(super) fn filter(&self, partition_key: Option<&str>) -> Option<Filter> {
        let partition_key = partition_key?;
        Some(match &self.keys {
            Bounds::Empty => Filter::Constant(false),
            Bounds::Point(row_key) => {
                partition_eq(partition_key.to_owned()).and(Filter::eq("RowKey", row_key.clone()))
            }
            Bounds::Range(range) => range::keys(partition_key.to_owned(), range.clone()),
        })
    }

    /// The same from a row on, or from behind it. The row takes the place of the lower end, so that the condition does
    /// not grow.
    pub(super) fn filter_from(&self, partition_key: Option<&str>, row: &RowPlace, behind: bool) -> Filter {
        let end = End { key: row.row_key.clone(), included: !behind };
        let Some(partition_key) = partition_key else {
            let there =
                range::keys(row.partition_key.clone(), KeyRange { lower: Some(end), ..KeyRange::default() });
            return there.or(Filter::gt("PartitionKey", row.partition_key.clone()));
        };
        let range = match &self.keys {
            Bounds::Empty => return Filter::Constant(false),
            Bounds::Point(key) => {
                let only = End { key: key.clone(), included: true };
                KeyRange { lower: Some(only.clone()), upper: Some(only), residual: false }
            }
            Bounds::Range(range) => range.clone(),
        };
        let later = |lower: &End| match compare(&lower.key, &end.key) {
            std::cmp::Ordering::Equal => !lower.included,
            other => other.is_gt(),
        };
        let lower = range.lower.filter(later).unwrap_or(end);
        range::keys(partition_key.to_owned(), KeyRange { lower: Some(lower), ..range })
    }

    /// What tells this from another query: a cursor holds it.
    pub(super) fn texts(&self) -> Vec<String> {
        let tables = match &self.tables {
            TableSet::Named(names) => names.iter().map(|name| name.folded().to_owned()).collect(),
            TableSet::Listed(template, range) => {
                vec![template.text.to_owned(), Bounds::Range(range.clone()).to_string()]
            }
        };
        let partitions = self.partitions.iter().flatten().cloned();
        tables.into_iter().chain(partitions).chain([self.keys.to_string()]).collect()
    }
}

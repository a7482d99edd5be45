//! Location of the rows of a query on several partitions or tables.

use std::cmp::Ordering;

use table_model::{Filter, TableName, key::compare, service::ListTables};
use table_schema::bounds::{Bounds, End, KeyRange};

use super::filter::{keys, within};
use crate::{core::cursor::RowPlace, design::Template};

/// Several partitions or tables.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    pub(crate) tables: TableSet,
    /// PartitionKey of each partition that is read in a table. `None` for complete tables.
    pub(crate) partitions: Option<Vec<String>>,
    /// `true` if the partitions of a table are read one after the other, in `order`. Otherwise they are read together.
    pub(crate) is_by_partition: bool,
    /// RowKey bounds in each partition.
    pub(crate) keys: Bounds,
    pub(crate) order: Order,
    /// The rows are read against this order.
    pub(crate) descending: bool,
}

/// Set of tables.
#[derive(Clone, Debug)]
pub(crate) enum TableSet {
    /// These tables, in name order. They may not exist.
    Named(Vec<TableName>),
    /// Existing tables, listed when the query runs, that match this template and have names in this range.
    Listed(&'static Template, KeyRange),
}

/// Order of the rows of several tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Table by table, or partition by partition.
    Ascending,
    /// Table by table, or partition by partition, in descending order.
    Descending,
    /// In RowKey order. All tables are read concurrently.
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

    /// Returns `true` if a listed table belongs to the set.
    pub(crate) fn holds(&self, table: &TableName) -> bool {
        match self {
            Self::Named(names) => names.contains(table),
            Self::Listed(template, range) => {
                template.form.decode(table.as_str()).is_ok() && range.contains(table.as_str())
            }
        }
    }
}

/// Returns the request that lists the tables with names in a range.
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
    /// Returns `true` if no key can match, so that no request is needed.
    pub(crate) fn is_nowhere(&self) -> bool {
        let no_table = matches!(&self.tables, TableSet::Named(names) if names.is_empty());
        no_table || self.keys == Bounds::Empty
    }

    /// Returns the key filter for one partition or for a complete table. `None` matches all keys.
    pub(crate) fn filter(&self, partition_key: Option<&str>) -> Option<Filter> {
        Some(within(partition_key?.to_owned(), &self.keys))
    }

    /// Returns the order in which the tables or partitions are read.
    pub(crate) const fn order_of_places(&self) -> Order {
        match self.order {
            Order::Ascending if self.descending => Order::Descending,
            Order::Descending if self.descending => Order::Ascending,
            order => order,
        }
    }

    /// Returns the key filter starting at a row, or after it if `behind` is set. The row replaces the bound at the start, so
    /// the filter does not grow.
    pub(crate) fn filter_from(&self, partition_key: Option<&str>, row: &RowPlace, behind: bool) -> Filter {
        let end = End { key: row.row_key.clone(), included: !behind };
        let Some(partition_key) = partition_key else {
            let (there, partition_key) = (self.from(KeyRange::default(), end), row.partition_key.clone());
            let others = if self.descending { Filter::lt } else { Filter::gt };
            return keys(partition_key.clone(), there).or(others("PartitionKey", partition_key));
        };
        let range = match &self.keys {
            Bounds::Empty => return Filter::Constant(false),
            Bounds::Point(key) => {
                let only = End { key: key.clone(), included: true };
                KeyRange { lower: Some(only.clone()), upper: Some(only), residual: false }
            }
            Bounds::Range(range) => range.clone(),
        };
        keys(partition_key.to_owned(), self.from(range, end))
    }

    /// Returns the part of a range from this end on, in the order in which it is read.
    fn from(&self, range: KeyRange, end: End) -> KeyRange {
        let is_inside = |bound: &End| match compare(&bound.key, &end.key) {
            Ordering::Equal => !bound.included,
            Ordering::Greater => !self.descending,
            Ordering::Less => self.descending,
        };
        if self.descending {
            KeyRange { upper: Some(range.upper.filter(is_inside).unwrap_or(end)), ..range }
        } else {
            KeyRange { lower: Some(range.lower.filter(is_inside).unwrap_or(end)), ..range }
        }
    }

    /// Returns the strings that distinguish this query from others. Cursors contain their digest.
    pub(crate) fn texts(&self) -> Vec<String> {
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

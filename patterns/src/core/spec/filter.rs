//! Filters on keys.

use table_model::Filter;

use table_schema::bounds::{Bounds, End, KeyRange};

/// Returns `PartitionKey eq ..`.
pub(crate) fn partition_eq(partition_key: String) -> Filter {
    Filter::eq("PartitionKey", partition_key)
}

/// Returns `PartitionKey eq .. and RowKey eq ..`.
pub(crate) fn keys_eq(partition_key: String, row_key: String) -> Filter {
    partition_eq(partition_key).and(Filter::eq("RowKey", row_key))
}

/// Returns `PartitionKey eq .. and RowKey ge .. and RowKey le ..`.
pub(crate) fn keys_between(partition_key: String, first: String, last: String) -> Filter {
    partition_eq(partition_key).and(Filter::ge("RowKey", first)).and(Filter::le("RowKey", last))
}

/// Returns the filter for the rows of a partition with RowKeys in a range.
pub(crate) fn keys(partition_key: String, range: KeyRange) -> Filter {
    ends("RowKey", range).fold(partition_eq(partition_key), Filter::and)
}

/// Returns the filter for the rows with a key within bounds. `None` matches all rows.
pub(crate) fn on(key: &'static str, bounds: Bounds) -> Option<Filter> {
    match bounds {
        Bounds::Empty => Some(Filter::Constant(false)),
        Bounds::Point(text) => Some(Filter::eq(key, text)),
        Bounds::Range(range) => ends(key, range).reduce(Filter::and),
    }
}

/// Returns the comparisons with the ends of a range.
fn ends(property: &'static str, range: KeyRange) -> impl Iterator<Item = Filter> {
    let lower = range.lower.map(
        |End { key, included }| {
            if included { Filter::ge(property, key) } else { Filter::gt(property, key) }
        },
    );
    let upper = range.upper.map(
        |End { key, included }| {
            if included { Filter::le(property, key) } else { Filter::lt(property, key) }
        },
    );
    lower.into_iter().chain(upper)
}

/// Returns the filter for the rows of a partition with RowKeys within bounds.
pub(crate) fn within(partition_key: String, bounds: &Bounds) -> Filter {
    match bounds {
        Bounds::Empty => Filter::Constant(false),
        Bounds::Point(row_key) => keys_eq(partition_key, row_key.clone()),
        Bounds::Range(range) => keys(partition_key, range.clone()),
    }
}

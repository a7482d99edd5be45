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
    let lower = range.lower.map(
        |End { key, included }| {
            if included { Filter::ge("RowKey", key) } else { Filter::gt("RowKey", key) }
        },
    );
    let upper = range.upper.map(
        |End { key, included }| {
            if included { Filter::le("RowKey", key) } else { Filter::lt("RowKey", key) }
        },
    );
    lower.into_iter().chain(upper).fold(partition_eq(partition_key), Filter::and)
}

/// Returns the filter for the rows of a partition with RowKeys within bounds.
pub(crate) fn within(partition_key: String, bounds: &Bounds) -> Filter {
    match bounds {
        Bounds::Empty => Filter::Constant(false),
        Bounds::Point(row_key) => keys_eq(partition_key, row_key.clone()),
        Bounds::Range(range) => keys(partition_key, range.clone()),
    }
}

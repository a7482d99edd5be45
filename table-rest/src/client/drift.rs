use std::fmt::Write;

/// A known difference between backends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// The subject of the difference.
    pub what: &'static str,
    /// The embedded store, and the server on top of it.
    pub ours: &'static str,
    /// Azurite 3.37.
    pub azurite: &'static str,
    /// Azure storage accounts, according to their documentation and recorded traffic.
    pub azure: &'static str,
    /// The table API of Cosmos DB, according to its documentation.
    pub cosmos: &'static str,
    /// The reason or the consequence.
    pub reason: &'static str,
}

/// Same behavior as Azure.
const SAME: &str = "same as Azure";

/// All known differences. The client compensates where possible: it validates requests by the rules of the service
/// before sending them.
pub const DRIFT: &[Drift] = &[
    Drift {
        what: "timestamps and ETags",
        ours: "100 ns, always unique",
        azurite: "milliseconds; two writes in the same millisecond can have the same ETag",
        azure: "100 ns",
        cosmos: "seconds; independent ETags",
        reason: "on Azurite, a condition on an ETag can miss a lost update; `Capabilities::etags_never_repeat`",
    },
    Drift {
        what: "order of rows",
        ours: SAME,
        azurite: SAME,
        azure: "PartitionKey, then RowKey",
        cosmos: "not guaranteed",
        reason: "Cosmos DB indexes all properties; `Capabilities::sorts_by_key`",
    },
    Drift {
        what: "queries in descending order",
        ours: "as fast as ascending ones; our server has the header `x-tables-order`",
        azurite: "not supported",
        azure: "not supported",
        cosmos: "not supported",
        reason: "`Error::Order`; declare a key in descending order; the client recognizes our server by its responses",
    },
    Drift {
        what: "an `or` over keys",
        ours: "minimal key ranges",
        azurite: "scans all rows, as for every query",
        azure: "scans the table",
        cosmos: "uses its index",
        reason: "same results at a different cost; `Capabilities::plans_ranges`",
    },
    Drift {
        what: "a Double without a fraction",
        ours: SAME,
        azurite: "`10.0` becomes an Int32 unless the type is specified",
        azure: "`10.0` is a Double",
        cosmos: SAME,
        reason: "the client always specifies the type",
    },
    Drift {
        what: "limits of properties and names",
        ours: SAME,
        azurite: "mostly not checked",
        azure: "checked",
        cosmos: "`id`, `rid`, `etag` and `ResourceId` are not allowed as names; rows up to 2 MB, RowKeys up \
                 to 255 bytes",
        reason: "the client checks the limits of Azure before sending",
    },
    Drift {
        what: "transactions",
        ours: SAME,
        azurite: "also across partitions",
        azure: "one partition, 100 operations, under 4 MiB",
        cosmos: "under 2 MiB",
        reason: "the client checks the limits of Azure before sending; `Capabilities::transaction_bytes`",
    },
    Drift {
        what: "name of a deleted table",
        ours: "available immediately; with `strict_deletes` unavailable for 40 s",
        azurite: "available immediately",
        azure: "unavailable for at least 40 s",
        cosmos: "available immediately",
        reason: "retry after `TableBeingDeleted`",
    },
    Drift {
        what: "case of table names",
        ours: SAME,
        azurite: "rejects names that differ only in case; lookups are case-sensitive",
        azure: "case-insensitive",
        cosmos: "case-sensitive",
        reason: "use a consistent case for each name",
    },
    Drift {
        what: "too many requests",
        ours: "the store queues them; the server responds like Azure",
        azurite: "waits",
        azure: "503 `ServerBusy`",
        cosmos: "429 `TooManyRequests`",
        reason: "the client retries after the delay that the response specifies",
    },
    Drift {
        what: "queues and blobs",
        ours: "supported",
        azurite: "supported",
        azure: "supported",
        cosmos: "not supported",
        reason: "configure those of another account; `Capabilities::has_queues`, `has_blobs`",
    },
    Drift {
        what: "key ranges in a signature",
        ours: SAME,
        azurite: "ignored",
        azure: "enforced: reads return fewer rows, writes are rejected",
        cosmos: "not supported",
        reason: "do not test access rules on Azurite",
    },
];

/// Returns the list as a Markdown table.
#[must_use]
pub fn drift_table() -> String {
    let mut table = String::from(
        "| subject | the store, our server | Azurite | Azure | Cosmos | note |\n|---|---|---|---|---|---|\n",
    );
    for Drift { what, ours, azurite, azure, cosmos, reason } in DRIFT {
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {what} | {ours} | {azurite} | {azure} | {cosmos} | {reason} |");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_the_table() {
        let page = include_str!("../../docs/azure.md");
        assert!(page.contains(&drift_table()), "put this into docs/guide/azure.md:\n{}", drift_table());
    }
}

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
    pub why: &'static str,
}

/// Same behavior as Azure.
const SAME: &str = "as Azure";

/// All known differences. The client compensates where possible: it validates requests by the rules of the service
/// before sending them.
pub const DRIFT: &[Drift] = &[
    Drift {
        what: "timestamps and ETags",
        ours: "100 ns, never the same twice",
        azurite: "milliseconds: two writes within one can have one ETag",
        azure: "100 ns",
        cosmos: "seconds; ETags of its own",
        why: "a condition on an ETag of Azurite may let a lost update through; `Capabilities::etags_never_repeat`",
    },
    Drift {
        what: "order of rows",
        ours: SAME,
        azurite: SAME,
        azure: "PartitionKey, then RowKey",
        cosmos: "none that is promised",
        why: "all properties are indexed there; `Capabilities::sorts_by_key`",
    },
    Drift {
        what: "an `or` over keys",
        ours: "the fewest key ranges",
        azurite: "all rows, as for every query",
        azure: "all rows of the table",
        cosmos: "its index",
        why: "the same rows, at another price; `Capabilities::plans_ranges`",
    },
    Drift {
        what: "a Double without a fraction",
        ours: SAME,
        azurite: "`10.0` becomes an Int32, unless its type is said",
        azure: "`10.0` is a Double",
        cosmos: SAME,
        why: "the client always says it",
    },
    Drift {
        what: "limits of properties and names",
        ours: SAME,
        azurite: "mostly not checked",
        azure: "checked",
        cosmos: "`id`, `rid`, `etag` and `ResourceId` are no names; rows up to 2 MB, RowKeys up to 255 bytes",
        why: "the client checks Azure's before it sends",
    },
    Drift {
        what: "transactions",
        ours: SAME,
        azurite: "also over several partitions",
        azure: "one partition, 100 operations, under 4 MiB",
        cosmos: "under 2 MiB",
        why: "the client checks Azure's before it sends; `Capabilities::transaction_bytes`",
    },
    Drift {
        what: "a table that was deleted",
        ours: "its name is free when its rows are swept",
        azurite: "its name is free at once",
        azure: "its name is taken for 40 s or more",
        cosmos: "its name is free at once",
        why: "`TableBeingDeleted` may be waited for",
    },
    Drift {
        what: "case in names of tables",
        ours: SAME,
        azurite: "makes none that differs in case only, and finds one only in its own",
        azure: "tells no tables apart",
        cosmos: "tells tables apart",
        why: "write a name always in the same way",
    },
    Drift {
        what: "too many requests",
        ours: "the store lets them wait; the server answers as Azure",
        azurite: "waits",
        azure: "503 `ServerBusy`",
        cosmos: "429 `TooManyRequests`",
        why: "the client sends again, after the time that the answer asks for",
    },
    Drift {
        what: "queues and blobs",
        ours: "there",
        azurite: "there",
        azure: "there",
        cosmos: "not there",
        why: "name those of another account; `Capabilities::has_queues`, `has_blobs`",
    },
    Drift {
        what: "ranges of keys in a signature",
        ours: SAME,
        azurite: "not looked at",
        azure: "kept: reads find less, writes are refused",
        cosmos: "no such signatures",
        why: "do not test access rules on Azurite",
    },
];

/// Returns the list as a Markdown table.
#[must_use]
pub fn drift_table() -> String {
    let mut table = String::from(
        "| about | the store, our server | Azurite | Azure | Cosmos | note |\n|---|---|---|---|---|---|\n",
    );
    for Drift { what, ours, azurite, azure, cosmos, why } in DRIFT {
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {what} | {ours} | {azurite} | {azure} | {cosmos} | {why} |");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_the_table() {
        let page = include_str!("../../../docs/guide/azure.md");
        assert!(page.contains(&drift_table()), "put this into docs/guide/azure.md:\n{}", drift_table());
    }
}

//! Tests that span crates: the workspace layout, the documentation's code, generated code end to end, and
//! runs on real data. The tests are under `tests/`.

// The name of the facade in `hygiene`.
extern crate table_patterns as storage;

pub mod advised;
pub mod counting;
pub mod designs;
pub mod fate;
pub mod forward;
pub mod generated;
pub mod hygiene;
pub mod schedule;
pub mod seed;
pub mod tampering;
pub mod unreliable;

/// The code of the README, of the book and of the derive macros, compiled and run.
#[cfg(doctest)]
mod documented {
    macro_rules! pages {
        ($($name:ident $path:literal)*) => { $(#[doc = include_str!($path)] struct $name;)* };
    }

    pages! {
        Readme "../../README.md"
        Introduction "../../docs/introduction.md"
        Keys "../../docs/guide/keys.md"
        Entities "../../docs/guide/entities.md"
        Queries "../../docs/guide/queries.md"
        Writes "../../docs/guide/writes.md"
        Indexes "../../docs/guide/indexes.md"
        Lookups "../../docs/guide/lookups.md"
        Tasks "../../docs/guide/tasks.md"
        ChangeFeed "../../docs/guide/change-feed.md"
        SharedTables "../../docs/guide/shared-tables.md"
        Following "../../docs/guide/cross-partition-indexes.md"
        Totals "../../docs/guide/aggregates.md"
        Denormalization "../../docs/guide/denormalization.md"
        Living "../../docs/guide/maintenance.md"
        Expiry "../../docs/guide/expiry.md"
        Series "../../docs/guide/series.md"
        WideEntities "../../docs/guide/wide-entities.md"
        LargeValues "../../docs/guide/large-values.md"
        Combinations "../../docs/guide/combinations.md"
        Versions "../../docs/guide/versions.md"
        Filters "../../docs/guide/filters.md"
        Encryption "../../docs/guide/encryption.md"
        Queues "../../docs/guide/queues.md"
        Periods "../../docs/guide/periods.md"
        SpreadKeys "../../docs/guide/spread-keys.md"
        Blobs "../../docs/guide/blobs.md"
        Logs "../../docs/guide/logs.md"
        Store "../../docs/guide/store.md"
        Limits "../../docs/guide/limits.md"
        Testing "../../docs/guide/testing.md"
        Relationships "../../docs/guide/relationships.md"
        ChoosingKeys "../../docs/guide/choosing-keys.md"
        Observability "../../docs/guide/observability.md"
        ErrorsHttp "../../docs/guide/errors-http.md"
        DeriveTableEntity "../../table-derive/docs/table_entity.md"
        DeriveTableFields "../../table-derive/docs/table_fields.md"
        DeriveTableUnion "../../table-derive/docs/table_union.md"
        DeriveProjection "../../table-derive/docs/projection.md"
        DeriveTask "../../table-derive/docs/task.md"
        DeriveTableValue "../../table-derive/docs/table_value.md"
        DeriveKeyPart "../../table-derive/docs/key_part.md"
    }
}

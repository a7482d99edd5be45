//! Typed, indexed, persistent table entities for Rust. A struct with one derive declares its keys and becomes an entity
//! that is stored in one file, with the semantics and limits of Azure Table storage.
//!
//! # Quick start
//!
//! ```
//! use table_patterns::prelude::*;
//!
//! #[derive(TableEntity, Clone, Debug)]
//! #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
//! struct Employee {
//!     department: String,
//!     id: u32,
//!     last_name: String,
//!     age: i32,
//! }
//!
//! # fn main() -> Result<()> {
//! # pollster::block_on(async {
//! let tables = Tables::in_memory()?; // or Tables::open("company.tables")?
//! let jo = Employee { department: "Sales".into(), id: 223, last_name: "Jones".into(), age: 34 };
//! tables.insert(&jo).await?;
//!
//! // A point query: both keys are specified. This is the fastest read.
//! let Some(mut jo) = Employee::point("Sales", 223).get(&tables).await? else { return Ok(()) };
//!
//! // A conflict is an error, not a lost update.
//! let seen_before = jo.clone();
//! jo.age = 35;
//! tables.replace(&jo).await?;
//! assert!(tables.replace(&seen_before).await.unwrap_err().is_conflict());
//!
//! // A range query, in key order: it reads only the rows that it returns.
//! let hundreds = Employee::rows("Sales").between(200..=299).all(&tables).await?;
//! assert_eq!(hundreds.len(), 1);
//!
//! // A scan must be requested explicitly.
//! let scan = Employee::scan_partition("Sales").filter(|e| e.age.gt(30) & e.last_name.eq("Jones"));
//! assert_eq!(scan.all(&tables).await?.len(), 1);
//!
//! // `explain` returns the cost; it requires no store.
//! assert_eq!(Employee::rows("Sales").explain()?.class, QueryClass::RowRange);
//! # Ok(())
//! # })
//! # }
//! ```
//!
//! # Queries
//!
//! A query is a value, and its type is its class, which determines its cost.
//!
//! | syntax | type | reads |
//! |---|---|---|
//! | `Employee::point(d, id)` | [`PointQuery`] | one entity |
//! | points, collected | [`MultiPoint`] | one entity for each |
//! | `Employee::by_last_name(d, name)`, a lookup | [`MultiPoint`] | the list, and one entity for each member |
//! | `Employee::rows(d)`, `.at(..)` | [`Rows`] | the returned rows |
//! | `.between(a..b)`, `.starts_with("a")` | [`RangeQuery`] | the returned rows |
//! | `rows` and ranges of a table for each period, or of spread keys | [`FanOutRows`], [`FanOut`] | the returned rows, with a request to each table or partition |
//! | `Employee::scan_partition(d)`, `rows(d).scan(..)` | [`PartitionScan`] | the entity's rows of the partition, or of the range |
//! | `Employee::scan_table()` | [`TableScan`] | the table |
//!
//! All queries support [`take`](Query::take) and [`explain`](Query::explain). They return a [page](Query::page),
//! [all](Query::all) items, a [stream](Query::stream), a [count](Query::count), or a [report](Query::report) with the
//! statistics of the run.
//! Rows are decoded as entities ([`Stored`]), as a [`Projection`], as a [`TableUnion`] of several entity types, or as
//! untyped entities ([`DynamicEntity`]).
//!
//! # Writes
//!
//! | verb | requirement | concurrent changes |
//! |---|---|---|
//! | [`insert`](Tables::insert) | the entity must not exist | |
//! | [`replace`](Tables::replace), [`delete`](Tables::delete), `merge(stored.patch()..)` | the entity must be unchanged since it was read | cause an error |
//! | [`update`](Tables::update), [`try_update`](Tables::try_update) | the entity must exist | cause a retry |
//! | [`replace_any`](Tables::replace_any), [`delete_at`](Tables::delete_at), `merge(Employee::patch(..)..)` | the entity must exist | are overwritten |
//! | [`upsert`](Tables::upsert), [`upsert_merge`](Tables::upsert_merge), [`delete_if_exists`](Tables::delete_if_exists) | | are overwritten |
//!
//! [`transact`](Tables::transact) executes several operations atomically in one partition. [`bulk`](Tables::bulk)
//! executes many operations, and reports on each group.
//!
//! # Tasks
//!
//! Work that spans partitions is started by a message: [`send`](Tables::send) a [`Task`], and a [`Worker`] runs it,
//! even after a crash. [`Worker::with`] provides a state of the program, such as a mail client.
//! [`archive`](Tables::archive) moves an entity to another table in this way.
//!
//! # Futures
//!
//! Verbs are plain functions that encode their arguments immediately and return one boxed type, [`Pending`]. They run
//! on any executor; the crate includes no runtime. [`Tables::blocking`] provides the same verbs for synchronous code.
//!
//! # Limits
//!
//! - A key has at most 512 UTF-16 units and must not contain `/ \ # ?` or control characters.
//! - An entity has at most 252 properties and 1 MiB.
//! - A string has at most 32,768 UTF-16 units, a binary value at most 64 KiB.
//! - A transaction has at most 100 operations and less than 4 MiB.
//! - A request returns at most 1,000 rows.
//!
//! A violation is an error before anything is sent, or returns the service's own error code. Row keys that start with
//! `!`, and properties whose names start with `_`, are reserved for the library.
//!
//! # Features
//!
//! `embedded` (default) is the store in one file: `Tables::open`. `encryption` provides the keys for properties with
//! `#[table(encrypt)]`: `Tables::with_keys`. `azure` connects to a service that supports the protocol of Azure Table
//! storage: `Tables::connect`. `postgres` is a PostgreSQL database that several programs share: `Tables::postgres`.
//!
//! `designs` adds entities whose design is read at run time, `Tables::design`, and [`lock!`] for the tests of a program,
//! which names it under `[dev-dependencies]`.
//!
//! `serde` (default) implements `Serialize` and `Deserialize` for the types that an application passes on: [`Timestamp`],
//! [`Date`], [`ETag`], [`Uuid`], [`Cursor`] and generated keys. [`Stored`] serializes as its entity.
//!
//! `time`, `chrono`, `jiff` and `bytes` implement the property and key traits for those crates' types, `rust_decimal` the
//! property trait. A feature never changes the storage format.

#![cfg_attr(
    not(feature = "designs"),
    allow(dead_code, unused_imports, reason = "designs at run time use what typed entities do not")
)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod apply;
mod cache;
mod core;
#[cfg(feature = "designs")]
mod design_entity;
mod handle;
#[cfg(feature = "designs")]
pub mod lock;
mod maintain;
mod pattern;
mod query;
mod tables;
#[cfg(feature = "embedded")]
pub mod testing;
mod worker;
mod write;

pub use crate::core::blob::{Blob, blob_owner, references_blob};
pub use crate::core::date::Date;
pub use crate::core::difference::{Difference, DifferenceKind, RepairStatus};
pub use crate::core::dynamic_entity::DynamicEntity;
pub use crate::core::entity::{AllowTableScan, EntityKey, NotEncrypted, TableEntity, Writable};
pub use crate::core::error::{
    BlobError, ChangeFeedError, DecodeError, Error, IndexConflictError, LogError, OrderError,
    OutcomeUnknownError, PropertyValueError, RegistryError, RowError, TaskError, TransactionError,
    UniqueViolationError, ValidationError,
};
// Without the feature, `#[table(encrypt)]` does not compile, and the compiler names the feature.
pub use crate::apply::poison::Poisoned;
pub use crate::core::borrowed::BorrowRow;
pub use crate::core::encryption::DecryptError;
#[cfg(feature = "encryption")]
pub use crate::core::encryption::{KeyRing, KeyRingError, KeyWrap};
pub use crate::core::error::property::PropertyError;
#[cfg(feature = "encryption")]
pub use crate::core::field::Encrypted;
pub use crate::core::field::{BlobValue, Field, Json, KeyField, Large, Plain};
pub use crate::core::index_state::IndexState;
pub use crate::core::library_row::LibraryRow;
pub use crate::core::move_state::MoveState;
pub use crate::core::outbox::{CommitRow, Receipt};
pub use crate::core::patch::{BlindPatch, ByKey, IntoMerge, Loaded, Patch, PatchState};
pub use crate::core::predicate::Predicate;
pub use crate::core::projection::Projection;
#[doc(hidden)]
pub use crate::core::reserved::is_derived_token;
pub use crate::core::retirement_state::RetirementState;
pub use crate::core::row::FromRow;
pub use crate::core::source::{AccessPath, Source};
pub use crate::core::spec::row_policy::{RowPolicy, SkippedRow};
pub use crate::core::spec::{consistency::InPartition, scan::TableScan};
pub use crate::core::stored::Stored;
pub use crate::core::union::{TableUnion, Unknown};
pub use crate::core::value::{Filterable, TableValue, ValueError};
pub use crate::core::written::WriteResult;
pub use crate::core::{address, cursor, key};
pub use crate::handle::clock::MAX_REQUEST_AGE;
#[doc(hidden)]
pub use crate::handle::lease_clock::LeaseClock;
pub use crate::handle::left::{LeftCommits, LeftReason};
pub use crate::handle::registry::{
    LEASE, TABLE as REGISTRY_TABLE,
    moves::MoveStatus,
    row::IndexStatus,
    versions::{VersionFloor, VersionStatus},
};
pub use crate::maintain::expire::{Expire, ExpireReport};
pub use crate::maintain::moving::{Migration, MigrationStep, MoveCheck, MoveCheckReport};
pub use crate::maintain::orphans::{OrphanSweep, SweepReport};
pub use crate::maintain::registry::{IndexChange, IndexStep};
pub use crate::maintain::reindex::{
    CheckIndex, IndexCheck, Reindex, ReindexReport, RemoveIndexRows, RemovedRows,
};
pub use crate::maintain::retirement::{OlderRow, Retirement, RetirementStep};
pub use crate::maintain::rewrite::{Rewrite, RewriteReport};
pub use crate::maintain::sweep::{Job, Sweep};
pub use crate::maintain::verify::{
    Verify, VerifyReport,
    row::{PendingCommit, RelatedRow, RelatedState},
};
pub use crate::pattern::public::*;
pub use crate::query::{
    Explain, FanOut, FanOutRows, FanOutScan, Many, MultiPoint, One, OpenParts, Page, PartitionScan,
    PointQuery, Query, RangeQuery, Reach, Report, Resolved, Rows, RunStats, Stream,
};
pub use crate::write::bulk::{Bulk, BulkReport, Group};
pub use crate::write::one_point::OnePoint;
pub use crate::write::transaction::{Transaction, TransactionPlan};
pub use address::Address;
pub use apply::{CatchUpReport, Lag};
pub use cache::{Cache, Joined, Pair};
pub use cursor::{Cursor, CursorError};
#[cfg(feature = "designs")]
#[doc(hidden)]
pub use design_entity::compared;
#[cfg(feature = "designs")]
pub use design_entity::{
    DesignError, Designed, DesignedEntities, FieldQuery, FieldTest, FieldValues, StoredFields, Unverifiable,
    UnverifiableReason,
};
pub use handle::{Pending, Tables};
pub use table_model::blob;
pub use table_model::queue;
pub use table_model::{
    ETag, EdmType, ErrorCode, QueryClass, StorageFault, TableError, Timestamp, Uuid, Value,
};
pub use table_schema::static_design::{self as design, Design};
#[cfg(feature = "embedded")]
pub use table_store::{
    BackgroundScrub, Durability, KeepLog, KeptCommit, KeptSegment, LogEnd, OpenError, OpenOptions,
    RestoreError, RestoreTo, Restored, SegmentDamage, Store,
};
pub use tables::Blocking;
pub use worker::{WorkReport, Worker, WorkerThread};
pub use write::DeleteTarget;

pub use table_derive::{KeyPart, Projection, TableEntity, TableFields, TableUnion, TableValue, Task};

/// Accounts and settings of a remote service, for [`Tables::on`].
#[cfg(feature = "azure")]
pub mod remote {
    pub use table_rest::{
        TraceContext,
        client::{Account, Retry, Settings},
    };
}

/// Options of a database, for `Tables::from`.
#[cfg(feature = "postgres")]
pub mod postgres {
    pub use table_postgres::{Postgres, PostgresOptions};
}

/// Result type with [`Error`] as the default error type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Common types and traits, for `use table_patterns::prelude::*`.
///
/// The methods of [`Query`](trait@Query) are included, its name is not: it would clash with extractors of web
/// frameworks, such as `axum::extract::Query`, whose import would hide the methods. A function over all queries imports it:
///
/// ```
/// use table_patterns::{Query, prelude::*};
///
/// fn first<Q: Query>(query: &Q) -> Q {
///     query.clone().take(1)
/// }
/// ```
pub mod prelude {
    pub use crate::{
        Archive, Blob, Cursor, Date, DynamicEntity, EntityKey, Error, ErrorCode, Expires, FromRow,
        IntoMerge as _, KeyPart, MultiPoint, Outcome, Page, Projection, Query as _, QueryClass, Result, Run,
        RunWith, SoftDelete, Stored, TableEntity, TableFields, TableUnion, TableValue, Tables, Task,
        Timestamp, Uuid,
    };
}

/// Compares entities with `tables.lock`, with the feature `designs`.
#[cfg(not(feature = "designs"))]
#[macro_export]
macro_rules! lock {
    ($($_:tt)*) => {
        ::core::compile_error!(
            "`lock!` requires the feature `designs`: table-patterns = { version = \"..\", features = [\"designs\"] } \
             under [dev-dependencies]"
        )
    };
}

//! Table-style entities in typed Rust: a struct says with one derive how it is keyed, and becomes an entity that lasts,
//! in one file with the semantics and limits of Azure Table storage.
//!
//! # The first five minutes
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
//! // A point query: both keys are known. Nothing is faster.
//! let Some(mut jo) = Employee::point("Sales", 223).get(&tables).await? else { return Ok(()) };
//!
//! // A lost race is an error, not a lost update.
//! let seen_before = jo.clone();
//! jo.age = 35;
//! tables.replace(&jo).await?;
//! assert!(tables.replace(&seen_before).await.unwrap_err().is_conflict());
//!
//! // A range query, in key order: it reads what it returns.
//! let hundreds = Employee::rows("Sales").between(200..=299).all(&tables).await?;
//! assert_eq!(hundreds.len(), 1);
//!
//! // A scan is asked for by name.
//! let scan = Employee::scan_partition("Sales").filter(|e| e.age.gt(30) & e.last_name.eq("Jones"));
//! assert_eq!(scan.all(&tables).await?.len(), 1);
//!
//! // What will it cost? No store is needed to know.
//! assert_eq!(Employee::rows("Sales").explain()?.class, QueryClass::RowRange);
//! # Ok(())
//! # })
//! # }
//! ```
//!
//! # Queries
//!
//! A query is a value, and its type is its class: what it costs by its shape.
//!
//! | written | type | reads |
//! |---|---|---|
//! | `Employee::point(d, id)` | [`PointQuery`] | one entity |
//! | points, collected | [`MultiPoint`] | one entity for each |
//! | `Employee::by_last_name(d, name)`, a lookup | [`MultiPoint`] | the list, and one entity for each member |
//! | `Employee::rows(d)`, `.at(..)` | [`Rows`] | what it returns |
//! | `.between(a..b)`, `.starts_with("a")` | [`RangeQuery`] | what it returns |
//! | the same, of a table for each period or spread keys | [`FanOutRows`], [`FanOut`] | what it returns, and a request to each place |
//! | `Employee::scan_partition(d)`, `rows(d).scan(..)` | [`PartitionScan`] | the entity's rows of the partition, or of the range |
//! | `Employee::scan_table()` | [`TableScan`] | the table |
//!
//! All of them [take](Query::take), [explain](Query::explain) and run: a [page](Query::page), [all](Query::all), as a
//! [stream](Query::stream), with a [report](Query::report) of what it took. Rows come as entities ([`Stored`]), as a
//! [`Projection`], as a [`TableUnion`] of several kinds, or as property bags ([`Entity`]).
//!
//! # Writes
//!
//! | verb | the entity must | other writers |
//! |---|---|---|
//! | [`insert`](Tables::insert) | not be there | |
//! | [`replace`](Tables::replace), [`delete`](Tables::delete), `merge(stored.patch()..)` | be as it was read | are an error |
//! | [`update`](Tables::update) | be there | make it begin again |
//! | [`replace_any`](Tables::replace_any), [`delete_at`](Tables::delete_at), `merge(Employee::patch(..)..)` | be there | are overwritten |
//! | [`upsert`](Tables::upsert), [`upsert_merge`](Tables::upsert_merge), [`delete_if_exists`](Tables::delete_if_exists) | | are overwritten |
//!
//! [`transact`](Tables::transact) does several or none, in one partition; [`bulk`](Tables::bulk) does many, and reports
//! on each group.
//!
//! # Tasks
//!
//! What spans partitions is promised by a message: [`send`](Tables::send) a [`Task`], and a [`Worker`] does it, also after a
//! crash. [`archive`](Tables::archive) moves an entity to another table that way.
//!
//! # Futures
//!
//! Verbs are plain functions that encode at once and return one boxed type, [`Pending`]. They run on any executor, and
//! no runtime comes with the crate. [`Tables::blocking`] has the same verbs for code without futures.
//!
//! # Limits
//!
//! A key has at most 512 UTF-16 units and no `/ \ # ?` or control characters; an entity at most 252 properties and
//! 1 MiB, a text 32,768 UTF-16 units, a binary 64 KiB; a transaction 100 operations and less than 4 MiB; a request
//! returns at most 1,000 rows. What goes over is an error before anything is sent, or the service's own error code.
//! A RowKey that begins with `!`, and a property whose name begins with `_`, are the library's own.
//!
//! # Features
//!
//! `time`, `chrono`, `jiff` and `bytes` implement the property and key traits for those crates' types. A feature never
//! changes how anything is stored.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod address;
mod archive;
mod bag;
mod bulk;
mod cache;
mod copied;
mod copied_fields;
pub mod cursor;
mod date;
mod derived;
mod designed;
mod entity;
mod error;
mod field;
mod follow;
mod hint;
pub mod key;
mod kinds;
mod known;
mod large;
mod leftovers;
mod list;
mod log;
mod outbox;
mod outcome;
mod patch;
mod predicate;
mod projection;
mod properties;
mod query;
mod registry;
mod reindex;
mod row;
mod sealing;
mod sink;
mod source;
mod stored;
mod sweep;
mod tables;
mod task;
mod transaction;
mod union;
mod upgrade;
mod value;
mod verify;
mod wide;
mod worker;
mod write;

pub use address::Address;
pub use archive::{Archive, Archived};
pub use bag::Entity;
pub use bulk::{Bulk, BulkReport, Group};
pub use cache::{Cache, Joined, Pair};
pub use copied::{Copied, CopyOf, WholeCopy};
pub use copied_fields::CopiedFields;
pub use cursor::{Cursor, CursorError};
pub use date::Date;
#[doc(hidden)]
pub use designed::compared;
pub use designed::{DesignError, Designed, Unjudged, WhyUnjudged};
pub use entity::{AllowTableScan, EntityKey, TableEntity, Writable};
pub use error::{
    BlobError, DecodeError, Error, IndexConflict, LogError, OutcomeUnknown, PropertyOf, RegistryError,
    RowProblem, TaskError, TransactionError, UniqueViolation,
};
pub use field::{BlobValue, Field, Json, KeyField, Large, Plain, Sealed, Series, Slots};
pub use follow::{Lag, LeftCommits, LeftReason, Pass};
pub use large::{Blob, BlobStream, CollectBlobs, CollectedBlobs};
pub use leftovers::{Leftovers, Swept};
pub use log::{Log, LogLine, LogRange, LogStream};
pub use outbox::Receipt;
pub use patch::{ByKey, IntoMerge, Loaded, Patch, PatchState};
pub use predicate::Predicate;
pub use projection::Projection;
pub use properties::PropertyError;
pub use query::{
    Explain, FanOut, FanOutRows, FanOutScan, InPartition, Many, MultiPoint, One, OpenParts, Page,
    PartitionScan, PointQuery, Query, RangeQuery, Reach, Report, Resolved, Rows, RunStats, Stream, TableScan,
};
#[doc(hidden)]
pub use registry::LeaseClock;
pub use registry::{IndexChange, IndexState, IndexStatus, IndexStep, LANDING, LEASE};
pub use reindex::{Reindex, ReindexReport, RemoveIndexRows};
pub use row::FromRow;
pub use sealing::{KeyRing, KeyRingError, KeyWrap, UnsealError};
pub use source::{Path, Source};
pub use stored::Stored;
pub use sweep::{Job, Sweep};
pub use table_schema::static_design::{self as design, Design};
pub use table_store::blob;
pub use table_store::embedded::{Durability, OpenError, OpenOptions, Store};
pub use table_store::queue;
pub use table_store::{ETag, EdmType, ErrorCode, QueryClass, TableError, Timestamp, Uuid, Value};
pub use tables::{Blocking, Pending, PerPeriod, Tables};
pub use task::{Outcome, Poisoned, Run, Sent, Task};
pub use transaction::Transaction;
pub use union::{TableUnion, Unknown};
pub use upgrade::{Upgrade, UpgradeReport};
pub use value::{Filterable, TableValue, ValueError};
pub use verify::{Difference, Repair, Verify, VerifyReport, WhatDiffers};
pub use wide::{OnePoint, WidePoint};
pub use worker::{Worked, Worker, WorkerThread};
pub use write::{DeleteTarget, Written};

pub use table_derive::{KeyPart, Projection, TableEntity, TableUnion, TableValue, Task};

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What a program that uses tables needs in scope.
pub mod prelude {
    pub use crate::{
        Archive, Blob, Cursor, Date, Entity, EntityKey, Error, ErrorCode, FromRow, KeyPart, MultiPoint,
        Outcome, Page, Projection, Query, QueryClass, Result, Run, Stored, TableEntity, TableUnion,
        TableValue, Tables, Task, Timestamp, Uuid,
    };
}

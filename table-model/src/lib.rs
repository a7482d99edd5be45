//! The model of the service: tables with entities that are addressed by PartitionKey and RowKey, [queues](queue) and
//! [blobs](blob), with the values, filters, limits and error codes of Azure Table, Queue and Blob storage.
//!
//! The crate contains what a backend and its callers share, and does no I/O:
//!
//! * the data: [`Value`], [`Entity`], [`Properties`], [`Row`], and their compact form [`Rows`];
//! * requests and results: [`Operation`], [`Query`], [`Filter`], [`Segment`], with all checks of the service;
//! * the [`Plan`] of a filter: the fewest key ranges that contain its matches, and the rest of the filter;
//! * the error [`TableError`] with the codes, HTTP statuses and messages of the service;
//! * the traits of a backend: [`TableService`], [`QueueService`], [`BlobService`] and [`SettingsService`].
//!
//! `table-store` implements the traits on one file, and the client of `table-rest` implements them on the REST
//! protocol.
//!
//! Requests that Azure rejects are rejected with the same error code and HTTP status. The behavior follows the public
//! REST reference; `docs/decisions/open-questions.md` records the decisions where the reference is ambiguous.

pub mod blob;
#[doc(hidden)]
mod dns_name;
pub mod entity;
pub mod error;
pub mod etag;
#[doc(hidden)]
pub mod fields;
pub mod filter;
mod invisible;
pub mod key;
pub mod limits;
pub mod metadata;
pub mod name;
pub mod operation;
pub mod outbox;
pub mod packed;
#[doc(hidden)]
pub mod pauses;
pub mod plan;
pub mod properties;
pub mod query;
pub mod queue;
pub mod row;
pub mod rows;
#[cfg(feature = "serde")]
mod serde_text;
pub mod service;
pub mod settings;
#[doc(hidden)]
pub mod split_mix;
pub mod table_name;
pub mod timestamp;
pub mod token;
pub mod value;

pub use blob::BlobService;
pub use bytes::Bytes;
pub use entity::Entity;
pub use error::{ErrorCode, StorageFault, TableError};
pub use etag::ETag;
pub use filter::Filter;
pub use invisible::is_invisible;
pub use metadata::Metadata;
pub use name::Name;
pub use operation::{Condition, Operation, OperationKind, Written};
pub use packed::PropertiesRef;
pub use plan::{Plan, QueryClass};
pub use properties::Properties;
pub use query::{Continuation, Query, Segment, SegmentStats};
pub use queue::QueueService;
pub use row::Row;
pub use rows::{RowRef, Rows};
pub use service::{Capabilities, Pending, TableService};
pub use settings::SettingsService;
pub use table_name::TableName;
pub use timestamp::Timestamp;
pub use uuid::Uuid;
pub use value::{EdmType, Value, ValueRef};

/// Result of a service call.
pub type Result<T, E = TableError> = std::result::Result<T, E>;

//! An embedded table store compatible with Azure Table storage. Tables contain entities that are addressed by
//! PartitionKey and RowKey. Values, filters, limits and error codes are those of the service; all data is stored in one
//! file. The store also provides queues and [blobs](blob).
//!
//! The crate has two layers. The first can be used without the second:
//!
//! * the **model**: [`Value`], [`Entity`], [`Filter`], [`Query`], [`TableError`] and the [`TableService`] trait. It
//!   defines requests, responses and validation, and does no I/O.
//! * the **engine** (feature `embedded`, on by default): `embedded::Store` implements the service on one file.
//!
//! The store rejects the requests that Azure rejects, with the same error code and HTTP status. The behavior follows
//! the public REST reference; `docs/decisions/open-questions.md` records the decisions where the reference is
//! ambiguous.

pub mod blob;
mod dns_name;
pub mod entity;
pub mod error;
pub mod etag;
pub mod filter;
pub mod key;
pub mod limits;
pub mod metadata;
pub mod name;
pub mod operation;
pub mod packed;
pub mod plan;
pub mod properties;
pub mod query;
pub mod queue;
pub mod row;
pub mod rows;
pub mod service;
pub mod settings;
pub mod table_name;
pub mod timestamp;
pub mod value;

#[cfg(feature = "embedded")]
pub mod embedded;

pub use blob::BlobService;
pub use bytes::Bytes;
pub use entity::Entity;
pub use error::{ErrorCode, StorageFault, TableError};
pub use etag::ETag;
pub use filter::Filter;
pub use metadata::Metadata;
pub use name::Name;
pub use operation::{Condition, Operation, Written};
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

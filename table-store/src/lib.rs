//! The table service, embedded: tables of entities under a PartitionKey and a RowKey, with the values, filters,
//! limits and error codes of Azure Table storage, kept in one file; and beside them [blobs](blob).
//!
//! Two layers, and the first works without the second:
//!
//! * the **model**: [`Value`], [`Entity`], [`Filter`], [`Query`], [`TableError`] and the [`TableService`] trait. It
//!   says what the service accepts and answers, and does no I/O.
//! * the **engine** (feature `embedded`, on by default): `embedded::Store`, the service on one file.
//!
//! What Azure refuses, the store refuses, with the same code and HTTP status. Facts come from the public REST
//! reference; where they are not settled, `docs/decisions/open-questions.md` says what was chosen.

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

/// The result of everything the service can refuse.
pub type Result<T, E = TableError> = std::result::Result<T, E>;

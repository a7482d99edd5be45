//! Table Patterns.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod address;
mod bag;
mod bulk;
pub mod cursor;
mod date;
pub mod design;
mod entity;
mod error;
mod field;
pub mod key;
mod patch;
mod predicate;
mod projection;
mod properties;
mod query;
mod row;
mod stored;
mod tables;
mod transaction;
mod union;
mod value;
mod write;

pub use address::Address;
pub use bag::Entity;
pub use bulk::{Bulk, BulkReport, Group};
pub use cursor::{Cursor, CursorError};
pub use date::Date;
pub use design::Design;
pub use entity::{AllowTableScan, EntityKey, TableEntity, Writable};
pub use error::{DecodeError, Error, PropertyOf, RowProblem, TransactionError};
pub use field::{Field, Json, KeyField, Plain};
pub use patch::{ByKey, IntoMerge, Loaded, Patch, PatchState};
pub use predicate::Predicate;
pub use projection::Projection;
pub use properties::PropertyError;
pub use query::{
    Explain, MultiPoint, OpenParts, Page, PartitionScan, PointQuery, Query, RangeQuery, Report, Resolved,
    Rows, RunStats, Stream, TableScan,
};
pub use row::FromRow;
pub use stored::Stored;
pub use table_store::embedded::{Durability, OpenError, OpenOptions};
pub use table_store::{ETag, EdmType, ErrorCode, QueryClass, TableError, Timestamp, Uuid, Value};
pub use tables::{Blocking, Pending, Tables};
pub use transaction::Transaction;
pub use union::{TableUnion, Unknown};
pub use value::{Filterable, TableValue, ValueError};
pub use write::{DeleteTarget, Written};

pub use table_derive::{KeyPart, Projection, TableEntity, TableUnion, TableValue};

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What a program that uses tables needs in scope.
pub mod prelude {
    pub use crate::{
        Cursor, Date, Entity, EntityKey, Error, FromRow, KeyPart, MultiPoint, Page, Projection, Query,
        Result, Stored, TableEntity, TableUnion, TableValue, Tables, Timestamp, Uuid,
    };
}

//! Wire formats. The reader and the writer of a format are in the same file.

pub mod acl;
pub mod batch;
pub mod blobs;
pub mod continuation;
pub mod entity;
pub mod fields;
pub mod http_date;
mod json;
pub mod level;
mod listing;
pub mod metadata;
pub mod odata_error;
pub mod operation;
pub mod path;
pub mod query_string;
pub mod queues;
pub mod service_properties;
pub mod stats;
pub mod storage_error;
pub mod tables;
pub mod value;
pub mod xml;

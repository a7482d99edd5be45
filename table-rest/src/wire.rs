//! Forms on the wire. What one side writes the other reads, so both directions of a form stand in one file.

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

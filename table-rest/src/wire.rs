//! Forms on the wire. What one side writes the other reads, so both directions of a form stand in one file.

pub mod continuation;
pub mod entity;
pub mod http_date;
mod json;
pub mod level;
pub mod odata_error;
pub mod path;
pub mod query_string;
pub mod storage_error;
pub mod tables;
pub mod value;
pub mod xml;

//! Forms on the wire. What one side writes the other reads, so both directions of a form stand in one file.

pub mod http_date;
pub mod query_string;
pub mod storage_error;
pub mod xml;

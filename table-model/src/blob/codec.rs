//! Encoding of the parts of the records of blobs that all backends have.

mod headers;
mod lease;
mod tags;

pub use headers::{LEASED, TAGGED, push_headers, read_headers, type_code, type_of};
pub use lease::{push_lease, read_lease};
pub use tags::{push_tags, read_tags};

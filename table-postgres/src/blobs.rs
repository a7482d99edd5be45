//! Blobs: rows of containers, blobs and snapshots, and content in chunks.
//!
//! Content is written first, under a new id and as garbage. A short transaction then decides by the rules of
//! [`BlobState`](table_model::blob::BlobState), makes the content part of a blob, and the replaced content garbage. Later
//! writers remove garbage in steps, an hour after it became garbage, unless a row refers to it again.

mod block;
mod containers;
mod content;
mod copy;
mod delete;
mod find;
mod listing;
mod put;
mod read;
mod reader;
mod record;
mod service;
mod statements;
mod sweep;
mod upload;
mod work;

pub(crate) use containers::ContainerChange;
pub(crate) use statements::{CREATE, Statements, explained};

//! `tables mcp`, as a process with a scripted client.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of a test fails as a test does")]

mod client;
mod designs;
mod interrupted;
mod reads;
mod session;
mod writes;

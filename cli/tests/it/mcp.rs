//! `tables mcp`, as a process with a scripted client.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test fails as a test does"
)]
#![expect(clippy::needless_pass_by_value, reason = "arguments are written where they are passed")]

mod client;
mod designs;
mod interrupted;
mod reads;
mod session;
mod writes;

//! The tests of the helpdesk, in one binary.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on says why")]

mod api;
mod backends;
mod chapter;

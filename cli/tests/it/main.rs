//! The integration tests of `table-cli`, in one binary.

mod data;
mod design;
mod emulator;
mod expire;
mod explore;
mod html;
mod json;
mod location;
#[cfg(feature = "mcp")]
mod mcp;
mod migrate;
mod serve;
mod shell;
mod verify;

//! The integration tests of `table-cli`, in one binary.

mod data;
mod design;
mod emulator;
mod html;
mod location;
mod migrate;
mod serve;
mod shell;
mod verify;

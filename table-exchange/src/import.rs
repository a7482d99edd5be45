//! Import of lines into a table: each window is split into transactions that run concurrently.

mod mode;
mod send;
mod window;

pub use mode::Mode;
pub use send::{Import, Refused, Sent};
pub use window::{Window, Windows};

//! Lines into a table: windows of them, each a few transactions that are under way at the same time.

mod mode;
mod send;
mod window;

pub use mode::Mode;
pub use send::{Import, Refused, Sent};
pub use window::{Window, Windows};

//! Who may use the explorer: one person, with the start token, from pages of the explorer.

mod gate;
mod secret;
mod session;

pub(crate) use gate::{Gate, Refused};
pub(crate) use session::Session;

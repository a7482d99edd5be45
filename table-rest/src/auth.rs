//! Who may do what: strings to sign, signatures, and what an operation needs.

mod need;

pub use need::{Need, ResourceType};

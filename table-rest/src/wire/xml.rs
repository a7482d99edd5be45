//! XML in the subset of the services: small documents of elements and text.
//!
//! Input is untrusted. Document types, and therefore custom entities, are rejected. Documents that are too large, too
//! deeply nested or have too many elements are rejected as well: see [`Limits`].

mod characters;
mod element;
mod reader;
mod writer;

pub(crate) use characters::is_legal;
pub use element::Element;
pub use reader::{Limits, parse};
pub use writer::Writer;

#[cfg(test)]
mod tests;

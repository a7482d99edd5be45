//! XML as the services speak it: small documents of elements and text.
//!
//! What comes in is not trusted. A document type, and with it every entity of one's own, is refused, and so is what is
//! too long, too deep, or made of too many pieces: see [`Limits`].

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

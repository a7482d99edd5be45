//! Shared code of the fuzz targets: small inputs derived from bytes, and simple reference implementations to compare
//! with.

pub mod edits;
pub mod filters;
pub mod keys;
pub mod stores;
pub mod texts;
pub mod values;

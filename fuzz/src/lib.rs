//! What the fuzz targets share: small inputs made from bytes, and second, plain answers to compare the crates' with.

pub mod filters;
pub mod keys;
pub mod stores;
pub mod texts;
pub mod values;

//! The resolved input of each derive: the model for code generation, with all defaults applied and all names
//! determined.

pub(crate) mod build;
pub(crate) mod design;
pub mod entity;
mod feed;
mod index;
mod lookup;
pub mod nested;
pub mod newtype;
mod repair;
pub mod union;

pub use crate::parse::{projection::ProjectionInput, task::TaskInput};

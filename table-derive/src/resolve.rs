//! Applies defaults and determines names, which turns the input into the model for code generation.

pub(crate) mod build;
pub(crate) mod design;
pub(crate) mod entity;
mod feed;
mod index;
mod lookup;
pub(crate) mod newtype;
pub(crate) mod repair;
pub(crate) mod union;

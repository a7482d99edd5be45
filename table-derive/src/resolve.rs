//! Defaults applied, names decided: what the user said becomes what will be written.

pub(crate) mod build;
pub(crate) mod design;
pub(crate) mod entity;
mod feed;
mod index;
mod lookup;
pub(crate) mod newtype;
pub(crate) mod repair;
pub(crate) mod union;

//! Changes of entities: values in forms, differences from the stored entity, and baskets.

mod basket;
mod change;
mod draft;
mod field;
mod maintained;
mod merge;
mod send;
mod state;
mod typed;

pub(crate) use basket::{Basket, Entry};
pub(crate) use change::{Change, applied, differences};
pub(crate) use draft::Draft;
pub(crate) use field::{Field, Stored};
pub(crate) use maintained::maintained;
pub(crate) use merge::{Line, Side, lines};
pub(crate) use send::{Failure, send};
pub(crate) use state::Edits;
pub(crate) use typed::Kind;

//! Values that entities keep in the row of another, their sink: counts, sums, extremes, copies of fields.
//!
//! The sink's row can exist without its entity, for as long as there is something to keep. No reader sees it then, and its
//! state is `k`. It is no placeholder: what it contains exists nowhere else, or can only be recomputed from all sources.
//! Earlier versions marked it as a placeholder is, with `s`.

pub(crate) mod copies;
mod member;
mod row;
mod tally;

pub use member::FeedValues;
pub(crate) use member::{Member, contribution_key, contribution_of, contributions_of, sink_of};
pub(crate) use row::{SinkRow, is_placeholder, is_stub, kept, stub};
pub(crate) use tally::{Tally, added, counts_for_nothing};

use std::any::Any;

use crate::TableEntity;

/// An entity with fields that others keep: those marked `#[table(from_source)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no field that others keep",
    label = "no sink",
    note = "mark the field in `{Self}`: #[table(from_source)] employees: i64"
)]
pub trait Sink: TableEntity {
    /// The key whose fields are among these; none if one is missing, or of another type.
    #[doc(hidden)]
    fn key_among(parts: &Parts<'_>) -> Option<Self::Key>;
}

/// The fields of an entity by their names; none where an optional one is absent.
#[derive(Debug)]
pub struct Parts<'p>(&'p [(&'static str, Option<&'p dyn Any>)]);

/// A field of a key, or one that is always there.
pub fn part_of<T: 'static>(field: &T) -> Option<&dyn Any> {
    Some(field)
}

/// A field that can be absent.
pub fn part_of_option<T: 'static>(field: &Option<T>) -> Option<&dyn Any> {
    field.as_ref().map(|field| field as &dyn Any)
}

impl<'p> Parts<'p> {
    /// These fields.
    pub const fn new(parts: &'p [(&'static str, Option<&'p dyn Any>)]) -> Self {
        Self(parts)
    }

    /// The field of this name, if it is there and of this type.
    pub fn get<T: Clone + 'static>(&self, name: &str) -> Option<T> {
        let (_, part) = self.0.iter().find(|(known, _)| *known == name)?;
        (*part)?.downcast_ref::<T>().cloned()
    }

    /// Whether an optional field of this name is absent.
    pub(crate) fn lacks(&self, name: &str) -> bool {
        self.0.iter().any(|(known, part)| *known == name && part.is_none())
    }
}

//! Target entities: rows in which other entities keep values, such as counts, sums, extremes and copies of fields.
//!
//! The target row can exist without its entity, as long as it contains values. It is then invisible to readers, and its
//! state is `k`. It is not a placeholder: its values exist nowhere else, or can only be recomputed from all sources.
//! Earlier versions marked it like a placeholder, with `s`.

pub(crate) mod copies;
mod member;
mod row;
mod tally;

pub use member::ContributionValues;
pub(crate) use member::{Member, contribution_key, contribution_of, contributions_of, sink_of};
pub(crate) use row::{TargetRow, is_placeholder, stub};
pub(crate) use tally::{Tally, added, counts_for_nothing};

use std::any::Any;

use crate::TableEntity;

/// An entity type with fields that other entities maintain: those marked `#[table(from_source)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no field that is maintained from other entities",
    label = "not a target entity",
    note = "mark the field in `{Self}`: #[table(from_source)] employees: i64"
)]
pub trait TargetEntity: TableEntity {
    /// Returns the key with these field values, or `None` if a field is missing or has another type.
    #[doc(hidden)]
    fn key_among(parts: &Parts<'_>) -> Option<Self::Key>;
}

/// Fields of an entity by name. The value is `None` if an optional field is absent.
#[derive(Debug)]
pub struct Parts<'p>(&'p [(&'static str, Option<&'p dyn Any>)]);

/// Returns a key field, or another required field.
pub fn part_of<T: 'static>(field: &T) -> Option<&dyn Any> {
    Some(field)
}

/// Returns an optional field.
pub fn part_of_option<T: 'static>(field: &Option<T>) -> Option<&dyn Any> {
    field.as_ref().map(|field| field as &dyn Any)
}

impl<'p> Parts<'p> {
    /// Creates a list of fields.
    pub const fn new(parts: &'p [(&'static str, Option<&'p dyn Any>)]) -> Self {
        Self(parts)
    }

    /// Returns the field with this name, if it is present and has this type.
    pub fn get<T: Clone + 'static>(&self, name: &str) -> Option<T> {
        let (_, part) = self.0.iter().find(|(known, _)| *known == name)?;
        (*part)?.downcast_ref::<T>().cloned()
    }

    /// Returns whether an optional field with this name is absent.
    pub(crate) fn lacks(&self, name: &str) -> bool {
        self.0.iter().any(|(known, part)| *known == name && part.is_none())
    }
}

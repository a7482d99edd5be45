//! The roles of fields that an entity names: `expires = ends`, `soft_delete = deleted`. Each role has a file with all that
//! the front ends, the rules, the lock and the printed forms need. A new role requires one file, and one line in each
//! item of this file that lists them.
//!
//! Times that the library sets, `created` and `updated`, are attributes of their fields: two fields can have the same one,
//! which is a violation. See [`Stamp`](crate::design::Stamp).

mod expires;
mod soft_delete;

use crate::{
    design::{EntityDesign, FieldDesign},
    rules::Feature,
};

/// A role of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The time at which an entity expires.
    Expires,
    /// The time at which an entity was soft-deleted. While it is set, the entity has only its own row.
    SoftDelete,
}

/// What there is to say about a role.
struct Description {
    word: &'static str,
    example: &'static str,
    event: &'static str,
    types: &'static str,
    sentence: fn(&str) -> String,
    subject: &'static str,
    has: &'static str,
    is_locked: bool,
    is_set_by_library: bool,
    excluded: &'static [(Feature, &'static str)],
    unfit: fn(&EntityDesign, &FieldDesign) -> Option<Unfit>,
}

/// The reason why a field is unfit for its role, and the remedy if it is not another type.
pub(crate) type Unfit = (&'static str, Option<&'static str>);

impl Role {
    /// All roles, in the order of the attributes.
    pub const ALL: [Self; 2] = [Self::Expires, Self::SoftDelete];

    const fn description(self) -> &'static Description {
        match self {
            Self::Expires => &expires::ROLE,
            Self::SoftDelete => &soft_delete::ROLE,
        }
    }

    /// Returns the name of the attribute, which is also its key in design files and locks.
    pub const fn word(self) -> &'static str {
        self.description().word
    }

    /// Returns a field name for examples in messages.
    pub const fn example(self) -> &'static str {
        self.description().example
    }

    /// Returns a sentence about entities with the role, for the documentation of their struct.
    pub fn sentence(self, field: &str) -> String {
        (self.description().sentence)(field)
    }

    /// Returns the role as a reason: "it has soft deletes".
    pub const fn has(self) -> &'static str {
        self.description().has
    }

    /// Returns whether a lock contains the role, because it decides which rows an entity has.
    pub const fn is_locked(self) -> bool {
        self.description().is_locked
    }

    /// Returns whether only verbs of the library set the field, and no patch.
    pub const fn is_set_by_library(self) -> bool {
        self.description().is_set_by_library
    }

    /// Returns what happens at the time that the field contains.
    pub const fn event(self) -> &'static str {
        self.description().event
    }

    /// Returns the types that the field can have.
    pub const fn types(self) -> &'static str {
        self.description().types
    }

    /// Returns the role as the subject of a sentence.
    pub(crate) const fn subject(self) -> &'static str {
        self.description().subject
    }

    /// Returns the patterns that an entity with the role cannot have, each with its remedy.
    pub(crate) const fn excluded(self) -> &'static [(Feature, &'static str)] {
        self.description().excluded
    }

    /// Returns why a time field is unfit for this role.
    pub(crate) fn unfit(self, design: &EntityDesign, field: &FieldDesign) -> Option<Unfit> {
        (self.description().unfit)(design, field)
    }
}

/// The names of the fields with a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles([Option<String>; Role::ALL.len()]);

impl Roles {
    /// Returns the field with a role.
    pub fn get(&self, role: Role) -> Option<&str> {
        self.0.get(role as usize)?.as_deref()
    }

    /// Sets the field with a role.
    pub fn set(&mut self, role: Role, field: Option<String>) {
        if let Some(slot) = self.0.get_mut(role as usize) {
            *slot = field;
        }
    }

    /// Returns the roles and their fields, in the order of the attributes.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &str)> {
        Role::ALL.into_iter().filter_map(|role| Some((role, self.get(role)?)))
    }

    /// Returns the fields, for a rename.
    pub fn fields_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.0.iter_mut().flatten()
    }
}

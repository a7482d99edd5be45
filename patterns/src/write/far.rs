//! The rows in other partitions that follow a write.

use super::{New, Old};
use crate::{
    derived::DerivedRow,
    follow::canary::{Canary, is_broken},
    kinds::Kind,
    outbox::{Role, Touch},
};

/// Which rows in other partitions may be wrong once a write is done.
#[derive(Clone, Debug)]
pub(crate) struct Far {
    pub(crate) touches: Vec<Touch>,
    /// The entity, so that the rows can be followed by its name.
    pub(crate) kind: Option<Kind>,
}

impl Far {
    pub(crate) const NONE: Self = Self { touches: Vec::new(), kind: None };

    /// Of the state that was read, and of the one that is to be. Also a row that stays where it is: what it shows changes.
    pub(crate) fn of(old: Option<&Old>, new: Option<&New>) -> Self {
        let kind = new.and_then(New::kind).or_else(|| old.and_then(Old::kind));
        let Some(kind) = kind else { return Self::NONE };
        let name = kind.design.name;
        let mut touches = Vec::new();
        if let Some(new) = new {
            let rows = new.derived().filter(|(index, _)| !index.near);
            touches.extend(
                rows.map(|(index, row)| Touch::new(name, index, Role::New, row, &new.address.row_key)),
            );
        }
        if let Some(old) = old.filter(|_| !is_broken(Canary::NoOldRows)) {
            let stays =
                |row: &DerivedRow| new.is_some_and(|new| new.derived().any(|(_, other)| other.is_at(row)));
            let rows = old.derived().filter(|(index, row)| !index.near && !stays(row));
            touches.extend(
                rows.map(|(index, row)| Touch::new(name, index, Role::Old, row, &old.address.row_key)),
            );
        }
        Self { touches, kind: Some(kind) }
    }

    /// Of a patch that sets some properties of what was read: the rows that hold one of them.
    pub(crate) fn of_patch(old: &Old, holds: impl Fn(&str) -> bool) -> Self {
        let Some(kind) = old.kind() else { return Self::NONE };
        let held = old.derived().filter(|(index, _)| !index.near && index.property_names().any(&holds));
        let touches = held
            .map(|(index, row)| Touch::new(kind.design.name, index, Role::New, row, &old.address.row_key));
        Self { touches: touches.collect(), kind: Some(kind) }
    }
}

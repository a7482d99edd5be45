//! Updates of rows in other partitions that follow a write.

use super::{New, Old};
use crate::{
    derived::DerivedRow,
    kinds::{Kind, Rule},
    outbox::{Role, Touch},
    sink::copies,
};

/// Rows in other partitions that may be out of date after a write.
#[derive(Clone, Debug)]
pub(crate) struct Far {
    pub(crate) touches: Vec<Touch>,
    /// The entity type, so that the rows can be updated by its name.
    pub(crate) kind: Option<Kind>,
}

impl Far {
    pub(crate) const NONE: Self = Self { touches: Vec::new(), kind: None };

    /// Determines the rows from the old state and the new state. Includes rows that keep their key, because their
    /// content changes.
    pub(crate) fn of(old: Option<&Old>, new: Option<&New>) -> Self {
        let kind = new.and_then(New::kind).or_else(|| old.and_then(Old::kind));
        let Some(kind) = kind else { return Self::NONE };
        let touch = |rule: Rule, role, row: &DerivedRow, row_key: &str| {
            Touch::new(kind.design.name, rule.name(), role, row, row_key)
        };
        let mut touches = Vec::new();
        if let Some(new) = new {
            // Lists contain no entity properties, so an entity that remains in a list requires no change.
            let is_same = |rule: Rule, row: &DerivedRow| {
                matches!(rule, Rule::Index(_, index) if index.lookup.is_some())
                    && old.is_some_and(|old| far(kind, old.rows()).any(|(_, other)| other.is_at(row)))
            };
            let rows = far(kind, new.rows()).filter(|(rule, row)| !is_same(*rule, row));
            touches.extend(rows.map(|(rule, row)| touch(rule, Role::New, row, &new.address.row_key)));
        }
        if let Some(old) = old {
            let stays = |row: &DerivedRow| {
                new.is_some_and(|new| far(kind, new.rows()).any(|(_, other)| other.is_at(row)))
            };
            let rows = far(kind, old.rows()).filter(|(_, row)| !stays(row));
            touches.extend(rows.map(|(rule, row)| touch(rule, Role::Old, row, &old.address.row_key)));
        }
        Self { touches, kind: Some(kind) }
    }

    /// Determines the rows for a patch of an entity that was read: rows that contain or depend on a changed property.
    pub(crate) fn of_patch(old: &Old, holds: impl Fn(&str) -> bool) -> Self {
        let Some(kind) = old.kind() else { return Self::NONE };
        let is_changed = |rule: Rule, row: &DerivedRow| match rule {
            Rule::Index(_, index) => index.property_names().any(&holds),
            // A contribution that is zero so far may change. A patch cannot change copied fields.
            Rule::Feed(_, feed) => {
                feed.totals.iter().filter_map(|total| total.of).any(&holds)
                    || copies::are_changed(feed, &row.properties, &holds)
            }
        };
        let rows = kind.rules_of(old.rows()).filter(|(rule, _)| rule.is_far(kind.design));
        let held = rows.filter(|(rule, row)| is_changed(*rule, row));
        let touches = held.map(|(rule, row)| {
            Touch::new(kind.design.name, rule.name(), Role::New, row, &old.address.row_key)
        });
        Self { touches: touches.collect(), kind: Some(kind) }
    }
}

/// Returns the required rows in other partitions.
fn far(kind: Kind, rows: &[DerivedRow]) -> impl Iterator<Item = (Rule, &DerivedRow)> {
    kind.rules_of(rows).filter(move |(rule, row)| {
        rule.is_far(kind.design) && (matches!(rule, Rule::Index(..)) || row.adds())
    })
}

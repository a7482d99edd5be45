//! Updates of rows in other partitions that follow a write.

use super::{Change, New, Patched, Pattern, States, Write, properties_mut};
use crate::{
    Error,
    core::{
        copies,
        derived_row::DerivedRow,
        entity_types::EntityInfo,
        index_state::Duty,
        old::Old,
        outbox::{AffectedRow, Role},
        rule::Rule,
    },
};

/// Rows in other partitions that may be out of date after a write.
#[derive(Clone, Debug)]
pub(crate) struct CrossPartition {
    pub(crate) touches: Vec<AffectedRow>,
    /// The entity type, so that the rows can be updated by its name.
    pub(crate) kind: EntityInfo,
}

/// Updates in other partitions, which follow from indexes, contributions and blobs alike.
#[derive(Debug)]
pub(crate) struct Following;

impl Pattern for Following {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        let (old, new) = states.of_row();
        if let Some(far) = CrossPartition::of(old, new.as_deref()) {
            write.add(far);
        }
        Ok(())
    }

    fn patch(&self, patch: &mut Patched<'_>, write: &mut Write) -> Result<(), Error> {
        let Some(properties) = properties_mut(&mut write.operation) else { return Ok(()) };
        let far =
            patch.loaded.and_then(|old| CrossPartition::of_patch(old, |name| properties.get(name).is_some()));
        if let Some(far) = far {
            write.add(far);
        }
        Ok(())
    }
}

impl Change for CrossPartition {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_alone(&self) -> bool {
        self.touches.is_empty()
    }

    fn bytes(&self) -> usize {
        self.touches.iter().map(AffectedRow::size).sum()
    }

    fn touches(&self) -> &[AffectedRow] {
        &self.touches
    }

    fn kind(&self) -> Option<EntityInfo> {
        Some(self.kind)
    }

    fn regulate(&mut self, duty: &dyn Fn(&str) -> Duty) {
        self.touches.retain_mut(|touch| match duty(&touch.maker.index) {
            Duty::Full => true,
            Duty::None => false,
            Duty::Remove => {
                // A worker that applies this creates no missing row.
                touch.role = Role::Old;
                true
            }
        });
    }
}

impl CrossPartition {
    /// Creates an empty list of rows of an entity type.
    pub(crate) const fn nothing(kind: EntityInfo) -> Self {
        Self { touches: Vec::new(), kind }
    }

    /// Determines the rows from the old state and the new state. Includes rows that keep their key, because their
    /// content changes.
    pub(crate) fn of(old: Option<&Old>, new: Option<&New>) -> Option<Self> {
        let kind = new.and_then(New::kind).or_else(|| old.and_then(Old::kind))?;
        let touch = |rule: Rule, role, row: &DerivedRow, row_key: &str| {
            AffectedRow::new(kind.newest().stored_name(), rule.name(), role, row, row_key)
        };
        let mut touches = Vec::new();
        if let Some(new) = new {
            // Lists contain no entity properties, so an entity that remains in a list requires no change.
            let is_same = |rule: Rule, row: &DerivedRow| {
                rule.index().is_some_and(|index| index.lookup.is_some())
                    && old.is_some_and(|old| far(old.rows()).any(|(_, other)| other.is_in_list(row)))
            };
            let rows = far(new.rows()).filter(|(rule, row)| !is_same(*rule, row));
            touches.extend(rows.map(|(rule, row)| touch(rule, Role::New, row, &new.address.row_key)));
        }
        if let Some(old) = old {
            let stays =
                |row: &DerivedRow| new.is_some_and(|new| far(new.rows()).any(|(_, other)| other.is_at(row)));
            let rows = far(old.rows()).filter(|(_, row)| !stays(row));
            touches.extend(rows.map(|(rule, row)| touch(rule, Role::Old, row, &old.address.row_key)));
        }
        Some(Self { touches, kind })
    }

    /// Determines the rows for a patch of an entity that was read: rows that contain or depend on a changed property.
    pub(crate) fn of_patch(old: &Old, holds: impl Fn(&str) -> bool) -> Option<Self> {
        let kind = old.kind()?;
        let is_changed = |rule: Rule, row: &DerivedRow| match rule {
            Rule::Index(_, index) => index.property_names().any(&holds),
            // A contribution that is zero so far may change. A patch cannot change copied fields.
            Rule::Contribution(_, feed) => {
                feed.totals.iter().filter_map(|total| total.of).any(&holds)
                    || copies::are_changed(feed, &row.properties, &holds)
            }
        };
        let rows = old.rows().iter().map(|row| (row.rule, row)).filter(|(rule, _)| rule.is_far());
        let held = rows.filter(|(rule, row)| is_changed(*rule, row));
        let touches = held.map(|(rule, row)| {
            AffectedRow::new(kind.newest().stored_name(), rule.name(), Role::New, row, &old.address.row_key)
        });
        Some(Self { touches: touches.collect(), kind })
    }
}

/// Returns the required rows in other partitions.
fn far(rows: &[DerivedRow]) -> impl Iterator<Item = (Rule, &DerivedRow)> {
    let far = rows.iter().filter(|row| row.rule.is_far() && (row.rule.index().is_some() || row.adds()));
    far.map(|row| (row.rule, row))
}

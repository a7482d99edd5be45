//! The work items of a commit record, which are applied independently.

use std::collections::BTreeMap;

use super::primary::Primary;
use crate::{
    Address, Pending, Tables,
    core::{
        entity_types::EntityInfo,
        outbox::{AffectedRow, Role},
        rule::Rule,
    },
};

/// An entry of a commit record: a row, the contribution of an entity to an aggregate, or a blob. The row can belong to
/// several rules, if versions of the type store the rows of one rule in different forms: each of them is an entry.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'c> {
    pub(crate) kind: EntityInfo,
    /// Rule that derives the row. `None` for a blob.
    pub(crate) rule: Option<Rule>,
    pub(crate) touch: &'c AffectedRow,
    /// Address of the entity that the row is derived from.
    pub(crate) entity: Address,
}

/// A work item: one row, the contribution of one entity to an aggregate, a blob, or all changes to one list.
pub(crate) trait Work<'c>: Send {
    fn role(&self) -> Role;

    /// Returns the partition of the aggregate that the item contributes to. Such items are applied one after the other,
    /// because they would conflict with each other.
    fn target(&self) -> Option<&'c str> {
        None
    }

    /// Reads the row versions and creates placeholder rows.
    fn fence<'a>(&'a mut self, tables: &'a Tables) -> Pending<'a, ()>
    where
        'c: 'a;

    /// Applies the work item according to the entities, based on the state that [`fence`](Self::fence) read.
    fn conclude<'a>(
        &'a mut self,
        tables: &'a Tables,
        token: &'a str,
        primaries: &'a Primaries<'c>,
    ) -> Pending<'a, ()>
    where
        'c: 'a;
}

/// Work items with the indexes of their first entries.
pub(crate) type Works<'c> = Vec<(usize, Box<dyn Work<'c> + 'c>)>;

/// Key of an entity in a record: its type name and its RowKey.
pub(crate) type Name<'c> = (&'c str, &'c str);

/// The entities named in a record.
pub(crate) type Primaries<'c> = BTreeMap<Name<'c>, Primary>;

/// Returns the name of the entity that a row is derived from.
pub(crate) fn name(touch: &AffectedRow) -> Name<'_> {
    (&touch.maker.entity, &touch.row_key)
}

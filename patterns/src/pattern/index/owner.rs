//! Owners of the rows of unique indexes in the partition of the entity.
//!
//! Two entities can have the same unique value if both had it before the index was declared, or if a client bypassed
//! the library. The row belongs to one of them. A write of the other entity must not change it. No condition of the
//! service expresses this, so the row is read first.
//!
//! If the row belongs to the entity, only a write of the entity changes it, and the ETag of the entity detects that. If
//! the row does not exist, the operation requires that it still does not exist.

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{IndexRow, IndexRows};
use crate::{
    Address, Error, Pending, Tables,
    core::{entity_types::EntityInfo, old::Old, rule::Rule},
    write::Write,
};

/// Number of rows that are read concurrently.
const AT_ONCE: usize = 16;

/// The entity that a row must belong to.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    kind: EntityInfo,
    rule: Rule,
    entity: Address,
}

impl Owner {
    /// Returns the owner of an existing row of a unique index. The key of any other index contains the key of the
    /// entity.
    pub(super) fn of(old: &Old, rule: Rule) -> Option<Self> {
        let kind = old.entity().filter(|_| rule.index().is_some_and(|index| index.unique))?;
        Some(Self { kind, rule, entity: old.address.clone() })
    }

    /// Reads the row.
    async fn find(&self, tables: &Tables, row: Address) -> Result<Found, Error> {
        let rows = tables.read(&row, None).await?;
        let Some(row) = rows.get(0) else { return Ok(Found::Nothing) };
        let is_another = self.kind.is_of_other_type(row)
            || self.kind.owner(self.rule, row).is_some_and(|owner| owner != self.entity);
        Ok(if is_another { Found::Another } else { Found::Own })
    }
}

/// Row that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A row of the entity.
    Own,
    /// A row of another entity.
    Another,
    Nothing,
}

/// Removes the operations on rows that belong to other entities from the writes.
pub(super) async fn settle(tables: &Tables, writes: &mut [Write]) -> Result<(), Error> {
    let mut reads: Vec<Pending<'_, Found>> = Vec::new();
    for write in &*writes {
        for row in write.change::<IndexRows>().into_iter().flat_map(|change| &change.rows) {
            if let Some(owner) = row.unchecked() {
                reads.push(Box::pin(owner.find(tables, address(write, row))));
            }
        }
    }
    let found: Vec<Found> = stream::iter(reads).buffered(AT_ONCE).try_collect().await?;
    let mut found = found.into_iter();
    for change in writes.iter_mut().filter_map(Write::change_mut::<IndexRows>) {
        change.leave(|| found.next());
    }
    Ok(())
}

fn address(write: &Write, row: &IndexRow) -> Address {
    let (partition_key, row_key) = (row.operation.partition_key(), row.operation.row_key());
    Address {
        table: write.table.clone(),
        partition_key: partition_key.to_owned(),
        row_key: row_key.to_owned(),
    }
}

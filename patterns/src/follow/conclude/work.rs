//! The work items of a commit record, which are applied independently.

use std::collections::BTreeMap;

use super::{Name, name, source};
use crate::{
    Address, Error, Pending, Tables,
    core::kinds::{Kind, Rule},
    design::Feed,
    follow::{
        copy::{self, Primary},
        outbox::{Commit, Role, Touch},
        seen::Seen,
    },
    pattern::{
        aggregate::apply as total,
        large::apply as blob,
        lookup::apply::{Holder, List, SeenList},
    },
};

/// A work item: one row, the contribution of one entity to an aggregate, a released blob, or all changes to one list.
pub(super) enum Work<'c> {
    Row(Kind, usize, &'c Touch, Address),
    Total(Kind, (usize, &'static Feed), &'c Touch, Address),
    Blob(&'c Touch),
    List(&'c str, List<'c>),
}

/// State of a work item's row, list or contribution before the entities were read.
pub(super) enum SeenWork<'c> {
    Row(Seen),
    Total(total::Seen),
    Blob,
    List(SeenList<'c>),
}

/// Returns the work items of a record for registered entity types.
pub(super) fn works<'c>(commit: &'c Commit, kinds: &BTreeMap<&'c str, Kind>) -> Result<Vec<Work<'c>>, Error> {
    let mut works: Vec<Work<'c>> = Vec::with_capacity(commit.touches.len());
    for touch in &commit.touches {
        if touch.is_blob() {
            works.push(Work::Blob(touch));
            continue;
        }
        let name = touch.maker.entity.as_str();
        let Some(kind) = kinds.get(name).copied() else { continue };
        let entity = source(commit, touch);
        let (number, index) = match kind.rule(&touch.maker.index) {
            Some(Rule::Index(number, index)) => (number, index),
            Some(Rule::Feed(number, feed)) => {
                works.push(Work::Total(kind, (number, feed), touch, entity));
                continue;
            }
            None => continue,
        };
        let Some(holder) = Holder::of(kind.design, index, &touch.address)? else {
            works.push(Work::Row(kind, number, touch, entity));
            continue;
        };
        let known = works.iter_mut().find_map(|work| match work {
            Work::List(_, list) if list.is(&holder, touch) => Some(list),
            _ => None,
        });
        if let Some(list) = known {
            list.push(touch, entity);
        } else {
            works.push(Work::List(name, List::new(kind, number, holder, (touch, entity))));
        }
    }
    Ok(works)
}

impl<'c> Work<'c> {
    pub(super) const fn role(&self) -> Role {
        match self {
            Self::Row(_, _, touch, _) | Self::Total(_, _, touch, _) | Self::Blob(touch) => touch.role,
            Self::List(_, list) => list.role(),
        }
    }

    /// Returns the partition of the aggregate that the item contributes to.
    pub(super) fn sink(&self) -> Option<&str> {
        match self {
            Self::Total(_, _, touch, _) => Some(touch.address.partition_key()),
            _ => None,
        }
    }

    /// Reads the row versions and creates placeholder rows.
    pub(super) fn fence<'a>(&'a self, tables: &'a Tables) -> Pending<'a, SeenWork<'c>> {
        match self {
            Self::Row(_, _, touch, entity) => {
                Box::pin(async move { copy::fence(tables, touch, entity).await.map(SeenWork::Row) })
            }
            Self::Total(_, _, touch, entity) => {
                Box::pin(async move { total::fence(tables, touch, entity).await.map(SeenWork::Total) })
            }
            Self::Blob(_) => Box::pin(async { Ok(SeenWork::Blob) }),
            Self::List(_, list) => Box::pin(async move { list.fence(tables).await.map(SeenWork::List) }),
        }
    }

    /// Applies the work item according to the entities.
    pub(super) fn conclude<'a>(
        &'a self,
        tables: &'a Tables,
        token: &'a str,
        seen: SeenWork<'c>,
        primaries: &'a BTreeMap<Name<'c>, Primary>,
    ) -> Pending<'a, ()> {
        Box::pin(async move {
            match (self, seen) {
                (Self::Row(kind, number, touch, _), SeenWork::Row(seen)) => match primaries.get(&name(touch))
                {
                    Some(primary) => {
                        copy::conclude(tables, (*kind, *number), touch, token, seen, primary).await
                    }
                    None => Ok(()),
                },
                (Self::Total(kind, feed, touch, _), SeenWork::Total(seen)) => {
                    match primaries.get(&name(touch)) {
                        Some(primary) => total::conclude(tables, *kind, *feed, touch, seen, primary).await,
                        None => Ok(()),
                    }
                }
                (Self::Blob(touch), SeenWork::Blob) => {
                    blob::conclude(tables, touch, primaries.get(&name(touch))).await
                }
                (Self::List(of, list), SeenWork::List(seen)) => {
                    let own = primaries.iter().filter(|((name, _), _)| name == of);
                    let own = own.map(|((_, row_key), primary)| (*row_key, primary)).collect();
                    list.conclude(tables, token, seen, &own).await
                }
                _ => Ok(()),
            }
        })
    }
}

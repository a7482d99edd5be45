//! Application of a commit record to a contribution in another partition.

use super::apply::{self, Seen};
use crate::{
    Address, Pending, Tables,
    core::{
        entity_types::EntityInfo,
        outbox::{AffectedRow, Role},
        rule::Rule,
    },
    write::work::{Entry, Primaries, Work, Works, name},
};

/// The contribution of one entity to an aggregate.
#[derive(Debug)]
struct ContributionWork<'c> {
    kind: EntityInfo,
    rule: Rule,
    touch: &'c AffectedRow,
    entity: Address,
    seen: Option<Seen>,
}

/// Returns the work items of contributions.
pub(super) fn works<'c>(entries: &[Entry<'c>]) -> Works<'c> {
    let mut works = Works::new();
    for (at, entry) in entries.iter().enumerate() {
        let Some(rule @ Rule::Contribution(..)) = entry.rule else { continue };
        let Entry { kind, touch, entity, .. } = entry.clone();
        let work = ContributionWork { kind, rule, touch, entity, seen: None };
        works.push((at, Box::new(work)));
    }
    works
}

impl<'c> Work<'c> for ContributionWork<'c> {
    fn role(&self) -> Role {
        self.touch.role
    }

    fn target(&self) -> Option<&'c str> {
        let touch: &'c AffectedRow = self.touch;
        Some(touch.address.partition_key())
    }

    fn fence<'a>(&'a mut self, tables: &'a Tables) -> Pending<'a, ()>
    where
        'c: 'a,
    {
        Box::pin(async move {
            self.seen = Some(apply::fence(tables, self.touch, &self.entity).await?);
            Ok(())
        })
    }

    fn conclude<'a>(
        &'a mut self,
        tables: &'a Tables,
        _token: &'a str,
        primaries: &'a Primaries<'c>,
    ) -> Pending<'a, ()>
    where
        'c: 'a,
    {
        Box::pin(async move {
            let primary = primaries.get(&name(self.touch));
            let Some((seen, primary)) = self.seen.take().zip(primary) else { return Ok(()) };
            apply::conclude(tables, (self.kind, self.rule), self.touch, seen, primary).await
        })
    }
}

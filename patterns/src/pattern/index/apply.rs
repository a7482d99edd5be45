//! Application of a commit record to an index row in another partition.

use crate::{
    Address, Pending, Tables,
    apply::{copy, seen::Seen},
    core::{
        entity_types::EntityInfo,
        outbox::{AffectedRow, Role},
        rule::Rule,
    },
    write::work::{Entry, Primaries, Work, name},
};

/// One row of an index.
#[derive(Debug)]
pub(crate) struct RowWork<'c> {
    kind: EntityInfo,
    rule: Rule,
    touch: &'c AffectedRow,
    entity: Address,
    seen: Option<Seen>,
}

impl<'c> RowWork<'c> {
    pub(crate) fn of(entry: &Entry<'c>, rule: Rule) -> Self {
        let Entry { kind, touch, entity, .. } = entry.clone();
        Self { kind, rule, touch, entity, seen: None }
    }
}

impl<'c> Work<'c> for RowWork<'c> {
    fn role(&self) -> Role {
        self.touch.role
    }

    fn fence<'a>(&'a mut self, tables: &'a Tables) -> Pending<'a, ()>
    where
        'c: 'a,
    {
        Box::pin(async move {
            self.seen = Some(copy::fence(tables, self.kind, self.touch, &self.entity).await?);
            Ok(())
        })
    }

    fn conclude<'a>(
        &'a mut self,
        tables: &'a Tables,
        token: &'a str,
        primaries: &'a Primaries<'c>,
    ) -> Pending<'a, ()>
    where
        'c: 'a,
    {
        Box::pin(async move {
            let primary = primaries.get(&name(self.touch));
            let Some((seen, primary)) = self.seen.take().zip(primary) else { return Ok(()) };
            copy::conclude(tables, (self.kind, self.rule), self.touch, token, seen, primary).await
        })
    }
}

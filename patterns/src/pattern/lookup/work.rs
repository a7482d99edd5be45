//! Application of a commit record to lists in other partitions.

use super::apply::{Holder, List, SeenList};
use crate::{
    Error, Pending, Tables,
    core::{outbox::Role, rule::Rule},
    pattern::index::RowWork,
    write::work::{Entry, Primaries, Work, Works},
};

/// All changes to one list.
#[derive(Debug)]
struct ListWork<'c> {
    list: List<'c>,
    seen: Option<SeenList<'c>>,
}

/// Returns the work items of lookups: one for each list, or for each row if the lookup has no lists.
pub(super) fn works<'c>(entries: &[Entry<'c>]) -> Result<Works<'c>, Error> {
    let (mut works, mut lists) = (Works::new(), Vec::<(usize, ListWork<'c>)>::new());
    for (at, entry) in entries.iter().enumerate() {
        let Some(rule @ Rule::Index(design, index)) = entry.rule.filter(is_lookup) else { continue };
        let Some(holder) = Holder::of(design, index, &entry.touch.address)? else {
            works.push((at, Box::new(RowWork::of(entry, rule))));
            continue;
        };
        let change = (entry.touch, entry.entity.clone());
        if let Some((_, work)) = lists.iter_mut().find(|(_, work)| work.list.is(&holder, entry.touch)) {
            work.list.push(change.0, change.1);
        } else {
            let list = List::new(entry.kind, rule, holder, change);
            lists.push((at, ListWork { list, seen: None }));
        }
    }
    for (at, work) in lists {
        works.push((at, Box::new(work)));
    }
    Ok(works)
}

fn is_lookup(rule: &Rule) -> bool {
    matches!(rule, Rule::Index(_, index) if index.lookup.is_some())
}

impl<'c> Work<'c> for ListWork<'c> {
    fn role(&self) -> Role {
        self.list.role()
    }

    fn fence<'a>(&'a mut self, tables: &'a Tables) -> Pending<'a, ()>
    where
        'c: 'a,
    {
        Box::pin(async move {
            let seen = self.list.fence(tables).await?;
            self.seen = Some(seen);
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
            let Some(seen) = self.seen.take() else { return Ok(()) };
            let own = primaries.iter().filter(|((entity, _), _)| *entity == self.list.entity());
            let own = own.map(|((_, row_key), primary)| (*row_key, primary)).collect();
            self.list.conclude(tables, token, seen, &own).await
        })
    }
}

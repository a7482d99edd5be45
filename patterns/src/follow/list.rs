//! Members of lists that stand in one row or blob, outside of their partitions, made what the entities say.
//!
//! The fence is the version of the whole list: it is taken before the entities are read, and every conclusion writes the
//! list under it, also where nothing changes. A member shows no version of its entity, so that only the write takes their
//! hold on the list from those who read the entity earlier. A missing list has no members, and no worker has a version of it.
//!
//! The entities of a list are not one entity: another worker, which concludes for another entity, deletes the list when it
//! is empty. So while an entity may have to come in, a missing list is not an answer: the worker creates an empty one, and
//! where it is refused because there is one, it looks again.
//!
//! A list that is full is marked, and from then on never gains a member: whoever is not in it has a place of its own, a
//! row or a blob below, with a fence of its own. So nobody has a hold on a marked list with which to put a member in, and
//! it need not be written for a member that is not in it. A marked list stays, also when it is empty.

mod holder;

pub(crate) use holder::{Holder, Stock, Version};

use std::collections::BTreeMap;

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{
    ATTEMPTS,
    copy::{self, Primary},
    seen::Seen,
};
use crate::{
    Address, Error, Pending, Tables,
    kinds::Kind,
    list::{ListBlob, Pair},
    outbox::{Maker, Role, Touch},
};

/// How many are looked at at the same time.
const AT_ONCE: usize = 16;

/// All that one commit says of one list, in one role: concluded by one write where that is possible.
#[derive(Clone, Debug)]
pub(super) struct List<'c> {
    kind: Kind,
    number: usize,
    holder: Holder,
    role: Role,
    /// The lookup that all touches name.
    maker: &'c Maker,
    /// The table and the partition of the entities, as their addresses.
    touches: Vec<(&'c Touch, Address)>,
}

/// What was seen of it before the entities were read.
#[derive(Debug)]
pub(super) struct SeenList<'c> {
    stock: Option<Stock>,
    /// Whether somebody may come into it.
    gains: bool,
    /// What those that are not in a marked list have of their own.
    rows: Vec<(&'c Touch, Address, Seen)>,
    below: Vec<(List<'c>, SeenList<'c>)>,
}

/// The entities by their RowKeys.
pub(super) type Primaries<'p> = BTreeMap<&'p str, &'p Primary>;

impl<'c> List<'c> {
    /// A list of which this is the first touch.
    pub(super) fn new(
        kind: Kind,
        number: usize,
        holder: Holder,
        (touch, entity): (&'c Touch, Address),
    ) -> Self {
        let (role, maker) = (touch.role, &touch.maker);
        Self { kind, number, holder, role, maker, touches: vec![(touch, entity)] }
    }

    pub(super) const fn role(&self) -> Role {
        self.role
    }

    /// Returns whether a touch is of the same list, in the same role.
    pub(super) fn is(&self, holder: &Holder, touch: &Touch) -> bool {
        *self.maker == touch.maker && self.role == touch.role && self.holder == *holder
    }

    pub(super) fn push(&mut self, touch: &'c Touch, entity: Address) {
        self.touches.push((touch, entity));
    }

    fn of(&self, touches: Vec<(&'c Touch, Address)>) -> Self {
        Self { touches, ..self.clone() }
    }

    /// The first step of the fence: the version of the list, an empty one of our own where there is none and somebody may
    /// have to come in.
    pub(super) fn fence<'a>(&'a self, tables: &'a Tables) -> Pending<'a, SeenList<'c>> {
        Box::pin(async move {
            let (stock, gains) = self.stock(tables).await?;
            let mut seen = SeenList { stock, gains, rows: Vec::new(), below: Vec::new() };
            let Some(stock) = seen.stock.as_ref().filter(|stock| stock.is_spilled) else { return Ok(seen) };
            let outside =
                self.touches.iter().filter(|(_, entity)| !stock.members.contains(&Pair::of(entity)));
            let outside: Vec<_> = outside.cloned().collect();
            match &self.holder {
                Holder::Row(_) => {
                    let fences = outside.into_iter().map(|(touch, entity)| async move {
                        let seen = copy::fence(tables, touch, &entity).await?;
                        Ok::<_, Error>((touch, entity, seen))
                    });
                    let fences: Vec<_> = fences.collect();
                    seen.rows = stream::iter(fences).buffered(AT_ONCE).try_collect().await?;
                }
                Holder::Blob(blob) => {
                    for list in self.below(blob, outside)? {
                        let below = list.fence(tables).await?;
                        seen.below.push((list, below));
                    }
                }
            }
            Ok(seen)
        })
    }

    /// Returns the list, and whether an entity may come into it. Then a list is only missing if the commit needs none.
    async fn stock(&self, tables: &Tables) -> Result<(Option<Stock>, bool), Error> {
        for _ in 0..ATTEMPTS {
            let stock = self.holder.read(tables).await?;
            // Asked right before, so that no entity comes into a list that was dropped meanwhile.
            let gains = tables.may_make(self.maker).await?;
            let needs_one = gains && self.role == Role::New;
            if stock.is_some() || !needs_one {
                return Ok((stock, gains));
            }
            if let Some(stock) = self.holder.put_empty(tables).await? {
                return Ok((Some(stock), gains));
            }
            // Another worker created one, and may have deleted it since.
        }
        Err(Error::Contended { address: Box::new(self.holder.address()), attempts: ATTEMPTS })
    }

    fn below(&self, blob: &ListBlob, touches: Vec<(&'c Touch, Address)>) -> Result<Vec<Self>, Error> {
        let mut lists: Vec<Self> = Vec::new();
        for (touch, entity) in touches {
            let holder = Holder::Blob(blob.below(&Pair::of(&entity))?);
            if let Some(list) = lists.iter_mut().find(|list| list.holder == holder) {
                list.push(touch, entity);
            } else {
                lists.push(Self { holder, ..self.of(vec![(touch, entity)]) });
            }
        }
        Ok(lists)
    }

    /// Concludes all of it: from what was seen before the entities were read, and where that was overtaken, from the start.
    pub(super) async fn conclude(
        &self,
        tables: &Tables,
        token: &str,
        seen: SeenList<'c>,
        primaries: &Primaries<'_>,
    ) -> Result<(), Error> {
        let mut again = self.act(tables, token, seen, primaries).await?;
        for _ in 0..ATTEMPTS {
            if again.is_empty() {
                return Ok(());
            }
            let rest = self.of(again);
            let seen = rest.fence(tables).await?;
            let read = rest.primaries(tables).await?;
            let primaries = read.iter().map(|primary| (primary.address.row_key.as_str(), primary)).collect();
            again = rest.act(tables, token, seen, &primaries).await?;
        }
        let address = again.into_iter().next().map(|(touch, _)| touch.address.clone());
        address.map_or(Ok(()), |address| {
            Err(Error::Contended { address: Box::new(address), attempts: ATTEMPTS })
        })
    }

    async fn primaries(&self, tables: &Tables) -> Result<Vec<Primary>, Error> {
        let reads: Vec<_> =
            self.touches.iter().map(|(_, entity)| Primary::read(tables, self.kind, entity.clone())).collect();
        stream::iter(reads).buffered(AT_ONCE).try_collect().await
    }

    /// One attempt; what must be done again, as others were faster or the list is full now.
    fn act<'a>(
        &'a self,
        tables: &'a Tables,
        token: &'a str,
        seen: SeenList<'c>,
        primaries: &'a Primaries<'_>,
    ) -> Pending<'a, Vec<(&'c Touch, Address)>> {
        Box::pin(async move {
            let mut again = self.write(tables, (seen.stock, seen.gains), primaries).await?;
            for (touch, entity, seen) in seen.rows {
                let Some(primary) = primaries.get(entity.row_key.as_str()) else { continue };
                copy::conclude(tables, (self.kind, self.number), touch, token, seen, primary).await?;
            }
            for (list, seen) in seen.below {
                again.extend(list.act(tables, token, seen, primaries).await?);
            }
            Ok(again)
        })
    }

    /// Writes the list's own row or blob, under the version that was seen.
    async fn write(
        &self,
        tables: &Tables,
        (stock, gains): (Option<Stock>, bool),
        primaries: &Primaries<'_>,
    ) -> Result<Vec<(&'c Touch, Address)>, Error> {
        let Some(Stock { version, members: before, is_spilled: was_spilled }) = stock else {
            // It was missing for a commit that only removes. A commit that adds an entity names the list as new.
            return Ok(Vec::new());
        };
        let is_here = |entity: &Address| !was_spilled || before.contains(&Pair::of(entity));
        let here: Vec<_> = self.touches.iter().filter(|(_, entity)| is_here(entity)).cloned().collect();
        if here.is_empty() {
            return Ok(here);
        }
        let (mut members, mut again) = (before.clone(), Vec::new());
        for (touch, entity) in &here {
            let pair = Pair::of(entity);
            let primary = primaries.get(entity.row_key.as_str());
            if primary.is_none_or(|primary| primary.wants(self.number, &touch.address).is_none()) {
                members.remove(&pair);
            } else if gains && !members.insert(&pair, tables.list_room(self.holder.most())) {
                again.push((*touch, entity.clone()));
            }
        }
        let is_spilled = was_spilled || !again.is_empty();
        let is_done = if members.is_empty() && !is_spilled {
            self.holder.delete(tables, &version).await?
        } else {
            self.holder.put(tables, Some(&version), &members, is_spilled).await?.is_some()
        };
        Ok(if is_done { again } else { here })
    }
}

//! Update of lookup lists in other partitions, which store their members in one row or blob.
//!
//! The fence is the version of the complete list. It is read before the entities, and every update writes the list
//! conditionally, even if nothing changes. List members contain no entity version, so only this write invalidates the
//! list versions held by workers that read the entity earlier. A missing list has no members and no version.
//!
//! A list contains several entities, and a worker that applies a commit for another entity deletes the list when it
//! becomes empty. While an entity may have to be added, a missing list is therefore not a valid state: the worker
//! creates an empty list. If the creation fails because a list exists, the worker reads it again.
//!
//! A full list is marked as spilled and never gains members again. Every member outside it has a separate row, or a
//! blob at the next level, with a separate fence. A spilled list need not be written for a member that it does not
//! contain. A spilled list remains even when it is empty.

mod holder;

pub(crate) use holder::{Holder, Stock, Version};

use std::collections::BTreeMap;

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    Address, Error, Pending, Tables,
    apply::{ATTEMPTS, copy, seen::Seen},
    core::{
        entity_types::EntityInfo,
        list::{ListBlob, Pair},
        outbox::{AffectedRow, Maker, Role},
        rule::Rule,
    },
    write::primary::Primary,
};

/// Maximum number of rows or entities processed concurrently.
const AT_ONCE: usize = 16;

/// All changes that one commit makes to one list in one role. They are applied by one write if possible.
#[derive(Clone, Debug)]
pub(crate) struct List<'c> {
    kind: EntityInfo,
    rule: Rule,
    holder: Holder,
    role: Role,
    /// The lookup that all changes refer to.
    maker: &'c Maker,
    /// The changes with the addresses of their entities.
    touches: Vec<(&'c AffectedRow, Address)>,
}

/// State of a list before the entities were read.
#[derive(Debug)]
pub(crate) struct SeenList<'c> {
    stock: Option<Stock>,
    /// `true` if entities may be added to the list.
    gains: bool,
    /// Member rows of the entities that are not in a spilled list.
    rows: Vec<(&'c AffectedRow, Address, Seen)>,
    below: Vec<(List<'c>, SeenList<'c>)>,
}

/// Entities by RowKey.
pub(crate) type Primaries<'p> = BTreeMap<&'p str, &'p Primary>;

impl<'c> List<'c> {
    /// Creates the list with its first change.
    pub(crate) fn new(
        kind: EntityInfo,
        rule: Rule,
        holder: Holder,
        (touch, entity): (&'c AffectedRow, Address),
    ) -> Self {
        let maker = &touch.maker;
        Self { kind, rule, holder, role: touch.role, maker, touches: vec![(touch, entity)] }
    }

    /// Returns the name of the entity type that the lookup belongs to.
    pub(crate) const fn entity(&self) -> &'c str {
        self.maker.entity.as_str()
    }

    pub(crate) const fn role(&self) -> Role {
        self.role
    }

    /// Returns whether a change belongs to this list and role.
    pub(crate) fn is(&self, holder: &Holder, touch: &AffectedRow) -> bool {
        *self.maker == touch.maker && self.role == touch.role && self.holder == *holder
    }

    pub(crate) fn push(&mut self, touch: &'c AffectedRow, entity: Address) {
        self.touches.push((touch, entity));
    }

    fn of(&self, touches: Vec<(&'c AffectedRow, Address)>) -> Self {
        Self { touches, ..self.clone() }
    }

    /// First step of the fence: reads the version of the list. Creates an empty list if it is missing and an entity may
    /// have to be added.
    pub(crate) fn fence<'a>(&'a self, tables: &'a Tables) -> Pending<'a, SeenList<'c>> {
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
                        let seen = copy::fence(tables, self.kind, touch, &entity).await?;
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

    /// Returns the list, and whether entities may be added to it. The list is only missing in the result if the commit
    /// does not require it.
    async fn stock(&self, tables: &Tables) -> Result<(Option<Stock>, bool), Error> {
        for _ in 0..ATTEMPTS {
            let stock = self.holder.read(tables).await?;
            // Checked immediately before the insert, so that no entity is added to a list that was dropped
            // concurrently.
            let gains = tables.may_make(self.kind.newest(), &self.maker.index).await?;
            let needs_one = gains && self.role == Role::New;
            if stock.is_some() || !needs_one {
                return Ok((stock, gains));
            }
            if let Some(stock) = self.holder.put_empty(tables).await? {
                return Ok((Some(stock), gains));
            }
            // Another worker created the list, and may have deleted it since.
        }
        Err(Error::Contended { address: Box::new(self.holder.address()), attempts: ATTEMPTS })
    }

    fn below(&self, blob: &ListBlob, touches: Vec<(&'c AffectedRow, Address)>) -> Result<Vec<Self>, Error> {
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

    /// Applies all changes, based on the state read before the entities. If that state is outdated, retries from the
    /// start.
    pub(crate) async fn conclude(
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

    /// Makes one attempt. Returns the changes to retry, because a concurrent writer changed the list or the list is now
    /// full.
    fn act<'a>(
        &'a self,
        tables: &'a Tables,
        token: &'a str,
        seen: SeenList<'c>,
        primaries: &'a Primaries<'_>,
    ) -> Pending<'a, Vec<(&'c AffectedRow, Address)>> {
        Box::pin(async move {
            let mut again = self.write(tables, (seen.stock, seen.gains), primaries).await?;
            for (touch, entity, seen) in seen.rows {
                let Some(primary) = primaries.get(entity.row_key.as_str()) else { continue };
                copy::conclude(tables, (self.kind, self.rule), touch, token, seen, primary).await?;
            }
            for (list, seen) in seen.below {
                again.extend(list.act(tables, token, seen, primaries).await?);
            }
            Ok(again)
        })
    }

    /// Writes the list row or list blob, conditional on the version that was read.
    async fn write(
        &self,
        tables: &Tables,
        (stock, gains): (Option<Stock>, bool),
        primaries: &Primaries<'_>,
    ) -> Result<Vec<(&'c AffectedRow, Address)>, Error> {
        let Some(Stock { version, members: before, is_spilled: was_spilled }) = stock else {
            // The list is missing for a commit that only removes entities. A commit that adds an entity lists it as
            // new.
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
            if primary.is_none_or(|primary| primary.wants(self.rule, &touch.address).is_none()) {
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

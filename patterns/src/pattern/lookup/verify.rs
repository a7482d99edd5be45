//! Lists in other partitions than their members. Each is a row or a blob, and overflows to others when it is full.

use std::{collections::HashMap, sync::Arc};

use futures_util::lock::Mutex;
use table_model::ETag;

use crate::{
    Address, DifferenceKind, Error, Tables,
    apply::verdict::{ATTEMPTS, Finding, Verdict, is_unreadable, names},
    core::{derived_row::DerivedRow, entity_types::EntityInfo, list::Pair, rule::Rule},
    pattern::lookup::apply::{Holder, Stock, Version},
    write::primary::Primary,
};

/// Cache of the lists that are read while entities are checked, because most entities belong to few lists. Only
/// positive results are used; missing members are read again.
#[derive(Debug, Default)]
pub(crate) struct Holders(Mutex<HashMap<Address, Arc<Stock>>>);

impl Holders {
    /// Returns `true` if the member was in the list when it was read.
    async fn has(&self, tables: &Tables, holder: &Holder, pair: &Pair) -> Result<bool, Error> {
        let mut at = holder.clone();
        loop {
            let address = at.address();
            // Held during the read, because concurrent callers would read the same list.
            let mut known = self.0.lock().await;
            let mut stock = known.get(&address).cloned();
            if stock.is_none() {
                stock = at.read(tables).await?.map(Arc::new);
                known.extend(stock.clone().map(|stock| (address, stock)));
            }
            drop(known);
            let Some(stock) = stock else { return Ok(false) };
            match at.below(pair)?.filter(|_| stock.is_spilled) {
                _ if stock.members.contains(pair) => return Ok(true),
                Some(below) => at = below,
                None => return Ok(false),
            }
        }
    }
}

/// Checks that an entity is in a list that requires it. Returns `false` if the list is full, so that the member has a
/// separate row to check.
pub(crate) async fn member(
    tables: &Tables,
    kind: EntityInfo,
    entity: &Address,
    row: &DerivedRow,
    (holder, holders): (Holder, &Holders),
    verdict: &mut Verdict,
) -> Result<bool, Error> {
    let (pair, mut at) = (Pair::of(entity), holder.clone());
    match holders.has(tables, &holder, &pair).await {
        Ok(true) => return Ok(true),
        Err(error) if !is_unreadable(&error) => return Err(error),
        // Read again below.
        Ok(false) | Err(_) => {}
    }
    for _ in 0..ATTEMPTS {
        let stock = match at.read(tables).await {
            Err(error) if is_unreadable(&error) => {
                let (what, rule, address) = (DifferenceKind::Unreadable, Some(row.rule), at.address());
                let entity = Some(entity.clone());
                verdict.findings.push(Finding { what, rule, address, entity, etag: None });
                // Whether the list contains the member is unknown.
                return Ok(true);
            }
            other => other?,
        };
        if stock.as_ref().is_some_and(|stock| stock.members.contains(&pair)) {
            return Ok(true);
        }
        if stock.as_ref().is_some_and(|stock| stock.is_spilled) {
            match at.below(&pair)? {
                Some(below) => at = below,
                None => return Ok(false),
            }
            continue;
        }
        let primary = Primary::read(tables, kind, entity.clone()).await?;
        // If the entity is no longer required in the list, a commit record names it.
        if primary.wants(row.rule, &row.address).is_none() {
            return Ok(true);
        }
        if is_named(tables, kind, entity, &holder).await? {
            verdict.lagging += 1;
            return Ok(true);
        }
        let version = stock.map(|stock| stock.version);
        if at.read(tables).await?.map(|stock| stock.version) == version {
            let (what, rule, address) = (DifferenceKind::Missing, Some(row.rule), row.address.clone());
            let entity = Some(entity.clone());
            verdict.findings.push(Finding { what, rule, address, entity, etag: None });
            return Ok(true);
        }
    }
    Err(Error::Contended { address: Box::new(row.address.clone()), attempts: ATTEMPTS })
}

/// Checks a list row or list blob for superfluous members, and whether it is an empty placeholder of a worker.
pub(crate) async fn holder(
    tables: &Tables,
    (kind, rule): (EntityInfo, Rule),
    holder: &Holder,
) -> Result<Verdict, Error> {
    let (Some(index), first) = (rule.index(), holder.first()) else { return Ok(Verdict::default()) };
    let entities = crate::core::table::table_of(rule.design())?;
    let rule = Some(rule);
    for _ in 0..ATTEMPTS {
        let Some(stock) = holder.read(tables).await? else { return Ok(Verdict::default()) };
        let mut verdict = Verdict::default();
        for pair in stock.members.iter() {
            let (partition_key, row_key) = pair.keys();
            let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
            let entity = Address { table: entities.clone(), partition_key, row_key };
            let primary = match Primary::read_owner(tables, kind, entity.clone()).await {
                // The sweep reports the entity when it reads its row.
                Err(error) if is_unreadable(&error) => continue,
                other => other?,
            };
            let is_of = |row: &DerivedRow| {
                let is_alike = rule.is_some_and(|rule| row.rule.stores_like(rule));
                is_alike && Holder::of(row.rule.design(), index, &row.address).is_ok_and(|of| of == first)
            };
            if primary.is_foreign || primary.derived.iter().any(is_of) {
                continue;
            }
            if let Some(first) = &first
                && is_named(tables, kind, &entity, first).await?
            {
                verdict.lagging += 1;
                continue;
            }
            let (what, address) = (DifferenceKind::Orphaned, holder.posting(index, pair));
            verdict.findings.push(Finding { what, rule, address, entity: Some(entity), etag: None });
        }
        if stock.members.is_empty() && !stock.is_spilled {
            let (what, address, etag) =
                (DifferenceKind::Placeholder, holder.address(), row_version(&stock.version));
            verdict.findings.push(Finding { what, rule, address, entity: None, etag });
        }
        if verdict.findings.is_empty()
            || holder.read(tables).await?.is_some_and(|now| now.version == stock.version)
        {
            return Ok(verdict);
        }
    }
    Err(Error::Contended { address: Box::new(holder.address()), attempts: ATTEMPTS })
}

/// Returns `true` if a commit in the partition of the entity may change its membership in the list.
async fn is_named(
    tables: &Tables,
    kind: EntityInfo,
    entity: &Address,
    first: &Holder,
) -> Result<bool, Error> {
    names(tables, entity, |touch| {
        let is_of_first = |rule: Rule| {
            let of = rule.index().map(|index| Holder::of(rule.design(), index, &touch.address));
            matches!(of, Some(Ok(Some(of))) if of == *first)
        };
        touch.row_key == entity.row_key
            && touch.maker.entity == kind.stored_name()
            && kind.rules_named(&touch.maker.index).into_iter().any(is_of_first)
    })
    .await
}

fn row_version(version: &Version) -> Option<ETag> {
    match version {
        Version::Row(etag) => Some(etag.clone()),
        Version::Blob(_) => None,
    }
}

//! Comparison of rows with their entities during concurrent writes.
//!
//! A row in the partition of the entity changes only together with the entity. A difference is therefore an error if
//! the entity is unchanged before and after the row was read. A row in another partition is read before its entity, as
//! by a worker. A difference is only a lag if a commit record names the row. If no record names it and the row is still
//! unchanged, no process will update it.

use table_model::ETag;

use super::found::Found;
use crate::{
    Address, Error, Receipt, Tables,
    apply::{
        collect::is_named as is_blob_named,
        verdict::{ATTEMPTS, Finding, Verdict, is_unreadable, names},
    },
    core::{
        derived_row::DerivedRow,
        difference::DifferenceKind,
        entity_types::EntityInfo,
        outbox::{AffectedRow, Role},
        rule::Rule,
    },
    design::Index,
    handle::{clock::MAX_REQUEST_AGE, tokens::Tokens},
    maintain::{extended::is_extended_list, sweep::Sort},
    pattern::{
        aggregate::verify as total,
        lookup::{
            Membership, Own,
            apply::Holder,
            verify::{self as list, Holders},
        },
    },
    write::primary::Primary,
};

/// Checks the rows that an entity requires, of all indexes or of one index.
pub(crate) async fn entity(
    tables: &Tables,
    kind: EntityInfo,
    address: &Address,
    only: Option<Rule>,
    holders: &Holders,
) -> Result<Verdict, Error> {
    let is_asked = |row: &DerivedRow| only.is_none_or(|only| only.is_version_of(row.rule));
    for _ in 0..ATTEMPTS {
        let primary = Primary::read_to_compare(tables, kind, address.clone()).await?;
        let required = primary.derived.iter().any(is_asked);
        let mut verdict = Verdict { required, ..Verdict::default() };
        for row in primary.derived.iter().filter(|row| is_asked(row)) {
            let Some(index) = row.rule.index() else { continue };
            if index.near {
                verdict.findings.extend(near(tables, kind, &primary, index, row).await?);
            }
        }
        let is_same = verdict.findings.is_empty()
            || Primary::read(tables, kind, address.clone()).await?.etag == primary.etag;
        if !is_same {
            continue;
        }
        for row in primary.derived.iter().filter(|row| is_asked(row) && row.rule.is_far()) {
            let holder = match row.rule {
                Rule::Index(design, index) => Holder::of(design, index, &row.address)?,
                Rule::Contribution(..) if row.adds() => None,
                Rule::Contribution(..) => continue,
            };
            let is_listed = match holder {
                Some(holder) => {
                    list::member(tables, kind, address, row, (holder, holders), &mut verdict).await?
                }
                None => false,
            };
            if !is_listed {
                far(tables, kind, address, row, &mut verdict).await?;
            }
        }
        verdict.findings.extend(total::missing(tables, kind, &primary, only).await?);
        if only.is_none() {
            leave_lists_to_sweep(tables, kind, &mut verdict).await?;
            blobs(tables, &primary, &mut verdict).await?;
        }
        return Ok(verdict);
    }
    Err(Error::Contended { address: Box::new(address.clone()), attempts: ATTEMPTS })
}

/// Removes the findings about unreadable lists that the sweep reports when it reads the list itself.
async fn leave_lists_to_sweep(tables: &Tables, kind: EntityInfo, verdict: &mut Verdict) -> Result<(), Error> {
    for finding in std::mem::take(&mut verdict.findings) {
        let index = finding.rule.and_then(Rule::index);
        let is_list = finding.what == DifferenceKind::Unreadable && index.is_some();
        if !is_list || !is_swept(tables, kind, &finding).await? {
            verdict.findings.push(finding);
        }
    }
    Ok(())
}

async fn is_swept(tables: &Tables, kind: EntityInfo, list: &Finding) -> Result<bool, Error> {
    if list.rule.and_then(Rule::index).is_some_and(Index::in_blobs) {
        return Ok(true);
    }
    let rows = tables.read(&list.address, None).await?;
    let Some(row) = rows.get(0) else { return Ok(true) };
    let sort = Sort::of(kind, tables.source(&list.address.table), row);
    Ok(matches!(sort, Sort::List(rule) if list.rule.is_some_and(|own| own.is(rule))))
}

/// Finds referenced blobs that do not exist. A blob that is no longer referenced was released concurrently.
async fn blobs(tables: &Tables, primary: &Primary, verdict: &mut Verdict) -> Result<(), Error> {
    for name in &primary.blobs {
        if tables.has_blob(name).await? || !is_blob_named(tables, &primary.address, name).await? {
            continue;
        }
        verdict.findings.push(Finding {
            what: DifferenceKind::Lost,
            rule: None,
            address: Address {
                table: primary.address.table.clone(),
                partition_key: String::new(),
                row_key: name.clone(),
            },
            entity: Some(primary.address.clone()),
            etag: None,
        });
    }
    Ok(())
}

/// Checks a row in the partition of the entity.
pub(crate) async fn near(
    tables: &Tables,
    kind: EntityInfo,
    primary: &Primary,
    index: &'static Index,
    row: &DerivedRow,
) -> Result<Option<Finding>, Error> {
    let finding = |what, address: &Address, etag| Finding {
        what,
        rule: Some(row.rule),
        address: address.clone(),
        entity: Some(primary.address.clone()),
        etag,
    };
    let found = Found::at(tables, kind, row.rule, &row.address).await?;
    if let Some(member) = Membership::of(&primary.address, row) {
        if found.is_some() {
            return Ok(None);
        }
        return match Own::read(tables, Some(kind.newest()), index, &member.list).await {
            Ok(own) if own.ids.contains(&member.id) => Ok(None),
            Ok(_) => Ok(Some(finding(DifferenceKind::Missing, &member.list, None))),
            // Whether the entity is in the list is unknown. Its other rows are still compared.
            Err(error) if is_unreadable(&error) => {
                Ok(Some(finding(DifferenceKind::Unreadable, &member.list, None)))
            }
            Err(error) => Err(error),
        };
    }
    let Some(found) = found else { return Ok(Some(finding(DifferenceKind::Missing, &row.address, None))) };
    if found.shows(row, primary) {
        return Ok(None);
    }
    let what = if is_of_another(tables, kind, primary, row, &found).await? {
        DifferenceKind::Taken
    } else if found.is_extended(tables, Some(&primary.address)).await? {
        DifferenceKind::Unknown
    } else {
        DifferenceKind::Stale
    };
    Ok(Some(finding(what, &row.address, Some(found.etag))))
}

/// Checks a row in another partition.
pub(crate) async fn far(
    tables: &Tables,
    kind: EntityInfo,
    entity: &Address,
    row: &DerivedRow,
    verdict: &mut Verdict,
) -> Result<(), Error> {
    for _ in 0..ATTEMPTS {
        let found = Found::at(tables, kind, row.rule, &row.address).await?;
        let primary = Primary::read_to_compare(tables, kind, entity.clone()).await?;
        // If the row is no longer required, a commit record names it, and the check of the index rows finds it.
        let Some(wanted) = primary.wants(row.rule, &row.address) else { return Ok(()) };
        let what = match &found {
            Some(found) if found.shows(wanted, &primary) => return Ok(()),
            None => DifferenceKind::Missing,
            Some(found)
                if (found.is_foreign || !found.is_stub)
                    && is_of_another(tables, kind, &primary, row, found).await? =>
            {
                DifferenceKind::Taken
            }
            Some(found) if found.is_extended(tables, Some(entity)).await? => DifferenceKind::Unknown,
            Some(found) if found.is_stub => DifferenceKind::Missing,
            Some(_) => DifferenceKind::Stale,
        };
        if is_named(tables, entity, &row.address, what == DifferenceKind::Missing).await? {
            verdict.lagging += 1;
            return Ok(());
        }
        let etag = found.map(|found| found.etag);
        if is_still(tables, kind, row.rule, &row.address, etag.as_ref()).await? {
            let (rule, address) = (Some(row.rule), row.address.clone());
            verdict.findings.push(Finding { what, rule, address, entity: Some(entity.clone()), etag });
            return Ok(());
        }
    }
    Err(Error::Contended { address: Box::new(row.address.clone()), attempts: ATTEMPTS })
}

/// Checks whether an entity requires an index row. Its content is checked when the entity is checked.
pub(crate) async fn row(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    address: &Address,
) -> Result<Verdict, Error> {
    let (is_far, is_feed) = (rule.is_far(), rule.index().is_none());
    for _ in 0..ATTEMPTS {
        let Some(found) = Found::at(tables, kind, rule, address).await? else {
            return Ok(Verdict::default());
        };
        // The row has no source, so it cannot be judged. If an entity requires a row at this key, the check of that
        // entity reports it.
        if found.owners.is_empty() || found.is_foreign {
            if !is_far && is_required(tables, kind, rule, address, &found).await? {
                return Ok(Verdict::default());
            }
            let what = if is_far || is_feed { DifferenceKind::Unreadable } else { DifferenceKind::Unknown };
            let (address, etag) = (address.clone(), Some(found.etag));
            let finding = Finding { what, rule: Some(rule), address, entity: None, etag };
            return Ok(Verdict { findings: vec![finding], ..Verdict::default() });
        }
        let mut is_named_now = false;
        for owner in &found.owners {
            let primary = Primary::owner_of_row(tables, (kind, rule), owner.clone()).await?;
            let is_wanted = primary.wants(rule, address).is_some_and(|row| !is_feed || row.adds());
            if is_wanted || primary.is_foreign {
                return Ok(Verdict::default());
            }
            is_named_now |= is_far && is_named(tables, owner, address, false).await?;
        }
        if is_named_now {
            return Ok(Verdict { lagging: 1, ..Verdict::default() });
        }
        if found.reserved.as_ref().is_some_and(|attempt| is_alive(tables, attempt)) {
            return Ok(Verdict { lagging: 1, ..Verdict::default() });
        }
        let is_extended = found.is_extended(tables, found.owners.first()).await?;
        if is_still(tables, kind, rule, address, Some(&found.etag)).await? {
            let what = match (&found.reserved, found.is_stub) {
                _ if is_extended => DifferenceKind::Unknown,
                (Some(_), _) => DifferenceKind::Reserved,
                (None, true) => DifferenceKind::Placeholder,
                (None, false) => DifferenceKind::Orphaned,
            };
            let entity = found.owners.into_iter().next();
            let (address, etag) = (address.clone(), Some(found.etag));
            return Ok(Verdict {
                findings: vec![Finding { what, rule: Some(rule), address, entity, etag }],
                ..Verdict::default()
            });
        }
    }
    Err(Error::Contended { address: Box::new(address.clone()), attempts: ATTEMPTS })
}

/// Returns `true` if an entity requires the row that was found.
async fn is_required(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    address: &Address,
    found: &Found,
) -> Result<bool, Error> {
    for owner in &found.owners {
        let primary = match Primary::read_owner(tables, kind, owner.clone()).await {
            Err(error) if is_unreadable(&error) => continue,
            other => other?,
        };
        if primary.wants(rule, address).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns `true` if the attempt that reserved a row may still be committed, based on the time in its token. An
/// incorrect result is harmless: a reservation is removed only after its attempt was aborted.
fn is_alive(tables: &Tables, attempt: &Receipt) -> bool {
    Tokens::time(&attempt.token).is_some_and(|began| tables.now() < began.saturating_add(MAX_REQUEST_AGE))
}

/// Checks a list row for superfluous members. A list to which another client added a property is left.
pub(crate) async fn list(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    list: &Address,
) -> Result<Verdict, Error> {
    let mut verdict = members(tables, kind, rule, list).await?;
    if let Some(index) = rule.index().filter(|_| !verdict.findings.is_empty()) {
        let rows = tables.read(list, None).await?;
        if rows.get(0).and_then(|row| is_extended_list(index, row)) == Some(true) {
            verdict.findings.iter_mut().for_each(|finding| finding.what = DifferenceKind::Unknown);
        }
    }
    Ok(verdict)
}

async fn members(tables: &Tables, kind: EntityInfo, rule: Rule, list: &Address) -> Result<Verdict, Error> {
    let Some(index) = rule.index() else { return Ok(Verdict::default()) };
    if !index.near {
        let Some(holder) = Holder::of_list(rule.design(), index, list) else { return Ok(Verdict::default()) };
        return list::holder(tables, (kind, rule), &holder).await;
    }
    for _ in 0..ATTEMPTS {
        let own = Own::read(tables, Some(kind.newest()), index, list).await?;
        let Some(etag) = own.etag.clone() else { return Ok(Verdict::default()) };
        let mut findings = Vec::new();
        for id in own.ids.from(None) {
            let entity = Address { row_key: id.clone(), ..list.clone() };
            let posting = Address { row_key: format!("{}!{id}", list.row_key), ..list.clone() };
            let primary = match Primary::read_owner(tables, kind, entity.clone()).await {
                // The sweep reports the entity when it reads its row.
                Err(error) if is_unreadable(&error) => continue,
                other => other?,
            };
            if primary.wants(rule, &posting).is_none() && !primary.is_foreign {
                let (address, etag) = (list.clone(), Some(etag.clone()));
                let entity = Some(entity);
                let (what, rule) = (DifferenceKind::Orphaned, Some(rule));
                findings.push(Finding { what, rule, address, entity, etag });
            }
        }
        if findings.is_empty() || is_still(tables, kind, rule, list, Some(&etag)).await? {
            return Ok(Verdict { findings, ..Verdict::default() });
        }
    }
    Err(Error::Contended { address: Box::new(list.clone()), attempts: ATTEMPTS })
}

/// Returns `true` if another entity requires the row, or if it cannot be decoded and may require the row. A row that was
/// not written for this index belongs to its writer.
async fn is_of_another(
    tables: &Tables,
    kind: EntityInfo,
    primary: &Primary,
    row: &DerivedRow,
    found: &Found,
) -> Result<bool, Error> {
    if found.is_foreign {
        return Ok(true);
    }
    for owner in found.owners.iter().filter(|owner| **owner != primary.address) {
        let other = match Primary::owner_of_row(tables, (kind, row.rule), owner.clone()).await {
            Err(error) if is_unreadable(&error) => return Ok(true),
            other => other?,
        };
        let is_another = !other.is_at(&primary.address);
        if other.is_foreign || is_another && other.wants(row.rule, &row.address).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns `true` if a commit in the partition of the entity names the row. For a missing row, only commits that may
/// create it count; a commit from before the row was required only deletes it.
async fn is_named(tables: &Tables, entity: &Address, row: &Address, is_missing: bool) -> Result<bool, Error> {
    let is_such = |touch: &AffectedRow| touch.address == *row && (!is_missing || touch.role == Role::New);
    names(tables, entity, is_such).await
}

async fn is_still(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    address: &Address,
    etag: Option<&ETag>,
) -> Result<bool, Error> {
    let now = Found::at(tables, kind, rule, address).await?;
    Ok(now.map(|found| found.etag).as_ref() == etag)
}

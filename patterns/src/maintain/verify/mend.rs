//! Repair of incorrect rows during concurrent writes.
//!
//! No content is computed here. Rows in the partition of the entity are written together with it, conditional on the
//! ETag that was read. For rows in other partitions a commit record is created and applied as usual. Superfluous rows
//! are deleted by the fence rule: the ETag of each was read before the entities.

use std::collections::BTreeMap;

use table_model::{Condition, Operation, Properties};

use super::judge;
use crate::{
    Address, Error, Receipt, Tables,
    apply::{
        self,
        verdict::{ATTEMPTS, Finding},
        wakeup::WakeupGuard,
    },
    core::{
        cross_partition_row::{SHOWN, SOURCE, STATE, STUB, source_text},
        derived_row::DerivedRow,
        difference::DifferenceKind,
        encryption::Secrets,
        entity_types::EntityInfo,
        outbox::{AffectedRow, Commit, Role},
        reserved::TRANSACTION,
        rule::Rule,
    },
    pattern::{
        index::{IndexRow, IndexRows},
        lookup::{ListChange, Membership, Own},
        unique::reserve as claim,
    },
    write::{CrossPartition, Write, at, primary::Primary},
};

/// Maximum number of rows per commit record. It corresponds to one transaction, because a worker reads all of them
/// together.
const MOST_TOUCHES: usize = 100;

/// Result of the repair of the rows in the partition of an entity.
#[derive(Debug, Default)]
pub(crate) struct Mended {
    /// `true` if any row was written.
    pub(crate) did_write: bool,
    /// Rows that cannot be repaired, also those that another entity has taken since they were checked.
    pub(crate) left: Vec<Finding>,
}

/// Repairs the rows in the partition of an entity, of all indexes or of one index.
pub(crate) async fn near(
    tables: &Tables,
    kind: EntityInfo,
    entity: &Address,
    only: Option<Rule>,
) -> Result<Mended, Error> {
    let mut mended = Mended::default();
    for _ in 0..ATTEMPTS {
        let primary = Primary::read(tables, kind, entity.clone()).await?;
        mended.left.clear();
        let Some(write) = near_write(tables, kind, &primary, only, &mut mended.left).await? else {
            return Ok(mended);
        };
        match tables.transact_all(vec![write]).await {
            // Checked again, because a concurrent writer may have changed the entity after it was read.
            Ok(_) => mended.did_write = true,
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::Contended { address: Box::new(entity.clone()), attempts: ATTEMPTS })
}

/// Returns a write that changes only the token of the entity and its incorrect rows.
async fn near_write(
    tables: &Tables,
    kind: EntityInfo,
    primary: &Primary,
    only: Option<Rule>,
    left: &mut Vec<Finding>,
) -> Result<Option<Write>, Error> {
    let Some(etag) = primary.etag.clone() else { return Ok(None) };
    let (mut copies, mut lists) = (Vec::new(), Vec::new());
    for row in primary.derived.iter().filter(|row| only.is_none_or(|only| only.is_version_of(row.rule))) {
        let Some(index) = row.rule.index().filter(|index| index.near) else { continue };
        let Some(finding) = judge::near(tables, kind, primary, index, row).await? else { continue };
        if !finding.is_repairable() {
            left.push(finding);
            continue;
        }
        if let Some(member) = Membership::of(&primary.address, row) {
            lists.push(ListChange::Add(member));
            continue;
        }
        let mut properties = row.properties.clone();
        tables.seal_row(Secrets::of(row.rule.design()), row.address.place(), &mut properties)?;
        let operation = match finding.etag {
            None => at(row.address.clone(), properties, Operation::Insert),
            Some(etag) => at(row.address.clone(), properties, |entity| {
                Operation::Replace(entity, Condition::Matches(etag))
            }),
        };
        copies.push(IndexRow::new(index, operation));
    }
    if copies.is_empty() && lists.is_empty() {
        return Ok(None);
    }
    let mut properties = Properties::with_capacity(1);
    properties.push_new(TRANSACTION, "");
    let operation =
        at(primary.address.clone(), properties, |entity| Operation::Merge(entity, Condition::Matches(etag)));
    let table = primary.address.table.clone();
    let mut write = Write::alone(table, operation).with(IndexRows::of(copies));
    write.change_lists(lists);
    Ok(Some(write.with(CrossPartition::nothing(kind))))
}

/// Repairs rows in other partitions by creating and applying commit records.
pub(crate) async fn far(tables: &Tables, kind: EntityInfo, findings: &[&Finding]) -> Result<(), Error> {
    let mut partitions: BTreeMap<(String, String), Vec<(AffectedRow, &Finding)>> = BTreeMap::new();
    for finding in findings {
        let Some((entity, rule)) = finding.entity.as_ref().zip(finding.rule) else { continue };
        let row = DerivedRow::new(rule, finding.address.clone(), Properties::new());
        let touch = AffectedRow::new(kind.stored_name(), rule.name(), Role::New, &row, &entity.row_key);
        let key = (entity.table.folded().to_owned(), entity.partition_key.clone());
        partitions.entry(key).or_default().push((touch, finding));
    }
    for work in partitions.into_values() {
        for some in work.chunks(MOST_TOUCHES) {
            let Some(entity) = some.first().and_then(|(_, finding)| finding.entity.as_ref()) else {
                continue;
            };
            let receipt = Receipt {
                table: entity.table.clone(),
                partition_key: entity.partition_key.clone(),
                token: tables.tokens().next()?,
            };
            let touches = some.iter().map(|(touch, _)| touch.clone()).collect();
            let commit = Commit { receipt, touches, written: None, tries: 0, is_dead_lettered: false };
            let relied = tables.rely(WakeupGuard::default(), kind.stored_name(), &commit.receipt).await?;
            tables.execute(&entity.table, &Commit::insert(&commit.receipt, &commit.touches)).await?;
            for (_, finding) in some {
                unsettle(tables, finding).await?;
            }
            apply::conclude(tables, &commit).await?;
            relied.take_back(tables).await;
        }
    }
    Ok(())
}

/// Replaces an incorrect row with a placeholder, because its shown version may claim that it is correct. The commit
/// record exists, so the worker that applies it restores the row.
async fn unsettle(tables: &Tables, finding: &Finding) -> Result<(), Error> {
    let Finding { what, address, entity: Some(entity), etag: Some(etag), .. } = finding else {
        return Ok(());
    };
    match what {
        DifferenceKind::Stale => {}
        // A reservation occupies the key of the row. After its attempt is aborted, no process makes it live.
        DifferenceKind::Missing if claim::ends(tables, address).await? => {}
        _ => return Ok(()),
    }
    let mut properties = Properties::with_capacity(2);
    let condition = Condition::Matches(etag.clone());
    if let Some(Rule::Contribution(..)) = finding.rule {
        // Its recorded amount was added to the aggregate, and is subtracted when the commit is applied.
        properties.push_new(SHOWN, "");
        let unshown = at(address.clone(), properties, |entity| Operation::Merge(entity, condition));
        return overtaken_or(tables.execute(&address.table, &unshown).await.map(drop)).map(drop);
    }
    properties.push_new(STATE, STUB);
    properties.push_new(SOURCE, source_text(entity));
    let stub = at(address.clone(), properties, |entity| Operation::Replace(entity, condition));
    overtaken_or(tables.execute(&address.table, &stub).await.map(drop)).map(drop)
}

/// Deletes superfluous rows and placeholders. Rows that a concurrent writer has changed since are skipped.
pub(crate) async fn remove(tables: &Tables, findings: &[Finding]) -> Result<(), Error> {
    for finding in findings {
        let Some(etag) = finding.etag.clone() else { continue };
        if finding.what == DifferenceKind::Reserved {
            claim::give_back(tables, &finding.address).await?;
            continue;
        }
        let Address { table, partition_key, row_key } = finding.address.clone();
        let delete = Operation::Delete { partition_key, row_key, condition: Condition::Matches(etag) };
        overtaken_or(tables.execute(&table, &delete).await.map(drop))?;
    }
    Ok(())
}

/// Removes superfluous members from a list. Returns `false` if the list has changed since.
pub(crate) async fn remove_members(
    tables: &Tables,
    kind: EntityInfo,
    findings: &[Finding],
) -> Result<bool, Error> {
    let Some(first) = findings.first() else { return Ok(true) };
    let Some(index) = first.rule.and_then(Rule::index) else { return Ok(true) };
    let own = Own::read(tables, Some(kind.newest()), index, &first.address).await?;
    if own.etag != first.etag {
        return Ok(false);
    }
    let entities = findings.iter().filter_map(|finding| finding.entity.as_ref());
    let gone: Vec<String> = entities.map(|entity| entity.row_key.clone()).collect();
    let Some(operation) = own.without(index, &first.address, &gone) else { return Ok(true) };
    overtaken_or(tables.execute(&first.address.table, &operation).await.map(drop))
}

/// Returns `false` if a concurrent writer was faster.
fn overtaken_or(result: Result<(), Error>) -> Result<bool, Error> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.is_conflict() || error.is_not_found() => Ok(false),
        Err(error) => Err(error),
    }
}

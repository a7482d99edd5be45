//! Verification of one row, and of the rows of one entity.

use table_model::Timestamp;

use super::{
    Checks, Holders, Looked, Promises, Verify, VerifyReport, found::Found, judge, look, shown, sort_of,
};
use crate::{
    Address, DifferenceKind, Error, Tables,
    apply::reader,
    core::{entity_types::EntityInfo, outbox::Commit},
    maintain::sweep::Sort,
    pattern::lookup::Membership,
    write::primary::Primary,
};

/// A row that an entity requires, or that one of its commits must still update; see
/// [`Designed::related`](crate::Designed::related).
#[derive(Clone, Debug)]
pub struct RelatedRow {
    /// Name of the index or lookup, or of the entity type with the aggregate.
    pub rule: String,
    /// Address of the row. For a member of a list, this is the list.
    pub address: Address,
    /// `true` if the row is in the partition of the entity, and written in its transactions.
    pub is_near: bool,
    /// State of the row.
    pub state: RelatedState,
}

/// State of a row compared with its entity.
#[derive(Clone, Debug)]
pub enum RelatedState {
    /// The row shows the current state of the entity.
    Current,
    /// The row is out of date, and a commit record names it.
    Pending(PendingCommit),
    /// The row differs, and no process will update it.
    Different(DifferenceKind),
}

/// The commit record of a pending update.
#[derive(Clone, Debug)]
pub struct PendingCommit {
    /// Address of the record.
    pub record: Address,
    /// Time of the commit.
    pub written: Option<Timestamp>,
    /// `true` if the record is dead-lettered.
    pub is_dead_lettered: bool,
}

impl PendingCommit {
    fn of(commit: &Commit) -> Self {
        Self { record: commit.record(), written: commit.written, is_dead_lettered: commit.is_dead_lettered }
    }
}

impl Verify {
    /// Compares one row as the sweep does: an entity with its rows, or an index row with its entity. `repairs` first
    /// applies the commits of the entity, and repairs differences.
    pub(crate) async fn row(
        tables: &Tables,
        kind: EntityInfo,
        address: Address,
        repairs: bool,
    ) -> Result<VerifyReport, Error> {
        if repairs {
            tables.check_version(kind.newest()).await?;
            reader::apply_of_entity(tables, &address, None).await?;
        }
        let mut report = VerifyReport::default();
        let rows = tables.read(&address, None).await?;
        let Some(row) = rows.get(0) else { return Ok(report) };
        let sort = sort_of(tables, kind, &address.table, row);
        let (holders, promises) = (Holders::default(), Promises::of(tables, kind).await?);
        let checks = Checks { repairs, holders: &holders, promises: &promises };
        let looked: Looked = look(tables, kind, sort, address, checks).await?;
        looked.add_to(&mut report);
        Ok(report)
    }
}

/// Returns the entity that an index row belongs to: named in the row, or determined by its keys.
pub(crate) async fn owner(
    tables: &Tables,
    kind: EntityInfo,
    address: &Address,
) -> Result<Option<Address>, Error> {
    let rows = tables.read(address, None).await?;
    let Some(row) = rows.get(0) else { return Ok(None) };
    let Sort::Row(rule) = Sort::of(kind, tables.source(&address.table), row) else { return Ok(None) };
    let found = Found::at(tables, kind, rule, address).await?;
    Ok(found.and_then(|found| found.owners.into_iter().next()))
}

/// Reads the rows of an entity as points, and compares each with it.
pub(crate) async fn related(
    tables: &Tables,
    kind: EntityInfo,
    address: Address,
) -> Result<Vec<RelatedRow>, Error> {
    let primary = Primary::read(tables, kind, address.clone()).await?;
    let mut records = reader::records(tables, &address.table, &address.partition_key).await?;
    records.retain(|commit| commit.names(&address.row_key));
    let pending = |row: &Address| {
        let names = |commit: &&Commit| {
            commit.touches.iter().any(|touch| touch.address == *row && touch.row_key == address.row_key)
        };
        records.iter().find(names).or_else(|| records.first()).map(PendingCommit::of)
    };
    let (holders, promises) = (Holders::default(), Promises::of(tables, kind).await?);
    let mut related = Vec::with_capacity(primary.derived.len());
    for row in &primary.derived {
        let verdict = judge::entity(tables, kind, &address, Some(row.rule), &holders).await?;
        let finding = promises.judge(tables, kind, verdict.findings).await?.into_iter().next();
        let state = match finding {
            Some(finding) => RelatedState::Different(finding.what),
            None if verdict.lagging > 0 => {
                pending(&row.address).map_or(RelatedState::Current, RelatedState::Pending)
            }
            None => RelatedState::Current,
        };
        let list = Membership::of(&address, row).map(|member| member.list);
        let address = list.unwrap_or_else(|| shown(Some(row.rule), &row.address, DifferenceKind::Missing));
        let (rule, is_near) = (row.rule.name().to_owned(), !row.rule.is_far());
        related.push(RelatedRow { rule, address, is_near, state });
    }
    // What the entity required before, and a worker will remove.
    for commit in &records {
        let left = commit.touches.iter().filter(|touch| touch.row_key == address.row_key && !touch.is_blob());
        for touch in left {
            let is_required = primary.derived.iter().any(|row| row.address == touch.address);
            let rule = kind.rules_named(&touch.maker.index).first().copied();
            let Some(rule) = rule.filter(|_| !is_required) else { continue };
            let shown = shown(Some(rule), &touch.address, DifferenceKind::Orphaned);
            if related.iter().any(|known| known.address == shown)
                || tables.read(&touch.address, None).await?.get(0).is_none()
            {
                continue;
            }
            related.push(RelatedRow {
                rule: rule.name().to_owned(),
                address: shown,
                is_near: false,
                state: RelatedState::Pending(PendingCommit::of(commit)),
            });
        }
    }
    Ok(related)
}

//! Reindexing: checks and writes the rows of a new index, and deletes the rows of a removed index.

mod check;
mod remove;

pub use check::{CheckIndex, IndexCheck};
pub use remove::{RemoveIndexRows, RemovedRows};

use std::collections::BTreeMap;

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    Address, Difference, DifferenceKind, Error, Job, Pending, RepairStatus, Sweep, TableEntity, Tables,
    apply::verdict::{Finding, Verdict},
    core::{entity_types::EntityInfo, error::may_pass, rule::Rule, table::table_of},
    design::{Design, Index},
    maintain::{
        sweep::{Sort, Walk, WalkPage, address_of, of_all_versions},
        verify::{judge, mend},
    },
    pattern::lookup::verify::Holders,
};

/// Number of entities that are checked concurrently.
const AT_ONCE: usize = 16;
/// Maximum number of entities without an index row in the report.
const MOST_LISTED: usize = 1_000;

/// The job of [`Tables::reindex`].
#[derive(Clone, Copy, Debug)]
pub struct Reindex {
    kind: EntityInfo,
    /// The index of the newest version. `None` if there is no such index.
    rule: Option<Rule>,
    is_dry: bool,
}

/// Result of a reindex.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ReindexReport {
    /// Number of entities that were checked.
    pub entities: u64,
    /// Number of entities that require a row of the index.
    pub(crate) required: u64,
    /// Number of entities whose index row was missing or stale, and was written or, in a dry run, would be.
    pub written: u64,
    /// Number of rows that a pending commit record names. They are written when the record is applied, for example by
    /// [`Tables::catch_up`].
    pub lagging: u64,
    /// Entities without a correct index row, at most 1,000: another entity has the same unique key, the entity or the list
    /// that it belongs to cannot be decoded, another client added a property to the row, or the entity has a version that
    /// the type does not read.
    pub without: Vec<Difference>,
    /// Number of entities without an index row, including unlisted ones.
    pub without_count: u64,
    /// Number of entities in each version that the type does not read. They were skipped.
    pub other_versions: BTreeMap<u32, u64>,
}

impl Tables {
    /// Creates a sweep that writes the rows of an index or a lookup for existing entities. Run it when all writers use
    /// the index; writers without the index do not maintain it.
    ///
    /// The sweep writes only missing and stale rows, so it can be repeated at any time. It fails with
    /// [`Error::NoSuchIndex`] if the entity has no index with this name. With the registry, it fails with
    /// [`RegistryError::NotMaintained`](crate::RegistryError::NotMaintained) if programs do not maintain the index:
    /// [`add_index`](Self::add_index) writes the rows of such an index.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # mod before {
    /// #     #[derive(table_patterns::TableEntity, Clone, Debug)]
    /// #     #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #     pub struct Employee { pub department: String, pub id: u32, pub badge: u32 }
    /// # }
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(index(by_badge, row = "badge_{badge:08}_{id:06}", copy()))] // new
    /// struct Employee { department: String, id: u32, badge: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.insert(&before::Employee { department: "Sales".into(), id: 1, badge: 7 }).await?;
    /// assert!(Employee::by_badge_rows("Sales").at(7).all(&tables).await?.is_empty());
    /// let report = tables.reindex::<Employee>("by_badge").max_rows_per_second(500).run().await?;
    /// assert_eq!((report.entities, report.written), (1, 1));
    /// assert_eq!(Employee::by_badge_rows("Sales").at(7).all(&tables).await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn reindex<E: TableEntity>(&self, index: &str) -> Sweep<Reindex> {
        Reindex::of(self, EntityInfo::of::<E>(), index)
    }
}

impl Reindex {
    /// Creates a sweep for an index of an entity type.
    pub(crate) fn of(tables: &Tables, kind: EntityInfo, index: &str) -> Sweep<Self> {
        let found = tables.kinds().learn(kind).and_then(|()| index_of(kind.newest(), index));
        let rule = found.as_ref().ok().map(|(rule, _)| *rule);
        let walk = found.and_then(|(_, found)| {
            let (job, design) = (format!("reindex {}", found.name), kind.newest());
            Ok(Walk::new(&job, design.name, vec![table_of(design)?], of_all_versions(design)))
        });
        Sweep::new(tables, Self { kind, rule, is_dry: false }, walk)
    }
}

impl Sweep<Reindex> {
    /// Counts the rows that would be written. Writes nothing.
    pub fn dry_run(mut self) -> Self {
        self.job().is_dry = true;
        self
    }
}

/// Returns an index of a design.
pub(crate) fn index_of(design: &'static Design, name: &str) -> Result<(Rule, &'static Index), Error> {
    let index = design.index(name).map(|(_, index)| (Rule::Index(design, index), index));
    index.ok_or_else(|| Error::NoSuchIndex {
        entity: design.name,
        index: name.to_owned(),
        known: design.indexes.iter().map(|index| index.name).collect(),
    })
}

impl Job for Reindex {
    type Report = ReindexReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, ReindexReport> {
        Box::pin(async move {
            if !self.is_dry {
                tables.check_version(self.kind.newest()).await?;
            }
            if let Some(Rule::Index(design, index)) = self.rule {
                tables.check_maintained(design, index).await?;
            }
            let holders = Holders::default();
            let (mut report, mut work) = (ReindexReport::default(), Vec::with_capacity(page.rows.len()));
            for row in &page.rows {
                let Some(address) = address_of(&page.table, row) else { continue };
                match Sort::of(self.kind, tables.source(&page.table), row) {
                    Sort::Entity => work.push(self.look(tables, address, &holders)),
                    Sort::Unreadable(error) if may_pass(&error) => return Err(error),
                    Sort::Unreadable(error) => {
                        report.entities += 1;
                        report.without.push(self.unreadable(address, error));
                    }
                    Sort::OtherVersion(version, _) => {
                        *report.other_versions.entry(version).or_default() += 1;
                        let (what, entity) = (DifferenceKind::OtherVersion, address.clone());
                        report.without.push(self.difference(what, address, &entity, RepairStatus::Left));
                    }
                    _ => {}
                }
            }
            let mut elsewhere = Vec::new();
            let looked: Vec<Looked> = stream::iter(work).buffered(AT_ONCE).try_collect().await?;
            for Looked { verdict, written, without } in looked {
                report.entities += 1;
                report.required += u64::from(verdict.required);
                report.written += u64::from(written);
                report.lagging += verdict.lagging;
                report.without.extend(without);
                elsewhere.extend(verdict.findings);
            }
            report.without_count = report.without.len() as u64;
            // One commit record names the rows of all entities in a partition.
            report.written += elsewhere.len() as u64;
            if !self.is_dry {
                mend::far(tables, self.kind, &elsewhere.iter().collect::<Vec<&Finding>>()).await?;
            }
            Ok(report)
        })
    }

    fn add(report: &mut ReindexReport, page: ReindexReport) {
        report.entities += page.entities;
        report.required += page.required;
        report.written += page.written;
        report.lagging += page.lagging;
        report.without_count += page.without_count;
        for (version, entities) in page.other_versions {
            *report.other_versions.entry(version).or_default() += entities;
        }
        let room = MOST_LISTED.saturating_sub(report.without.len());
        report.without.extend(page.without.into_iter().take(room));
    }
}

/// Result for one entity, with its rows in other partitions that must still be written.
struct Looked {
    verdict: Verdict,
    written: bool,
    without: Option<Difference>,
}

impl Reindex {
    fn look<'a>(&'a self, tables: &'a Tables, address: Address, holders: &'a Holders) -> Pending<'a, Looked> {
        Box::pin(async move {
            let (kind, rule) = (self.kind, self.rule);
            let is_near = rule.is_some_and(|rule| !rule.is_far());
            let mut verdict = judge::entity(tables, kind, &address, rule, holders).await?;
            // Another entity has the row, the list that the entity belongs to cannot be decoded, or another client added
            // a property to the row.
            let (findings, left): (Vec<Finding>, Vec<Finding>) =
                verdict.findings.into_iter().partition(Finding::is_repairable);
            verdict.findings = findings;
            let mut without = left
                .into_iter()
                .next()
                .map(|finding| self.difference(finding.what, finding.address, &address, RepairStatus::Left));
            let mut written = false;
            if is_near && !std::mem::take(&mut verdict.findings).is_empty() {
                if self.is_dry {
                    return Ok(Looked { verdict, written: true, without });
                }
                match mend::near(tables, kind, &address, rule).await {
                    Ok(mended) => {
                        written = mended.did_write;
                        // Another entity has claimed the value since the row was checked.
                        let left = mended.left.into_iter().next();
                        without = left.map(|finding| {
                            self.difference(finding.what, finding.address, &address, RepairStatus::Left)
                        });
                    }
                    Err(error) if may_pass(&error) => return Err(error),
                    // Another entity has claimed the value concurrently.
                    Err(Error::Unique(taken)) => {
                        let at = taken.address.clone().unwrap_or_else(|| address.clone());
                        without =
                            Some(self.difference(DifferenceKind::Taken, at, &address, RepairStatus::Left));
                    }
                    Err(error) => {
                        let (what, repair) = (DifferenceKind::Missing, RepairStatus::Failed(error));
                        without = Some(self.difference(what, address.clone(), &address, repair));
                    }
                }
            }
            Ok(Looked { verdict, written, without })
        })
    }

    fn unreadable(&self, address: Address, error: Error) -> Difference {
        let entity = address.clone();
        let difference = self.difference(DifferenceKind::Unreadable, address, &entity, RepairStatus::Left);
        Difference { cause: Some(error), ..difference }
    }

    fn difference(
        &self,
        what: DifferenceKind,
        address: Address,
        entity: &Address,
        repair: RepairStatus,
    ) -> Difference {
        let index = self.rule.map(Rule::name);
        Difference { what, index, address, entity: Some(entity.clone()), repair, cause: None }
    }
}

//! Verification: compares index rows with their entities, and repairs differences.

mod found;
pub(crate) mod judge;
pub(crate) mod mend;
mod promised;
mod report;
pub(crate) mod row;
mod unknown;
mod wide;

pub use report::VerifyReport;

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{RowRef, TableName, blob::BlobName};

use self::promised::Promises;
pub(crate) use self::unknown::is_unknown;
use crate::{
    Address, Error, Job, Pending, Sweep, TableEntity, Tables,
    apply::verdict::{ATTEMPTS, Finding, Verdict, is_unreadable},
    core::{
        difference::{Difference, DifferenceKind, RepairStatus},
        entity_types::EntityInfo,
        error::may_pass,
        layout::Layout,
        rule::Rule,
    },
    maintain::sweep::{Sort, Walk, WalkPage, address_of},
    pattern::{
        aggregate::verify as total,
        lookup::{self, apply::Holder, verify::Holders},
    },
};

/// Number of rows that are checked concurrently.
const AT_ONCE: usize = 16;

/// The job of [`Tables::verify`].
#[derive(Clone, Copy, Debug)]
pub struct Verify {
    kind: EntityInfo,
    repairs: bool,
}

impl Tables {
    /// Creates a sweep that compares index rows and lookup lists with their entities: each entity must have its rows,
    /// and each row an entity. It also compares aggregates and copied fields with their sources, and the rows of a wide
    /// entity with its first row. It reads the entity's
    /// table and the tables of its indexes and targets. With the registry, rows that an index does not yet, or no longer,
    /// require in its state are not differences.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(index(by_email, row = "email_{email}", unique))]
    /// struct Employee { department: String, id: u32, email: String }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?;
    /// let jo = Employee { department: "Sales".into(), id: 1, email: "jo@contoso.com".into() };
    /// tables.insert(&jo).await?;
    /// assert!(tables.verify::<Employee>().run().await?.is_clean());
    ///
    /// // Somebody deletes a row past the library.
    /// tables.delete_at(DynamicEntity::point("Employees", "Sales", "email_jo@contoso.com")).await?;
    /// let report = tables.verify::<Employee>().repair().run().await?;
    /// assert_eq!((report.count(), report.repaired), (1, 1));
    /// assert!(tables.verify::<Employee>().run().await?.is_clean());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn verify<E: TableEntity>(&self) -> Sweep<Verify> {
        Verify::of(self, EntityInfo::of::<E>())
    }
}

impl Verify {
    /// Creates a sweep for an entity type.
    pub(crate) fn of(tables: &Tables, kind: EntityInfo) -> Sweep<Self> {
        let walk = tables
            .kinds()
            .learn(kind)
            .and_then(|()| tables_of(kind))
            .and_then(|tables| Walk::new("verify", kind.name(), tables, None).with_blobs(kind, None));
        Sweep::new(tables, Self { kind, repairs: false }, walk)
    }
}

impl Sweep<Verify> {
    /// Repairs differences, as far as the correct state can be derived from the entities. Concurrent writes are safe.
    ///
    /// An index row with a property that neither a version of the type nor the entity has remains unchanged, also if it
    /// is incorrect otherwise, and is listed as [`DifferenceKind::Unknown`]. Move the property elsewhere and delete it,
    /// then repair again.
    pub fn repair(mut self) -> Self {
        self.job().repairs = true;
        self
    }
}

/// Returns the tables that contain entities of a type, their index rows and their targets in all versions, with the
/// entities' table first.
fn tables_of(kind: EntityInfo) -> Result<Vec<TableName>, Error> {
    std::iter::once(kind.table()).chain(kind.rules().map(Rule::table)).collect()
}

impl Job for Verify {
    type Report = VerifyReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, VerifyReport> {
        Box::pin(async move {
            if self.repairs {
                tables.check_version(self.kind.newest()).await?;
            }
            let (holders, promises) = (Holders::default(), Promises::of(tables, self.kind).await?);
            let checks = Checks { repairs: self.repairs, holders: &holders, promises: &promises };
            let mut work: Vec<Pending<'_, Looked>> = Vec::with_capacity(page.rows.len());
            if let Some(layout) = Layout::of(self.kind.newest()) {
                for address in wide::checked_rows(layout, page) {
                    work.push(Box::pin(wide::look(tables, self.kind, layout, address, self.repairs)));
                }
            } else {
                for row in &page.rows {
                    let Some(address) = address_of(&page.table, row) else { continue };
                    let sort = sort_of(tables, self.kind, &page.table, row);
                    work.push(Box::pin(look(tables, self.kind, sort, address, checks)));
                }
            }
            for name in &page.blobs {
                work.push(Box::pin(look_at_blob(tables, self.kind, page, name.clone(), checks)));
            }
            let looked: Vec<_> = stream::iter(work).buffered(AT_ONCE).try_collect().await?;
            let mut report = VerifyReport::default();
            for looked in looked {
                looked.add_to(&mut report);
            }
            Ok(report)
        })
    }

    fn add(report: &mut VerifyReport, page: VerifyReport) {
        report.append(page);
    }
}

/// Settings and common data of the checks of one page.
#[derive(Clone, Copy)]
struct Checks<'p> {
    repairs: bool,
    holders: &'p Holders,
    promises: &'p Promises,
}

/// Result of checking one row of a table.
#[derive(Debug, Default)]
struct Looked {
    is_entity: bool,
    is_row: bool,
    lagging: u64,
    differences: Vec<Difference>,
    /// The version of an entity that the type does not read.
    other_version: Option<u32>,
}

impl Looked {
    fn add_to(self, report: &mut VerifyReport) {
        report.entities += u64::from(self.is_entity);
        report.rows += u64::from(self.is_row);
        report.lagging += self.lagging;
        report.add_version(self.other_version);
        for difference in self.differences {
            report.add(difference);
        }
    }
}

/// Returns the type of a row, for a verification.
fn sort_of(tables: &Tables, kind: EntityInfo, table: &TableName, row: RowRef<'_>) -> Sort {
    match Sort::of(kind, tables.source(table), row) {
        Sort::Other if is_unknown(tables, kind, table, row) => Sort::Unknown,
        sort => sort,
    }
}

async fn look(
    tables: &Tables,
    kind: EntityInfo,
    sort: Sort,
    address: Address,
    Checks { repairs, holders, promises }: Checks<'_>,
) -> Result<Looked, Error> {
    let (is_entity, verdict) = match &sort {
        Sort::Other => return Ok(Looked::default()),
        Sort::Unknown => {
            let repair = if repairs { RepairStatus::Left } else { RepairStatus::NotTried };
            let what = DifferenceKind::Unknown;
            let differences =
                vec![Difference { what, index: None, entity: None, address, repair, cause: None }];
            return Ok(Looked { differences, ..Looked::default() });
        }
        // A row that another handle can decode is not a difference.
        Sort::Unreadable(error) if may_pass(error) => return Err(error.clone()),
        Sort::Unreadable(error) => {
            let repair = if repairs { RepairStatus::Left } else { RepairStatus::NotTried };
            let (what, entity, cause) =
                (DifferenceKind::Unreadable, Some(address.clone()), Some(error.clone()));
            let difference = Difference { what, index: None, entity, address, repair, cause };
            return Ok(Looked { is_entity: true, differences: vec![difference], ..Looked::default() });
        }
        // Only the newer version knows which rows are derived from the entities.
        Sort::OtherVersion(_, error) if error.is_newer() => return Err(error.clone().into()),
        Sort::OtherVersion(version, _) => {
            let repair = if repairs { RepairStatus::Left } else { RepairStatus::NotTried };
            let what = DifferenceKind::OtherVersion;
            let entity = Some(address.clone());
            let difference = Difference { what, index: None, entity, address, repair, cause: None };
            let (other_version, differences) = (Some(*version), vec![difference]);
            return Ok(Looked { is_entity: true, differences, other_version, ..Looked::default() });
        }
        Sort::Entity => (true, judge::entity(tables, kind, &address, None, holders).await),
        Sort::Row(rule) => (false, judge::row(tables, kind, *rule, &address).await),
        Sort::List(rule) => (false, judge::list(tables, kind, *rule, &address).await),
        Sort::Sink(rule) => (false, total::judge(tables, kind, *rule, &address).await),
    };
    let Verdict { findings, lagging, .. } = match verdict {
        Ok(verdict) => verdict,
        Err(error) if is_unreadable(&error) => unreadable(&sort, &address),
        Err(error) => return Err(error),
    };
    let findings = promises.judge(tables, kind, findings).await?;
    let outcomes = if repairs {
        repair(tables, kind, &sort, &address, &findings).await?
    } else {
        vec![RepairStatus::NotTried; findings.len()]
    };
    let differences = findings.into_iter().zip(outcomes).map(|(finding, outcome)| Difference {
        what: finding.what,
        index: finding.rule.map(Rule::name),
        address: shown(finding.rule, &finding.address, finding.what),
        entity: finding.entity,
        repair: outcome,
        cause: None,
    });
    let differences = differences.collect();
    Ok(Looked { is_entity, is_row: !is_entity, lagging, differences, other_version: None })
}

/// Returns the result for a row that cannot be compared. An unreadable entity is reported when the sweep reads its own
/// row, so an index row that was compared with it is not reported.
fn unreadable(sort: &Sort, address: &Address) -> Verdict {
    let (rule, entity) = match sort {
        Sort::Entity => (None, Some(address.clone())),
        Sort::List(rule) | Sort::Sink(rule) => (Some(*rule), None),
        Sort::Row(_) | Sort::Unreadable(_) | Sort::OtherVersion(..) | Sort::Unknown | Sort::Other => {
            return Verdict::default();
        }
    };
    let (what, address) = (DifferenceKind::Unreadable, address.clone());
    Verdict { findings: vec![Finding { what, rule, address, entity, etag: None }], ..Verdict::default() }
}

/// Checks a blob of a lookup list: the members that it should not contain.
async fn look_at_blob(
    tables: &Tables,
    kind: EntityInfo,
    page: &WalkPage,
    name: BlobName,
    Checks { repairs, promises, .. }: Checks<'_>,
) -> Result<Looked, Error> {
    let Some(rule) = page.lookup else { return Ok(Looked::default()) };
    let Some(index) = rule.index() else { return Ok(Looked::default()) };
    let holder = Holder::of_blob(index, &page.table, name)?;
    let Verdict { findings, lagging, .. } = match lookup::verify::holder(tables, (kind, rule), &holder).await
    {
        Err(Error::Decode(error)) if !error.passes_elsewhere() => {
            let repair = if repairs { RepairStatus::Left } else { RepairStatus::NotTried };
            let (what, index, address) = (DifferenceKind::Unreadable, Some(index.name), holder.address());
            let differences = vec![Difference { what, index, address, entity: None, repair, cause: None }];
            return Ok(Looked { is_row: true, differences, ..Looked::default() });
        }
        other => other?,
    };
    let findings = promises.judge(tables, kind, findings).await?;
    let mut repair = RepairStatus::NotTried;
    if repairs && !findings.is_empty() {
        let is_stub = findings.iter().all(|finding| finding.what == DifferenceKind::Placeholder);
        let mended = if is_stub {
            holder.remove_empty(tables).await
        } else {
            mend_elsewhere(tables, kind, &findings).await
        };
        repair = match mended {
            Ok(()) => RepairStatus::Done,
            Err(error) if may_pass(&error) => return Err(error),
            Err(error) => RepairStatus::Failed(error),
        };
    }
    let differences = findings.into_iter().map(|finding| Difference {
        what: finding.what,
        index: Some(index.name),
        address: holder.address(),
        entity: finding.entity,
        repair: repair.clone(),
        cause: None,
    });
    Ok(Looked { is_row: true, lagging, differences: differences.collect(), ..Looked::default() })
}

/// Returns the address that a report shows: for a member of a list, the address of the list.
fn shown(rule: Option<Rule>, address: &Address, what: DifferenceKind) -> Address {
    let of = |rule: Rule| rule.index().map(|index| Holder::of(rule.design(), index, address));
    match rule.and_then(of) {
        // An unreadable list is named by its own address.
        Some(Ok(Some(holder))) if what != DifferenceKind::Unreadable => holder.address(),
        _ => address.clone(),
    }
}

/// Repairs the findings about one row of a table, and returns the result for each of them. An error that may pass fails
/// all of them.
async fn repair(
    tables: &Tables,
    kind: EntityInfo,
    sort: &Sort,
    address: &Address,
    findings: &[Finding],
) -> Result<Vec<RepairStatus>, Error> {
    let is_left = |finding: &Finding| !finding.is_repairable();
    let (left, open): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(|one| is_left(one));
    if open.is_empty() {
        return Ok(vec![RepairStatus::Left; left.len()]);
    }
    let mut taken = Vec::new();
    let mended = match sort {
        Sort::Entity => mend_entity(tables, kind, address, &open).await.map(|left| taken = left),
        Sort::List(rule) if rule.is_far() => mend_elsewhere(tables, kind, findings).await,
        Sort::List(rule) => mend_list(tables, kind, *rule, address, findings).await,
        Sort::Sink(rule) => total::mend(tables, kind, *rule, address).await,
        // Its contribution must be subtracted from the target as well.
        Sort::Row(rule) if rule.index().is_none() => mend::far(tables, kind, &open).await,
        _ => mend::remove(tables, findings).await,
    };
    let outcome = match mended {
        Ok(()) => RepairStatus::Done,
        Err(error) if may_pass(&error) => return Err(error),
        Err(error) => RepairStatus::Failed(error),
    };
    let is_taken = |finding: &Finding| taken.iter().any(|left| left.address == finding.address);
    let outcomes = findings.iter().map(|finding| {
        if is_left(finding) || is_taken(finding) { RepairStatus::Left } else { outcome.clone() }
    });
    Ok(outcomes.collect())
}

/// Repairs the rows of an entity. Returns the rows in its partition that cannot be repaired.
async fn mend_entity(
    tables: &Tables,
    kind: EntityInfo,
    address: &Address,
    findings: &[&Finding],
) -> Result<Vec<Finding>, Error> {
    for finding in findings.iter().filter(|finding| finding.what == DifferenceKind::WrongTotal) {
        if let Some(rule) = finding.rule {
            total::mend(tables, kind, rule, &finding.address).await?;
        }
    }
    let is_near = |finding: &&&Finding| finding.rule.and_then(Rule::index).is_some_and(|index| index.near);
    let mut left = Vec::new();
    if findings.iter().any(|finding| is_near(&finding)) {
        left = mend::near(tables, kind, address, None).await?.left;
    }
    let is_far = |finding: &&&Finding| !is_near(finding) && finding.what != DifferenceKind::WrongTotal;
    let far: Vec<&Finding> = findings.iter().filter(is_far).copied().collect();
    mend::far(tables, kind, &far).await?;
    Ok(left)
}

/// Repairs a list outside of its members' partitions. Its content is updated by a commit record, like all rows in other
/// partitions.
async fn mend_elsewhere(tables: &Tables, kind: EntityInfo, findings: &[Finding]) -> Result<(), Error> {
    let is_stub = |finding: &Finding| finding.what == DifferenceKind::Placeholder;
    let (stubs, members): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(|one| is_stub(one));
    let stubs: Vec<Finding> = stubs.into_iter().cloned().collect();
    mend::remove(tables, &stubs).await?;
    mend::far(tables, kind, &members).await
}

/// Removes all invalid members in one write. If the list was changed since it was checked, it is checked again.
async fn mend_list(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    list: &Address,
    findings: &[Finding],
) -> Result<(), Error> {
    let mut findings = findings.to_vec();
    for _ in 0..ATTEMPTS {
        if mend::remove_members(tables, kind, &findings).await? {
            return Ok(());
        }
        findings = judge::list(tables, kind, rule, list).await?.findings;
        findings.retain(Finding::is_repairable);
    }
    Err(Error::Contended { address: Box::new(list.clone()), attempts: ATTEMPTS })
}

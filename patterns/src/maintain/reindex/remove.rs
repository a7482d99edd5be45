//! Deletion of the rows of an index that is removed.

use std::collections::BTreeMap;

use table_model::{Condition, Operation, RowRef, ValueRef, limits::TRANSACTION_OPERATIONS};

use super::{MOST_LISTED, index_of};
use crate::{
    Address, Difference, DifferenceKind, Error, Job, Pending, RepairStatus, Sweep, TableEntity, Tables,
    apply::verdict::ATTEMPTS,
    core::{
        cross_partition_row::{SOURCE, parse_source},
        entity_types::EntityInfo,
        list::{Ids, Pair, Pairs},
        proof::{is_derived_list, is_derived_row},
        reserved::entity_type,
        rule::Rule,
        table::table_named,
    },
    maintain::{
        extended::{are_only_in_row, is_extended_list, undeclared},
        sweep::{Sort, Walk, WalkPage, address_of, of_all_versions},
    },
    pattern::lookup::apply::Holder,
};

/// Job of [`Tables::remove_index_rows`].
#[derive(Clone, Copy, Debug)]
pub struct RemoveIndexRows {
    kind: EntityInfo,
    /// The index of the newest version. `None` if there is no such index.
    rule: Option<Rule>,
    is_dry: bool,
}

/// Result of [`Tables::remove_index_rows`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct RemovedRows {
    /// Number of rows and blobs that were deleted or, in a dry run, would be.
    pub removed: u64,
    /// Rows at keys of the index that were not written as its rows, at most 1,000. Each of them may be an entity that
    /// was stored with another key, so it remains. So do rows of the index with a property that another client added:
    /// neither a version of the type nor the entity has it.
    pub left: Vec<Difference>,
    /// Number of such rows, also of those that are not listed.
    pub left_count: u64,
}

/// What a row at a key of the index is.
enum Found {
    /// A row or a list of the index.
    Derived,
    /// A row that may be an entity, or that contains what another client added.
    Unknown,
    /// A row that does not belong to the index, or that other entities need.
    Other,
}

impl Tables {
    /// Deletes the rows of an index or the lists of a lookup that is being removed.
    ///
    /// Only rows that were written as rows of an index are deleted, each in the version that was read. A row that only
    /// has such a key remains, and [`RemovedRows::left`] lists it: it may be an entity. Move such an entity to its
    /// current key, or delete the row, then run the job again. A row to which another client added a property remains
    /// as well: move the property elsewhere, and delete it or the row.
    ///
    /// Run it with the struct that still declares the index, after all writers run a version without it and
    /// [`catch_up`](Self::catch_up) has applied their commits. A process that still declares the index would write its
    /// rows again. Rows of all versions up to that of the type are deleted. Rows of other entity types remain, as do
    /// lists that also contain entities of another type.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # #[table(index(by_badge, row = "badge_{badge:08}_{id:06}", copy()))]
    /// # struct Employee { department: String, id: u32, badge: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?;
    /// tables.insert(&Employee { department: "Sales".into(), id: 1, badge: 7 }).await?;
    /// let report = tables.remove_index_rows::<Employee>("by_badge").run().await?;
    /// assert_eq!((report.removed, report.left_count), (1, 0));
    /// assert!(Employee::by_badge_rows("Sales").at(7).all(&tables).await?.is_empty());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn remove_index_rows<E: TableEntity>(&self, index: &str) -> Sweep<RemoveIndexRows> {
        RemoveIndexRows::of(self, EntityInfo::of::<E>(), index)
    }
}

impl RemoveIndexRows {
    /// Creates a sweep for an index of an entity type.
    pub(crate) fn of(tables: &Tables, kind: EntityInfo, index: &str) -> Sweep<Self> {
        let found = index_of(kind.newest(), index);
        let rule = found.as_ref().ok().map(|(rule, _)| *rule);
        let walk = found.and_then(|(rule, found)| {
            let job = format!("remove {}", found.name);
            if found.in_blobs() {
                return Walk::new(&job, kind.name(), Vec::new(), None).with_blobs(kind, Some(rule));
            }
            // A placeholder row has no entity type.
            let filter = if found.near { of_all_versions(kind.newest()) } else { None };
            Ok(Walk::new(&job, kind.name(), vec![table_named(found.table)?], filter))
        });
        Sweep::new(tables, Self { kind, rule, is_dry: false }, walk)
    }

    /// Returns what a row is. The entity of a row is only read if the row has a property that no version declares.
    async fn judge(&self, tables: &Tables, page: &WalkPage, row: RowRef<'_>) -> Result<Found, Error> {
        let found = self.find(tables, page, row);
        if matches!(found, Found::Derived) && self.is_extended(tables, row).await? {
            return Ok(Found::Unknown);
        }
        Ok(found)
    }

    /// Returns `true` if a row of the index has a property that neither a version of the type nor the entity has.
    async fn is_extended(&self, tables: &Tables, row: RowRef<'_>) -> Result<bool, Error> {
        let Some(rule) = self.rule else { return Ok(false) };
        if let Some(is_extended) = rule.index().and_then(|index| is_extended_list(index, row)) {
            return Ok(is_extended);
        }
        let named = match row.properties.get(SOURCE) {
            Some(ValueRef::String(source)) => parse_source(source),
            _ => self.kind.owner(rule, row),
        };
        are_only_in_row(tables, &undeclared(self.kind, rule, row), named.as_ref()).await
    }

    /// Returns what a row is by its keys and its proof.
    fn find(&self, tables: &Tables, page: &WalkPage, row: RowRef<'_>) -> Found {
        let Some(own) = self.rule else { return Found::Other };
        let Some(index) = own.index() else { return Found::Other };
        let is_derived = match Sort::of(self.kind, tables.source(&page.table), row) {
            _ if self.is_newer(row) => return Found::Other,
            Sort::List(rule) if rule.is(own) && self.is_shared(row) => return Found::Other,
            Sort::List(rule) if rule.is(own) => is_derived_list(index, row),
            Sort::Row(rule) if rule.is(own) && self.is_of_another_table(row) => {
                return Found::Other;
            }
            Sort::Row(rule) if rule.is(own) => is_derived_row(index, row),
            _ => return Found::Other,
        };
        if is_derived { Found::Derived } else { Found::Unknown }
    }

    /// Deletes one row, which concurrent processes may change, and counts it.
    async fn remove(
        &self,
        tables: &Tables,
        page: &WalkPage,
        address: &Address,
        report: &mut RemovedRows,
    ) -> Result<(), Error> {
        for _ in 0..ATTEMPTS {
            let rows = tables.read(address, None).await?;
            let Some(row) = rows.get(0) else { return Ok(()) };
            match self.judge(tables, page, row).await? {
                Found::Derived => {}
                Found::Unknown => {
                    report.left.push(self.unknown(address.clone()));
                    return Ok(());
                }
                Found::Other => return Ok(()),
            }
            match tables.execute(&page.table, &delete(address, row)).await {
                Ok(_) => {
                    report.removed += 1;
                    return Ok(());
                }
                Err(error) if error.is_conflict() || error.is_not_found() => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::Contended { address: Box::new(address.clone()), attempts: ATTEMPTS })
    }

    /// Returns `true` if the row names an entity in another table: a type there has an index with the same keys.
    fn is_of_another_table(&self, row: RowRef<'_>) -> bool {
        let Some(ValueRef::String(source)) = row.properties.get(SOURCE) else { return false };
        parse_source(source)
            .is_some_and(|entity| !entity.table.as_str().eq_ignore_ascii_case(self.kind.newest().table))
    }

    /// Returns `true` if a newer version wrote the row. It may have another index with such keys.
    fn is_newer(&self, row: RowRef<'_>) -> bool {
        entity_type(row).is_some_and(|written| self.kind.newest().newer_version(written).is_some())
    }

    fn is_foreign(&self, pair: &Pair) -> bool {
        let (partition_key, row_key) = pair.keys();
        !self.kind.has_keys(partition_key, row_key)
    }

    /// Returns `true` if a list row has members of another entity type. Such a row must remain.
    fn is_shared(&self, row: RowRef<'_>) -> bool {
        let Some(index) = self.rule.and_then(Rule::index) else { return false };
        let (Some(ids), Some(partition_key)) = (index.ids(), row.partition_key) else { return false };
        if index.near {
            let is_foreign = |id: &String| !self.kind.has_keys(partition_key, id);
            return Ids::read(ids, row.properties).is_ok_and(|ids| ids.from(None).iter().any(is_foreign));
        }
        Pairs::read(ids, row.properties).is_ok_and(|members| members.iter().any(|pair| self.is_foreign(pair)))
    }
}

impl Sweep<RemoveIndexRows> {
    /// Counts the rows that would be deleted. Deletes nothing.
    pub fn dry_run(mut self) -> Self {
        self.job().is_dry = true;
        self
    }
}

impl Job for RemoveIndexRows {
    type Report = RemovedRows;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, RemovedRows> {
        Box::pin(async move {
            let mut report = RemovedRows::default();
            let mut partitions: BTreeMap<&str, Vec<(Address, Operation)>> = BTreeMap::new();
            for row in &page.rows {
                let Some((address, partition_key)) = address_of(&page.table, row).zip(row.partition_key)
                else {
                    continue;
                };
                match self.judge(tables, page, row).await? {
                    Found::Derived if self.is_dry => report.removed += 1,
                    Found::Derived => {
                        let delete = delete(&address, row);
                        partitions.entry(partition_key).or_default().push((address, delete));
                    }
                    Found::Unknown => report.left.push(self.unknown(address)),
                    Found::Other => {}
                }
            }
            for name in &page.blobs {
                let Some(index) = page.lookup.and_then(Rule::index) else { continue };
                let holder = Holder::of_blob(index, &page.table, name.clone())?;
                let stock = holder.read(tables).await?;
                if stock.is_some_and(|stock| stock.members.iter().any(|pair| self.is_foreign(pair))) {
                    continue;
                }
                report.removed += u64::from(self.is_dry || holder.remove(tables).await?);
            }
            for some in partitions.values().flat_map(|rows| rows.chunks(TRANSACTION_OPERATIONS)) {
                let operations: Vec<Operation> = some.iter().map(|(_, delete)| delete.clone()).collect();
                match tables.service().transact(&page.table, &operations).await.map_err(Error::from) {
                    Ok(done) => report.removed += done.len() as u64,
                    // A concurrent process changed one of the rows, so each of them is read again.
                    Err(error) if error.is_conflict() || error.is_not_found() => {
                        for (address, _) in some {
                            self.remove(tables, page, address, &mut report).await?;
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
            report.left_count = report.left.len() as u64;
            Ok(report)
        })
    }

    fn add(report: &mut RemovedRows, page: RemovedRows) {
        report.removed += page.removed;
        report.left_count += page.left_count;
        let room = MOST_LISTED.saturating_sub(report.left.len());
        report.left.extend(page.left.into_iter().take(room));
    }
}

impl RemoveIndexRows {
    fn unknown(&self, address: Address) -> Difference {
        let index = self.rule.map(Rule::name);
        let (what, repair) = (DifferenceKind::Unknown, RepairStatus::Left);
        Difference { what, index, address, entity: None, repair, cause: None }
    }
}

/// Returns the deletion of a row in the version that was read.
fn delete(address: &Address, row: RowRef<'_>) -> Operation {
    let Address { partition_key, row_key, .. } = address.clone();
    Operation::Delete { partition_key, row_key, condition: Condition::Matches(row.etag.clone()) }
}

use std::collections::BTreeMap;

use table_model::{Condition, Operation, RowRef, limits::TRANSACTION_OPERATIONS};

use super::index_of;
use crate::{
    Error, Job, Pending, Sweep, TableEntity, Tables,
    core::{
        kinds::Kind,
        list::{Ids, Pair, Pairs},
        reserved::entity_type,
        table::table_named,
    },
    maintain::sweep::{Sort, Walk, WalkPage, of_all_versions},
    pattern::lookup::apply::Holder,
};

/// Job of [`Tables::remove_index_rows`].
#[derive(Clone, Copy, Debug)]
pub struct RemoveIndexRows {
    kind: Kind,
    number: usize,
}

impl Tables {
    /// Deletes the rows of an index or the lists of a lookup that is being removed. The report is the number of rows or
    /// blobs.
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
    /// assert_eq!(tables.remove_index_rows::<Employee>("by_badge").run().await?, 1);
    /// assert!(Employee::by_badge_rows("Sales").at(7).all(&tables).await?.is_empty());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn remove_index_rows<E: TableEntity>(&self, index: &str) -> Sweep<RemoveIndexRows> {
        RemoveIndexRows::of(self, Kind::of::<E>(), index)
    }
}

impl RemoveIndexRows {
    /// Creates a sweep for an index of an entity type.
    pub(crate) fn of(tables: &Tables, kind: Kind, index: &str) -> Sweep<Self> {
        let found = index_of(kind.design, index);
        let number = found.as_ref().map_or(usize::MAX, |(number, _)| *number);
        let walk = found.and_then(|(_, found)| {
            let job = format!("remove {}", found.name);
            if found.in_blobs() {
                return Walk::new(&job, kind.design.name, Vec::new(), None)
                    .with_blobs(kind.design, Some(number));
            }
            // A placeholder row has no entity type.
            let filter = if found.near { of_all_versions(kind.design) } else { None };
            Ok(Walk::new(&job, kind.design.name, vec![table_named(found.table)?], filter))
        });
        Sweep::new(tables, Self { kind, number }, walk)
    }

    /// Returns `true` if a newer version wrote the row. It may have another index with such keys.
    fn is_newer(&self, row: RowRef<'_>) -> bool {
        entity_type(row).is_some_and(|written| self.kind.design.newer_version(written).is_some())
    }

    fn is_foreign(&self, pair: &Pair) -> bool {
        let (partition_key, row_key) = pair.keys();
        !self.kind.has_keys(partition_key, row_key)
    }

    /// Returns `true` if a list row has members of another entity type. Such a row must remain.
    fn is_shared(&self, row: RowRef<'_>) -> bool {
        let Some(index) = self.kind.design.indexes.get(self.number) else { return false };
        let (Some(ids), Some(partition_key)) = (index.ids(), row.partition_key) else { return false };
        if index.near {
            let is_foreign = |id: &String| !self.kind.has_keys(partition_key, id);
            return Ids::read(ids, row.properties).is_ok_and(|ids| ids.from(None).iter().any(is_foreign));
        }
        Pairs::read(ids, row.properties).is_ok_and(|members| members.iter().any(|pair| self.is_foreign(pair)))
    }
}

impl Job for RemoveIndexRows {
    type Report = u64;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, u64> {
        Box::pin(async move {
            let mut partitions: BTreeMap<&str, Vec<Operation>> = BTreeMap::new();
            for row in &page.rows {
                let Some((partition_key, row_key)) = row.partition_key.zip(row.row_key) else { continue };
                if self.is_newer(row) {
                    continue;
                }
                let sort = Sort::of(self.kind, tables.source(&page.table), row);
                if matches!(sort, Sort::List(number) if number == self.number) && self.is_shared(row) {
                    continue;
                }
                if matches!(sort, Sort::Row(number) | Sort::List(number) if number == self.number) {
                    let condition = Condition::Exists;
                    let (pk, row_key) = (partition_key.to_owned(), row_key.to_owned());
                    let delete = Operation::Delete { partition_key: pk, row_key, condition };
                    partitions.entry(partition_key).or_default().push(delete);
                }
            }
            let mut removed = 0;
            for name in &page.blobs {
                let Some(index) = self.kind.design.indexes.get(page.lookup) else { continue };
                let holder = Holder::of_blob(index, &page.table, name.clone())?;
                let stock = holder.read(tables).await?;
                if stock.is_some_and(|stock| stock.members.iter().any(|pair| self.is_foreign(pair))) {
                    continue;
                }
                removed += u64::from(holder.remove(tables).await?);
            }
            for some in partitions.values().flat_map(|rows| rows.chunks(TRANSACTION_OPERATIONS)) {
                match tables.service().transact(&page.table, some).await.map_err(Error::from) {
                    Ok(done) => removed += done.len() as u64,
                    // A concurrent process deleted one of the rows, so delete each row separately.
                    Err(error) if error.is_not_found() => {
                        for one in some {
                            match tables.execute(&page.table, one).await {
                                Ok(_) => removed += 1,
                                Err(error) if error.is_not_found() => {}
                                Err(error) => return Err(error),
                            }
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(removed)
        })
    }

    fn add(report: &mut u64, page: u64) {
        *report += page;
    }
}

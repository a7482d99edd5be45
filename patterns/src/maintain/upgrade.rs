//! Upgrades: rewrites rows of older versions of a type as the newest version.

use std::{fmt, marker::PhantomData};

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    Address, Error, Job, Pending, Sweep, TableEntity, Tables,
    core::{entity::Writable, entity_types::EntityInfo, error::may_pass, table::table_of},
    maintain::sweep::{Walk, WalkPage, address_of, of_types},
};

/// Number of entities that are written concurrently.
pub(super) const AT_ONCE: usize = 16;
/// Maximum number of attempts for one entity after concurrent writes.
pub(super) const ATTEMPTS: u32 = 64;
/// Maximum number of failures in the report.
const MOST_LISTED: usize = 1_000;

/// The job of [`Tables::upgrade`].
pub struct Upgrade<E>(PhantomData<fn() -> E>);

/// Result of an upgrade.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct UpgradeReport {
    /// Number of entities that were written as the newest version.
    pub written: u64,
    /// Entities that are unchanged, at most 1,000, because they cannot be decoded or their rows cannot be written.
    pub failed: Vec<(Address, Error)>,
}

impl UpgradeReport {
    pub(super) fn count(&mut self, address: Address, outcome: Result<bool, Error>) {
        match outcome {
            Ok(was_written) => self.written += u64::from(was_written),
            Err(error) => self.failed.push((address, error)),
        }
    }

    pub(super) fn append(&mut self, page: Self) {
        self.written += page.written;
        let room = MOST_LISTED.saturating_sub(self.failed.len());
        self.failed.extend(page.failed.into_iter().take(room));
    }
}

impl Tables {
    /// Creates a sweep that reads the entities that were written by older versions of a type, or under an alternative
    /// name, and writes them as the newest version. Concurrent writes are safe; an entity that is changed concurrently
    /// is read again.
    ///
    /// The sweep finds old rows by `EntityType`. If the type stores no `EntityType`, the sweep does nothing. Rows of an
    /// index that only the older version had are kept: see [`remove_index_rows`](Self::remove_index_rows).
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
    /// struct EmployeeV1 { department: String, id: u32, name: String }
    ///
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(version = 2, from(EmployeeV1))]
    /// struct Employee { department: String, id: u32, first_name: String }
    ///
    /// impl From<EmployeeV1> for Employee {
    ///     fn from(old: EmployeeV1) -> Self {
    ///         Self { department: old.department, id: old.id, first_name: old.name }
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&EmployeeV1 { department: "Sales".into(), id: 1, name: "Jo".into() }).await?;
    /// assert_eq!(tables.upgrade::<Employee>().run().await?.written, 1);
    /// assert_eq!(tables.upgrade::<Employee>().run().await?.written, 0);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn upgrade<E: TableEntity>(&self) -> Sweep<Upgrade<E>> {
        let design = E::DESIGN;
        let older = design.entity_types().filter(|name| Some(*name) != design.entity_type);
        let walk = match of_types(older).filter(|_| design.entity_type.is_some() && design.wide.is_none()) {
            Some(filter) => {
                table_of(design).map(|table| Walk::new("upgrade", design.name, vec![table], Some(filter)))
            }
            None => Ok(Walk::new("upgrade", design.name, Vec::new(), None)),
        };
        Sweep::new(self, Upgrade(PhantomData), walk)
    }
}

impl<E: TableEntity> Job for Upgrade<E> {
    type Report = UpgradeReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, UpgradeReport> {
        Box::pin(async move {
            let addresses = page.rows.iter().filter_map(|row| address_of(&page.table, row));
            let work: Vec<Pending<'_, _>> = addresses.map(|address| write::<E>(tables, address)).collect();
            let done: Vec<_> = stream::iter(work).buffered(AT_ONCE).try_collect().await?;
            let mut report = UpgradeReport::default();
            for (address, outcome) in done {
                report.count(address, outcome);
            }
            Ok(report)
        })
    }

    fn add(report: &mut UpgradeReport, page: UpgradeReport) {
        report.append(page);
    }
}

/// Returns whether an entity was written, or the error if it is not transient.
fn write<E: TableEntity>(tables: &Tables, address: Address) -> Pending<'_, (Address, Result<bool, Error>)> {
    Box::pin(async move {
        match upgraded::<E>(tables, &address).await {
            Err(error) if may_pass(&error) => Err(error),
            outcome => Ok((address, outcome)),
        }
    })
}

async fn upgraded<E: TableEntity>(tables: &Tables, address: &Address) -> Result<bool, Error> {
    for _ in 0..ATTEMPTS {
        let rows = tables.read(address, None).await?;
        let Some(row) = rows.get(0).filter(|row| EntityInfo::of::<E>().is_older(*row)) else {
            return Ok(false);
        };
        let stored = match <E as Writable>::stored(tables.source(&address.table), row) {
            // The row belongs to an index, or has another entity type.
            Err(Error::Decode(error)) if error.is_foreign() => return Ok(false),
            other => other?,
        };
        match tables.replace(&stored).await {
            Ok(_) => return Ok(true),
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::Contended { address: Box::new(address.clone()), attempts: ATTEMPTS })
}

impl<E> fmt::Debug for Upgrade<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Upgrade")
    }
}

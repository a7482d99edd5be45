//! The job that retires the older versions of a type: their writers are rejected before the rows are searched.
//!
//! A version is retired only if all of this happened, in this order:
//!
//! 1. The registry rejects programs of the version. A program uses what it read for [`LEASE`](crate::LEASE), and its last
//!    request takes effect within [`MAX_REQUEST_AGE`](crate::MAX_REQUEST_AGE).
//! 2. After that, every entity in an older version is upgraded. No further one can appear.
//! 3. The commits that exist after that are applied. A row in another partition then shows a current entity, and a
//!    slower worker that read the entity before cannot write it any more (`apply`).
//! 4. A scan that starts after that finds no row of an older version in any table of the entity.
//!
//! Each state is a conditional write of the registry row, so any process can continue, and concurrent runs are safe.

mod pages;
mod target;
mod turn;

use std::{fmt, time::Duration};

pub(crate) use self::target::Places;
use futures_timer::Delay;

use self::target::Target;
use crate::{Address, Error, Pending, RegistryError, RetirementState, TableEntity, Tables};

/// Retirement of the older versions of an entity type while programs write it, returned by [`Tables::retire`] and
/// [`Tables::retire_by_design`].
///
/// [`run`](Self::run) performs the complete retirement, which waits some minutes until no program of an older version
/// can write. [`step`](Self::step) processes one page of rows or advances to the next state. The progress is stored in
/// the registry, so a retirement can be interrupted at any time and continued by any process. Concurrent runs are safe.
/// [`cancel`](Self::cancel) is the way back, until the versions are retired.
#[derive(Debug)]
#[must_use = "a retirement does nothing until it is run"]
pub struct Retirement {
    tables: Tables,
    target: Result<Target, Error>,
    page: Option<u32>,
    per_second: Option<u32>,
}

/// Result of one step of a [`Retirement`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RetirementStep {
    /// The retirement is now in this state.
    Advanced(RetirementState),
    /// The retirement remains in its state for at least this duration.
    Wait(Duration),
    /// Number of rows processed in the current state.
    Rows(u64),
    /// Rows of older versions that the job cannot upgrade, at most one page. After they are upgraded or deleted, the next
    /// step continues; if the scan found them, it starts again.
    Stuck(Vec<OlderRow>),
    /// The older versions are retired.
    Done,
}

/// A row that prevents the retirement of its version.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OlderRow {
    /// Address of the row.
    pub address: Address,
    /// Version of the row. `None` if it is unknown.
    pub version: Option<u32>,
    /// The reason, and the remedy.
    pub reason: String,
}

impl fmt::Display for OlderRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.address, self.reason)
    }
}

impl Tables {
    /// Retires the versions before that of a type: programs of these versions can no longer write, and no row of them
    /// remains.
    ///
    /// Deploy programs of the version of the type first, on handles with the [registry](Self::with_registry), and end the
    /// older programs. From the first step on, the registry rejects writes and deletes of those that still run, with
    /// [`RegistryError::VersionTooOld`]; they can read. After the wait for their last requests, the job upgrades the rows
    /// of older versions, and reads all rows of the tables of the type and of its indexes. The versions are retired if
    /// that finds no row of them. Then `from(..)` can be removed from the type.
    ///
    /// Of an entity with a table for each period, the tables of all periods are read. Programs can create and drop tables at
    /// any time.
    ///
    /// The rows of the declared archive and the records of the change feed are upgraded and searched as well. Programs
    /// without the registry, and rows in backups and other tables, are not affected, and are not found.
    ///
    /// ```no_run
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
    /// # struct EmployeeV1 { department: String, id: u32, name: String }
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # #[table(version = 2, from(EmployeeV1))]
    /// # struct Employee { department: String, id: u32, first_name: String }
    /// # impl From<EmployeeV1> for Employee {
    /// #     fn from(old: EmployeeV1) -> Self {
    /// #         Self { department: old.department, id: old.id, first_name: old.name }
    /// #     }
    /// # }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::open("company.tables")?.with_registry();
    /// tables.retire::<Employee>().max_rows_per_second(500).run().await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn retire<E: TableEntity>(&self) -> Retirement {
        let target = Target::of::<E>(self);
        Retirement { tables: self.clone(), target, page: None, per_second: None }
    }
}

impl Retirement {
    /// Creates the retirement of the versions of an entity before this one, without its type. The first name is that in the
    /// registry; the others are former names. Without names, it has no versions.
    pub(crate) fn by_names(
        tables: &Tables,
        entity: &str,
        version: u32,
        places: Places,
        names: Vec<String>,
    ) -> Self {
        let target = Target::by_names(entity, version, places, names);
        Self { tables: tables.clone(), target, page: None, per_second: None }
    }

    /// Sets the number of rows per request: 1 to 1,000. The default is 200.
    pub const fn page_size(mut self, rows: u32) -> Self {
        self.page = Some(rows);
        self
    }

    /// Sets the maximum number of rows processed per second.
    pub const fn max_rows_per_second(mut self, per_second: u32) -> Self {
        self.per_second = Some(per_second);
        self
    }

    /// Advances by one state or one page of rows, unless a wait is required.
    ///
    /// # Errors
    /// Returns [`RegistryError::NoVersions`] if the type stores no `EntityType`, [`RegistryError::VersionTooOld`] if
    /// a newer version is being retired, [`Error::Registry`] if the handle does not use a registry or the type is not
    /// registered, and [`Error::Service`] if a request fails.
    pub fn step(&self) -> Pending<'_, RetirementStep> {
        Box::pin(async move {
            match &self.target {
                Ok(target) => self.turn(target).await,
                Err(error) => Err(error.clone()),
            }
        })
    }

    /// Runs the complete retirement.
    ///
    /// # Errors
    /// Returns [`RegistryError::VersionsLeft`] if rows cannot be upgraded, and the errors of [`step`](Self::step).
    pub fn run(self) -> Pending<'static, ()> {
        Box::pin(async move {
            loop {
                match self.step().await? {
                    RetirementStep::Done => return Ok(()),
                    RetirementStep::Wait(rest) => Delay::new(rest).await,
                    RetirementStep::Advanced(_) | RetirementStep::Rows(_) => {}
                    RetirementStep::Stuck(rows) => {
                        let Target { entity, version, .. } = self.target?;
                        let (count, first) = (rows.len(), rows.first().map(OlderRow::to_string));
                        let first = first.unwrap_or_default();
                        return Err(RegistryError::VersionsLeft { entity, version, count, first }.into());
                    }
                }
            }
        })
    }

    /// Ends the retirement, so that programs of the older versions can write again: each of them as soon as it reads the
    /// registry, within [`LEASE`](crate::LEASE). Has no effect if no retirement is in progress. Upgraded rows remain
    /// upgraded.
    ///
    /// # Errors
    /// Returns [`RegistryError::Retired`] if the versions are retired already, and the errors of [`step`](Self::step).
    pub fn cancel(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            match &self.target {
                Ok(target) => self.turn_back(target).await,
                Err(error) => Err(error.clone()),
            }
        })
    }
}

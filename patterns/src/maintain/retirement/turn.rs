//! One step of a retirement.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use table_model::{Condition, Operation};

use super::{
    OlderRow, Retirement, RetirementStep,
    pages::Page,
    target::{By, Target},
};
use crate::{
    Error, LEASE, RegistryError, RetirementState,
    core::table::table_named,
    handle::registry::{
        TABLE,
        known::Registry,
        versions::{Progress, VersionFloor, VersionStatus, now_row},
    },
    maintain::{registry::turn, sweep::keep_pace},
    pattern::changes::rewrite::is_of_feed,
};

/// Maximum number of attempts to end a retirement while other processes continue it.
const ATTEMPTS: u32 = 64;

impl Retirement {
    pub(super) async fn turn(&self, target: &Target) -> Result<RetirementStep, Error> {
        let status = self.status(target).await?;
        let version = target.version;
        if status.min_write > version {
            let entity = target.entity.clone();
            return Err(RegistryError::VersionTooOld { entity, version, required: status.min_write }.into());
        }
        if status.lowest() >= version {
            return Ok(RetirementStep::Done);
        }
        let began = Instant::now();
        match status.state.filter(|_| status.min_write == version) {
            Some(RetirementState::Rejecting) => {
                let now = now_row(&target.table, &target.stored);
                // Programs of older versions can use what they read before, and their last requests can be in flight.
                match turn::rest(&self.tables, now, status.since).await? {
                    Some(rest) => Ok(RetirementStep::Wait(rest)),
                    None => self.enter(&status, RetirementState::Upgrading, Progress::default()).await,
                }
            }
            Some(RetirementState::Upgrading) => {
                let page = self.upgrade_page(target, &status).await?;
                self.advance(target, &status, page, began).await
            }
            Some(RetirementState::Applying) => {
                let page = self.commit_page(target, &status).await?;
                self.advance(target, &status, page, began).await
            }
            Some(RetirementState::Scanning) => self.scan(target, &status, began).await,
            Some(RetirementState::Retired) | None => {
                let next = VersionStatus {
                    min_write: version,
                    state: Some(RetirementState::Rejecting),
                    progress: Progress::default(),
                    ..status.clone()
                };
                self.write(&status, &next).await?;
                Ok(RetirementStep::Advanced(RetirementState::Rejecting))
            }
        }
    }

    pub(super) async fn turn_back(&self, target: &Target) -> Result<(), Error> {
        for _ in 0..ATTEMPTS {
            let status = self.status(target).await?;
            let lowest = status.lowest();
            if lowest >= target.version && lowest > 1 {
                let (entity, version) = (target.entity.clone(), lowest);
                return Err(RegistryError::Retired { entity, version }.into());
            }
            if status.min_write <= lowest {
                return Ok(());
            }
            let next = VersionStatus {
                min_write: lowest,
                state: status.floor.map(|_| RetirementState::Retired),
                progress: Progress::default(),
                ..status.clone()
            };
            self.write(&status, &next).await?;
        }
        let address = crate::Address {
            table: table_named(TABLE)?,
            partition_key: target.table.to_lowercase(),
            row_key: format!("schema_{}", target.stored),
        };
        Err(Error::Contended { address: Box::new(address), attempts: ATTEMPTS })
    }

    /// Reads the registry, past the cached state.
    async fn status(&self, target: &Target) -> Result<VersionStatus, Error> {
        let states = match target.by {
            By::Type { design, .. } => {
                let registry = self.tables.registry().ok_or(RegistryError::None)?;
                registry.forget();
                let states = registry.states(&self.tables, design).await?;
                // A program that moves entities writes the older type as well.
                states.check_unmoved(design)?;
                states
            }
            By::Design => Arc::new(Registry::read_table(&self.tables, &target.table, Duration::ZERO).await?),
        };
        let found = states.versions_of(&target.stored)?.cloned();
        found.ok_or_else(|| RegistryError::Unregistered { entity: target.entity.clone() }.into())
    }

    /// Processes a page of the scan. A row of an older version ends it: it starts again after the row is upgraded.
    async fn scan(
        &self,
        target: &Target,
        status: &VersionStatus,
        began: Instant,
    ) -> Result<RetirementStep, Error> {
        let page = self.scan_page(target, status).await?;
        if !page.found.is_empty() {
            let step = self.enter(status, RetirementState::Upgrading, Progress::default()).await?;
            // A write of the newest version can have recorded an older previous state behind the upgrade.
            let is_record = |row: &OlderRow| is_of_feed(&row.address.row_key);
            let is_upgraded = matches!(target.by, By::Type { .. }) && page.found.iter().all(is_record);
            return Ok(if is_upgraded { step } else { RetirementStep::Stuck(page.found) });
        }
        let Some(since) = status.progress.started.filter(|_| page.cursor.is_none()) else {
            return self.advance(target, status, page, began).await;
        };
        let floor = VersionFloor { version: status.min_write, rows: page.rows, started: since };
        let state = RetirementState::Retired;
        let (state, floor, progress) = (Some(state), Some(floor), Progress::default());
        self.write(status, &VersionStatus { state, floor, progress, ..status.clone() }).await?;
        Ok(RetirementStep::Advanced(RetirementState::Retired))
    }

    /// Stores the position after a page, or enters the next state after the last page.
    async fn advance(
        &self,
        target: &Target,
        status: &VersionStatus,
        page: Page,
        began: Instant,
    ) -> Result<RetirementStep, Error> {
        if !page.found.is_empty() {
            // The cursor stays before this page: the next step processes it again.
            return Ok(RetirementStep::Stuck(page.found));
        }
        let Some(cursor) = page.cursor else {
            let is_followed = target.is_followed();
            return match status.state {
                Some(RetirementState::Upgrading) if is_followed => {
                    self.enter(status, RetirementState::Applying, Progress::default()).await
                }
                _ => {
                    let now = now_row(&target.table, &target.stored);
                    let Some(now) = turn::time(&self.tables, now).await? else {
                        return Ok(RetirementStep::Wait(LEASE));
                    };
                    let progress = Progress { cursor: None, started: Some(now) };
                    self.enter(status, RetirementState::Scanning, progress).await
                }
            };
        };
        let progress = Progress { cursor: Some(cursor.to_string()), ..status.progress.clone() };
        self.write(status, &VersionStatus { progress, ..status.clone() }).await?;
        if let Some(per_second) = self.per_second {
            keep_pace(began, page.read, per_second).await;
        }
        Ok(RetirementStep::Rows(page.rows))
    }

    async fn enter(
        &self,
        status: &VersionStatus,
        state: RetirementState,
        progress: Progress,
    ) -> Result<RetirementStep, Error> {
        self.write(status, &VersionStatus { state: Some(state), progress, ..status.clone() }).await?;
        Ok(RetirementStep::Advanced(state))
    }

    /// Writes the status, unless another process changed it. The next step reads the result.
    async fn write(&self, status: &VersionStatus, next: &VersionStatus) -> Result<(), Error> {
        let replace = Operation::Replace(next.row(), Condition::Matches(status.etag.clone()));
        turn::write(&self.tables, &replace).await
    }
}

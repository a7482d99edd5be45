//! Pages of rows: upgrades, commits, and the scan.

use table_model::Filter;

use super::{
    OlderRow, Retirement,
    target::{By, NAMES, Places, Target},
};
use crate::{
    Cursor, Error, Pending, TableEntity, Tables,
    apply::{Applied, follow_row},
    core::{
        outbox::{Commit, FIRST, LAST},
        proof::is_derived,
    },
    handle::registry::versions::VersionStatus,
    maintain::sweep::{Walk, WalkPage, address_of},
};

/// A processed page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Position after the page. `None` after the last page.
    pub(super) cursor: Option<Cursor>,
    /// Rows processed in the current state.
    pub(super) rows: u64,
    /// Rows of this page.
    pub(super) read: u64,
    /// Rows that prevent the retirement.
    pub(super) found: Vec<OlderRow>,
}

/// Upgrades the entities of one page, from a position, with a number of rows.
pub(super) type UpgradePage = for<'t> fn(&'t Tables, Option<Cursor>, Option<u32>) -> Pending<'t, Page>;

pub(super) fn upgrade_page<E: TableEntity>(
    tables: &Tables,
    from: Option<Cursor>,
    rows: Option<u32>,
) -> Pending<'_, Page> {
    Box::pin(async move {
        let mut sweep = tables.upgrade::<E>();
        if let Some(rows) = rows {
            sweep = sweep.page_size(rows);
        }
        // The cursor of another job does not apply. The sweep then starts again.
        if let Some(cursor) = from {
            drop(sweep.resume_at(cursor));
        }
        let before = sweep.rows();
        let is_more = sweep.step().await?;
        let failed = sweep.report().failed.iter().map(|(address, error)| OlderRow {
            address: address.clone(),
            version: None,
            reason: format!("it cannot be upgraded: {error}"),
        });
        let (rows, cursor) = (sweep.rows(), sweep.cursor().filter(|_| is_more));
        Ok(Page { cursor, rows, read: rows - before, found: failed.collect() })
    })
}

impl Retirement {
    /// Upgrades the entities of one page or, by a design, searches for those in older versions.
    pub(super) async fn upgrade_page(&self, target: &Target, status: &VersionStatus) -> Result<Page, Error> {
        if let By::Type { upgrade, .. } = target.by {
            return upgrade(&self.tables, position(status), self.page).await;
        }
        let walk = self.walk("retire: search", target, target.places.own(), None).selecting(NAMES);
        let (walk, page) = self.read(walk, status).await?;
        let rows = page.iter().flat_map(|page| page.rows.iter().map(move |row| (&page.table, row)));
        // The rows of indexes follow their entities, and are found by the scan.
        let found =
            rows.filter(|(_, row)| !is_derived(*row)).filter_map(|(table, row)| target.older(table, row));
        let found = found.collect();
        Ok(after(walk, page, found))
    }

    /// Applies the commits of one page.
    pub(super) async fn commit_page(&self, target: &Target, status: &VersionStatus) -> Result<Page, Error> {
        let commits = Filter::ge("RowKey", FIRST).and(Filter::lt("RowKey", LAST));
        let walk = self.walk("retire: commits", target, target.places.own(), Some(commits));
        let (walk, page) = self.read(walk, status).await?;
        let rows = page.iter().flat_map(|page| page.rows.iter().map(move |row| (&page.table, row)));
        let (rows, mut found): (Vec<_>, _) = (rows.collect(), Vec::new());
        for (table, row) in rows {
            let Some(address) = address_of(table, row) else { continue };
            let Ok(Some(commit)) = Commit::read(table, row) else { continue };
            if !commit.touches.iter().any(|touch| touch.maker.entity == target.stored) {
                continue;
            }
            if let Applied::Left(left) = follow_row(&self.tables, &address, row).await? {
                let reason = format!("a commit that is not applied: {}", left.message);
                found.push(OlderRow { address, version: None, reason });
            }
        }
        Ok(after(walk, page, found))
    }

    /// Reads all rows of one page.
    pub(super) async fn scan_page(&self, target: &Target, status: &VersionStatus) -> Result<Page, Error> {
        let walk = self.walk("retire: scan", target, target.places.clone(), None).selecting(NAMES);
        let (walk, page) = self.read(walk, status).await?;
        let rows = page.iter().flat_map(|page| page.rows.iter().map(move |row| (&page.table, row)));
        let found = rows.filter_map(|(table, row)| target.older(table, row)).collect();
        Ok(after(walk, page, found))
    }

    fn walk(&self, job: &str, target: &Target, places: Places, filter: Option<Filter>) -> Walk {
        let mut walk = places.walk(&format!("{job} {}", target.stored), filter);
        if let Some(rows) = self.page {
            walk.page_size(rows);
        }
        walk
    }

    /// Reads the page at the position in the registry.
    async fn read(&self, mut walk: Walk, status: &VersionStatus) -> Result<(Walk, Option<WalkPage>), Error> {
        // The cursor of another job does not apply, for example of one with the type instead of the design. All rows are
        // then read again.
        if let Some(cursor) = position(status) {
            drop(walk.resume(cursor));
        }
        let page = walk.page(&self.tables).await?;
        Ok((walk, page))
    }
}

/// Returns the position in the registry.
fn position(status: &VersionStatus) -> Option<Cursor> {
    status.progress.cursor.as_ref().and_then(|cursor| cursor.parse().ok())
}

fn after(mut walk: Walk, page: Option<WalkPage>, found: Vec<OlderRow>) -> Page {
    let before = walk.read();
    match page {
        Some(page) => walk.done(page),
        None => walk.finish(),
    }
    Page { cursor: walk.cursor(), rows: walk.read(), read: walk.read() - before, found }
}

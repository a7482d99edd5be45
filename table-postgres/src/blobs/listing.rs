use table_model::{
    ErrorCode, Result, StorageFault,
    blob::{BlobName, BlobsSegment, ContainerName, ListBlobs, ListingStep, ListingWalk},
};
use tokio_postgres::Row;

use super::{
    record::{damaged, decode_blob},
    work::{CURRENT, Stage, time},
};
use crate::{failure::Failure, postgres::Inner};

/// Number of rows that one statement reads at most.
const PAGE: usize = 500;

impl Inner {
    /// Returns the id of a container, and the time.
    pub(super) async fn container_id(
        &self,
        name: &ContainerName,
    ) -> Result<(i64, table_model::Timestamp), Failure> {
        let rows = self.query_blobs(&self.blobs.container, &[&name.as_str()]).await?;
        let row = rows.first().ok_or(ErrorCode::ContainerNotFound)?;
        Ok((row.get(1), time(name.as_str(), row.get(0))?))
    }

    pub(super) async fn list_blobs(
        &self,
        container: &ContainerName,
        request: &ListBlobs,
    ) -> Result<BlobsSegment, Failure> {
        let page = request.results()?.saturating_add(1).min(PAGE);
        let limit = i64::try_from(page).unwrap_or(i64::MAX);
        let (container, now) = self.container_id(container).await?;
        let mut walk = ListingWalk::new(request, now)?;
        let first = walk.first().to_owned();
        let mut from = first.as_bytes().to_vec();
        let mut snapshot = match walk.first_snapshot(&first) {
            Some(snapshot) => snapshot.time().ticks(),
            None => CURRENT,
        };
        // Name whose rows are listed.
        let mut current: Option<BlobName> = None;
        loop {
            let rows = if request.snapshots {
                self.query_blobs(&self.blobs.list_all, &[&container, &from, &snapshot, &limit]).await?
            } else {
                self.query_blobs(&self.blobs.list, &[&container, &from, &limit]).await?
            };
            for row in &rows {
                let bytes: &[u8] = row.get(0);
                if bytes < from.as_slice() {
                    continue;
                }
                let name = name_of(bytes)?;
                let at: i64 = row.get(1);
                let record: &[u8] = row.get(4);
                let state = decode_blob((name.as_str(), row.get(5)), record)?;
                if current.as_ref() != Some(&name) {
                    let is_staged = stage(row)?.is_some_and(|stage| stage.is_kept(now));
                    // A blob with snapshots exists.
                    let is_shown = state.exists() || request.uncommitted && is_staged;
                    match walk.name(&name, is_shown) {
                        ListingStep::List => current = Some(name.clone()),
                        ListingStep::Pass => continue,
                        ListingStep::Behind(place) => {
                            (from, snapshot) = (place, i64::MIN);
                            continue;
                        }
                        ListingStep::Done => return Ok(walk.finish()),
                    }
                }
                let ended = if at == CURRENT {
                    walk.blob(&name, state, record.len())
                } else {
                    walk.snapshot(&name, time(name.as_str(), at)?.into(), state, record.len())
                };
                if ended.is_break() {
                    return Ok(walk.finish());
                }
            }
            let Some(last) = rows.last().filter(|_| rows.len() == page) else { return Ok(walk.finish()) };
            let (name, at): (&[u8], i64) = (last.get(0), last.get(1));
            if name >= from.as_slice() {
                (from, snapshot) = if at == CURRENT || !request.snapshots {
                    ([name, &[0]].concat(), i64::MIN)
                } else {
                    (name.to_vec(), at + 1)
                };
            }
        }
    }
}

pub(super) fn name_of(bytes: &[u8]) -> Result<BlobName, StorageFault> {
    let name = std::str::from_utf8(bytes).ok().and_then(|name| BlobName::new(name).ok());
    name.ok_or_else(|| damaged(&String::from_utf8_lossy(bytes)))
}

fn stage(row: &Row) -> Result<Option<Stage>, StorageFault> {
    let Some(id) = row.get::<_, Option<i64>>(3) else { return Ok(None) };
    Ok(Some(Stage { id, count: 0, last: time("", row.get(2))? }))
}

use std::collections::VecDeque;

use table_model::{
    Bytes, ErrorCode, Pending, Result, StorageFault, TableError,
    blob::{BlobAddress, BlobReader, BlobSource, ReadBlob},
};

use super::content::{number, part_sum, sum};
use crate::{Postgres, failure::Failure, postgres::Inner};

/// Reader of the content of one version, about a mebibyte at a time. Content that was replaced stays for an hour.
struct Reader {
    postgres: Postgres,
    place: Place,
}

/// Remaining range of content.
struct Place {
    /// Container and name, for errors.
    blob: String,
    /// `None` if the blob is empty.
    content: Option<i64>,
    from: u64,
    to: u64,
    /// Received chunks before `from`.
    received: VecDeque<Bytes>,
}

/// Opens a reader of the current version of a blob.
pub(super) async fn open(
    postgres: &Postgres,
    at: &BlobAddress,
    read: &ReadBlob,
) -> Result<BlobReader, Failure> {
    let (stored, now) = postgres.0.present(at, &read.conditions).await?;
    let range = read.range.within(stored.state.length)?;
    let (from, to) = (range.start, range.end);
    let blob = format!("{}/{}", at.container, at.name);
    let place = Place { blob, content: stored.content, from, to, received: VecDeque::new() };
    let mut properties = stored.state.properties(now);
    properties.snapshot = at.snapshot;
    Ok(BlobReader::new(properties, range, Box::new(Reader { postgres: postgres.clone(), place })))
}

impl Place {
    async fn next(&mut self, inner: &Inner) -> Result<Option<Bytes>, Failure> {
        if self.received.is_empty()
            && self.from < self.to
            && let Some(content) = self.content
        {
            self.fetch(inner, content).await?;
        }
        Ok(self.received.pop_front())
    }

    async fn fetch(&mut self, inner: &Inner, content: i64) -> Result<(), Failure> {
        let text = if content < 0 { &inner.blobs.read_parts } else { &inner.blobs.read_chunks };
        let rows = inner.query_blobs(text, &[&content, &number(self.from)?, &number(self.to)?]).await?;
        let before = self.from;
        for row in rows {
            let (start, end): (i64, i64) = (row.get(0), row.get(1));
            let (start, end) = (start.unsigned_abs(), end.unsigned_abs());
            if start > self.from {
                // Long parts: their next chunks come with the next request.
                break;
            }
            let data: Vec<u8> = row.get(3);
            let is_part = content < 0;
            if sum(row.get(4), row.get(5), &data) != row.get::<_, i32>(2)
                || !is_part && row.get::<_, i64>(4) != content
                || is_part && part_sum(row.get(6), row.get(7), row.get(4)) != row.get::<_, i32>(8)
            {
                return Err(self.damaged("does not match its checksum").into());
            }
            let skipped = usize::try_from(self.from - start).unwrap_or(usize::MAX);
            let most = usize::try_from(self.to.min(end) - start).unwrap_or(usize::MAX).min(data.len());
            let data = Bytes::from(data);
            if skipped < most {
                self.received.push_back(data.slice(skipped..most));
                self.from = start + most as u64;
            }
        }
        if self.from > before {
            return Ok(());
        }
        let is_used = inner.query_blobs(&inner.blobs.is_used, &[&content]).await?;
        if is_used.first().is_some_and(|row| row.get(0)) {
            return Err(self.damaged("is missing").into());
        }
        Err(TableError::with_message(
            ErrorCode::ConditionNotMet,
            "The blob was replaced more than an hour ago, and its content was removed. Read it again.",
        )
        .into())
    }

    fn damaged(&self, what: &str) -> StorageFault {
        StorageFault::Corrupt {
            what: format!("blob `{}`: the content at byte {} {what}", self.blob, self.from),
        }
    }
}

impl BlobSource for Reader {
    fn chunk(&mut self) -> Pending<'_, Option<Bytes>> {
        let Self { postgres, place } = self;
        let postgres: &Postgres = postgres;
        postgres.within(async move { place.next(&postgres.0).await.map_err(TableError::from) })
    }
}

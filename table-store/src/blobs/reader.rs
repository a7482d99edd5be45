use bytes::Bytes;
use table_model::{
    Pending, Result,
    blob::{BlobAddress, BlobReader, BlobSource, ReadBlob},
};

use super::{
    chunks::{chunk_at, locate},
    pins::Pin,
    read,
    record::Contents,
};
use crate::{Store, engine};

/// Reader of the chunks of one version of a blob. Each chunk is read in a separate snapshot. A slow reader therefore
/// retains only the content that it reads, not old pages of the whole store.
struct Reader {
    store: Store,
    contents: Contents,
    /// Size of the blob in bytes.
    length: u64,
    /// Remaining range to read.
    from: u64,
    to: u64,
    /// Last content that was located: its id, and its start and end in the blob.
    current: Option<(super::place::Id, u64, u64)>,
    /// Pin of the content. `None` if the blob is empty.
    _pin: Option<Pin>,
}

/// Opens a reader of the current version of a blob.
pub(super) fn open(store: &Store, at: &BlobAddress, request: &ReadBlob) -> Result<BlobReader> {
    let core = store.core();
    let now = core.now();
    let (blob, pin) = loop {
        let blob = read::find(core, at, &request.conditions, now)?;
        if blob.contents == Contents::None {
            break (blob, None);
        }
        let pin = core.pins.pin(blob.lineage);
        // The content is pinned from now on, unless it was garbage before.
        let again = read::find(core, at, &request.conditions, now)?;
        if (again.lineage, again.contents) == (blob.lineage, blob.contents) {
            break (again, Some(pin));
        }
    };
    let range = request.range.within(blob.length)?;
    let source = Reader {
        store: store.clone(),
        contents: blob.contents,
        length: blob.length,
        from: range.start,
        to: range.end,
        current: None,
        _pin: pin,
    };
    let mut properties = blob.state.properties(now);
    properties.snapshot = at.snapshot;
    Ok(BlobReader::new(properties, range, Box::new(source)))
}

impl Reader {
    fn give(&mut self) -> Result<Option<Bytes>> {
        if self.from >= self.to {
            return Ok(None);
        }
        let current = self.current.filter(|(_, _, end)| self.from < *end);
        let (located, bytes) = engine::view(&*self.store.core().engine, |read| {
            let located = match current {
                Some(located) => located,
                None => locate(read, self.contents, self.from, self.length)?,
            };
            let (contents, start, end) = located;
            let most = usize::try_from(self.to.min(end) - self.from).unwrap_or(usize::MAX);
            let mut bytes = Bytes::new();
            chunk_at(read, contents, self.from - start, &mut |chunk| {
                bytes = Bytes::copy_from_slice(chunk.get(..most).unwrap_or(chunk));
            })?;
            Ok((located, bytes))
        })?;
        self.current = Some(located);
        self.from += bytes.len() as u64;
        Ok(Some(bytes))
    }
}

impl BlobSource for Reader {
    fn chunk(&mut self) -> Pending<'_, Option<Bytes>> {
        Box::pin(async { self.give() })
    }
}

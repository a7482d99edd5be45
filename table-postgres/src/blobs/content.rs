//! Content of uploads, and the rows of blobs.

use table_model::{
    Bytes, StorageFault,
    blob::{BlobAddress, BlobState, upload::Content},
};

use super::{
    record,
    work::{CONTENT, CURRENT, GRACE, Grounds, Param, Stage, Stored, Writes},
};
use crate::stamps::ticks;

/// Size of a chunk in bytes, except for the last chunk of each batch.
pub(super) const CHUNK_BYTES: usize = 256 << 10;

/// Ends, checksums and data of chunks, as values of the statement.
pub(super) type Chunks = (Vec<i64>, Vec<i32>, Vec<Vec<u8>>);

/// Divides bytes that start at an offset of this content into chunks.
pub(super) fn chunks(content: i64, start: u64, bytes: &Bytes) -> Result<Chunks, StorageFault> {
    let (mut ends, mut sums, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let mut end = start;
    for chunk in bytes.chunks(CHUNK_BYTES) {
        end += chunk.len() as u64;
        let end = number(end)?;
        ends.push(end);
        sums.push(sum(content, end, chunk));
        all.push(chunk.to_vec());
    }
    Ok((ends, sums, all))
}

/// Returns the checksum of a chunk. Its place is included, so that a chunk in another place is detected.
pub(super) fn sum(content: i64, end: i64, chunk: &[u8]) -> i32 {
    crc32c::crc32c_append(place_sum([content, end]), chunk).cast_signed()
}

/// Returns the checksum of a part of a list: its end, its length and its content.
pub(super) fn part_sum(end: i64, length: i64, part: i64) -> i32 {
    place_sum([end, length, part]).cast_signed()
}

fn place_sum<const N: usize>(numbers: [i64; N]) -> u32 {
    numbers.iter().fold(0, |sum, number| crc32c::crc32c_append(sum, &number.to_le_bytes()))
}

/// Converts a length for the database.
pub(super) fn number(length: u64) -> Result<i64, StorageFault> {
    i64::try_from(length).map_err(|_| StorageFault::Bug { what: "content exceeds the limits".to_owned() })
}

impl Grounds<'_> {
    /// Returns the state of the blob.
    pub(super) fn state(&self) -> Option<&BlobState> {
        self.found.as_ref().map(|found| &found.state)
    }

    /// Returns the end of the time for which new garbage stays.
    pub(super) fn due(&self) -> i64 {
        self.now.saturating_add(GRACE).ticks()
    }

    /// Stores the rest of the content, which becomes part of a blob. Returns its id.
    pub(super) fn keep(
        &self,
        content: &Content<Option<i64>>,
        writes: &mut Writes,
    ) -> Result<i64, StorageFault> {
        let id = content.stored.unwrap_or(self.time.ticks());
        if content.stored.is_some() {
            writes.add(&self.statements.keep, vec![Box::new(id), Box::new(self.now.ticks())]);
        }
        if !content.rest.is_empty() {
            let (ends, sums, all) = chunks(id, content.stored_bytes, &content.rest)?;
            let params: Vec<Param> = vec![Box::new(id), Box::new(ends), Box::new(sums), Box::new(all)];
            writes.add(&self.statements.insert_chunks, params);
        }
        Ok(id)
    }

    /// Writes the row of the blob.
    pub(super) fn put(
        &self,
        at: &BlobAddress,
        blob: &BlobState,
        content: Option<i64>,
        stage: Option<Stage>,
        writes: &mut Writes,
    ) {
        self.put_at(at, CURRENT, blob, content, stage, writes);
    }

    /// Writes the row of the blob or of a snapshot.
    pub(super) fn put_at(
        &self,
        at: &BlobAddress,
        snapshot: i64,
        blob: &BlobState,
        content: Option<i64>,
        stage: Option<Stage>,
        writes: &mut Writes,
    ) {
        let name = at.name.as_str();
        let count = stage.map_or(0, |stage| stage.count.cast_signed());
        let last = stage.map_or(0, |stage| stage.last.ticks());
        let params: Vec<Param> = vec![
            Box::new(self.container),
            Box::new(name.as_bytes().to_vec()),
            Box::new(snapshot),
            Box::new(self.time.ticks()),
            Box::new(blob.exists()),
            Box::new(content),
            Box::new(stage.map(|stage| stage.id)),
            Box::new(count),
            Box::new(last),
            Box::new(record::encode_blob((name, content), blob)),
        ];
        writes.add(&self.statements.upsert, params);
    }

    /// Makes the content and the uncommitted blocks of the replaced blob garbage, except the content that stays.
    pub(super) fn discard_old(&self, stays: Option<i64>, writes: &mut Writes) {
        let Some(Stored { content, stage, .. }) = &self.found else { return };
        if let Some(id) = content.filter(|id| stays != Some(*id)) {
            self.discard(id, writes);
        }
        if let Some(stage) = stage {
            self.discard_stage(stage.id, writes);
        }
    }

    /// Makes content garbage.
    pub(super) fn discard(&self, id: i64, writes: &mut Writes) {
        let params: Vec<Param> = vec![Box::new(CONTENT), Box::new(id), Box::new(self.due())];
        writes.add(&self.statements.discard, params);
    }

    /// Makes uncommitted blocks garbage.
    pub(super) fn discard_stage(&self, id: i64, writes: &mut Writes) {
        let params: Vec<Param> = vec![Box::new(id), Box::new(self.now.ticks())];
        writes.add(&self.statements.discard_stage, params);
    }

    /// Returns the time at which uncommitted blocks of now become garbage.
    pub(super) fn stage_due(&self) -> i64 {
        self.due().saturating_add(ticks(table_model::blob::limits::UNCOMMITTED_KEPT))
    }
}

mod extension;

use std::ops::{Deref, DerefMut};

use table_model::{
    StorageFault, Timestamp,
    blob::{
        BlobAddress, BlobName, BlobState, BlobTags,
        codec::{
            LEASED, TAGGED, push_headers, push_lease, push_tags, read_headers, read_lease, read_tags,
            type_code, type_of,
        },
    },
    fields::{Fields, push_metadata},
};

use super::{
    place::{self, Id},
    snapshots,
};
use crate::{checksum, engine::Read};

/// Record format of a blob without an extension.
const VERSION: u8 = 1;

/// Record format of a blob with an extension. An earlier version of the library rejects it instead of ignoring the
/// extension.
const EXTENDED: u8 = 2;

/// Record of a blob or a snapshot, without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blob {
    pub(super) state: BlobState,
    pub(super) contents: Contents,
    /// Lineage that readers pin. While it is pinned, no content of any version with this lineage is removed. Versions
    /// that share blocks have the same lineage.
    pub(super) lineage: Id,
    pub(super) stage: Option<Stage>,
    /// Owner under which the contents may be [shared](super::shares). `None` if neither they nor the blocks of their
    /// list have shares.
    pub(super) shared: Option<Id>,
}

impl Deref for Blob {
    type Target = BlobState;

    fn deref(&self) -> &BlobState {
        &self.state
    }
}

impl DerefMut for Blob {
    fn deref_mut(&mut self) -> &mut BlobState {
        &mut self.state
    }
}

/// Location of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    /// The content is empty.
    None,
    /// Chunks of a single write.
    Chunks(Id),
    /// A list of blocks, each of which consists of chunks.
    List(Id),
}

/// Uncommitted blocks of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) id: Id,
    /// Number of blocks.
    pub(super) count: u32,
    /// Time of the last uploaded block.
    pub(super) last: Timestamp,
}

impl Blob {
    /// Creates the record of a blob without content that replaces all content, written at `time`.
    pub(super) fn new(state: BlobState, time: Timestamp) -> Self {
        Self { state, contents: Contents::None, lineage: Id::at(time), stage: None, shared: None }
    }

    /// Creates the record of a blob that has only uncommitted blocks.
    pub(super) fn staged(time: Timestamp) -> Self {
        Self::new(BlobState::new(None, time), time)
    }

    /// Reads the record of an address: of a blob, or of a snapshot.
    pub(super) fn find_at(
        read: &dyn Read,
        container: Id,
        at: &BlobAddress,
    ) -> Result<Option<Self>, StorageFault> {
        match at.snapshot {
            Some(snapshot) => snapshots::find(read, container, &at.name, snapshot),
            None => Self::find(read, container, &at.name),
        }
    }

    /// Reads the record under a name of a container. It may contain only uncommitted blocks.
    pub(super) fn find(
        read: &dyn Read,
        container: Id,
        name: &BlobName,
    ) -> Result<Option<Self>, StorageFault> {
        let key = place::blob(container, name);
        let Some(body) = checksum::get(read, &key)? else { return Ok(None) };
        Self::decode(&body).map(Some).ok_or_else(|| checksum::damaged(&key, "its layout is invalid"))
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let is_extended = extension::is_needed(self.shared, self.copy.as_ref(), &self.headers);
        let mut body = vec![if is_extended { EXTENDED } else { VERSION }, type_code(self.blob_type)];
        for time in [self.modified, self.created] {
            body.extend_from_slice(&time.ticks().to_le_bytes());
        }
        body.extend_from_slice(&self.length.to_le_bytes());
        let (form, contents) = match self.contents {
            Contents::None => (0, 0),
            Contents::Chunks(id) => (1, id.0),
            Contents::List(id) => (2, id.0),
        };
        body.push(form);
        body.extend_from_slice(&contents.to_le_bytes());
        body.extend_from_slice(&self.lineage.0.to_le_bytes());
        body.extend_from_slice(&self.blocks.to_le_bytes());
        body.push(self.block_id_bytes);
        let (stage, count, last) =
            self.stage.map_or((0, 0, 0), |stage| (stage.id.0, stage.count, stage.last.ticks()));
        body.extend_from_slice(&stage.to_le_bytes());
        body.extend_from_slice(&count.to_le_bytes());
        body.extend_from_slice(&last.to_le_bytes());
        let leased = if self.lease.is_some() { LEASED } else { 0 };
        let tagged = if self.tags.is_empty() { 0 } else { TAGGED };
        push_headers(&mut body, &self.headers, leased | tagged);
        push_metadata(&mut body, &self.metadata);
        if let Some(lease) = &self.lease {
            push_lease(&mut body, lease);
        }
        if !self.tags.is_empty() {
            push_tags(&mut body, &self.tags);
        }
        if is_extended {
            extension::push(&mut body, self.shared, self.copy.as_ref(), &self.headers);
        }
        body
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(body);
        let is_extended = match fields.byte()? {
            VERSION => false,
            EXTENDED => true,
            _ => return None,
        };
        let blob_type = type_of(fields.byte()?)?;
        let (modified, created, length) = (fields.time()?, fields.time()?, fields.long()?);
        let contents = match (fields.byte()?, fields.long()?) {
            (0, 0) => Contents::None,
            (1, id) => Contents::Chunks(Id(id)),
            (2, id) => Contents::List(Id(id)),
            _ => return None,
        };
        let lineage = Id(fields.long()?);
        let (blocks, block_id_bytes) = (fields.word()?, fields.byte()?);
        let (stage, count, last) = (fields.long()?, fields.word()?, fields.time()?);
        let stage = (stage != 0).then_some(Stage { id: Id(stage), count, last });
        let (mut headers, bits) = read_headers(&mut fields)?;
        let metadata = fields.metadata()?;
        let lease = if bits & LEASED != 0 { Some(read_lease(&mut fields)?) } else { None };
        let tags = if bits & TAGGED != 0 { read_tags(&mut fields)? } else { BlobTags::new() };
        let (shared, copy) =
            if is_extended { extension::read(&mut fields, &mut headers)? } else { (None, None) };
        fields.end()?;
        let blob = BlobState {
            blob_type,
            modified,
            created,
            length,
            blocks,
            block_id_bytes,
            headers,
            metadata,
            lease,
            tags,
            copy,
        };
        Some(Self { state: blob, contents, lineage, stage, shared })
    }
}

#[cfg(test)]
mod tests;

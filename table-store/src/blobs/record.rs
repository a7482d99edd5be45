mod extension;

use std::ops::{Deref, DerefMut};

use table_model::{
    StorageFault, Timestamp,
    blob::{BlobAddress, BlobHeaders, BlobName, BlobState, BlobTags, BlobType, Md5},
};

use super::{
    codec::{Fields, push_metadata, push_text},
    lease::{self, push_lease},
    place::{self, Id},
    snapshots,
    tags::{self, push_tags},
};
use crate::{checksum, engine::Read};

/// Record format of a blob without an extension.
const VERSION: u8 = 1;

/// Record format of a blob with an extension. An earlier version of the library rejects it instead of ignoring the
/// extension.
const EXTENDED: u8 = 2;

/// Bit of the headers that marks a lease at the end of the record. An earlier version that knows no leases rejects the
/// record instead of ignoring the lease.
const LEASED: u8 = 1 << 6;

/// Bit of the headers that marks tags at the end of the record. An earlier version that knows no tags rejects the record
/// instead of dropping them with its next change.
const TAGGED: u8 = 1 << 7;

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
        let (mut headers, bits) = headers(&mut fields)?;
        let metadata = fields.metadata()?;
        let lease = if bits & LEASED != 0 { Some(lease::read(&mut fields)?) } else { None };
        let tags = if bits & TAGGED != 0 { tags::read(&mut fields)? } else { BlobTags::new() };
        let (shared, copy) =
            if is_extended { extension::read(&mut fields, &mut headers)? } else { (None, None) };
        fields.end()?;
        let state = BlobState {
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
        Some(Self { state, contents, lineage, stage, shared })
    }
}

/// Returns the byte of a type, or of a blob that has only uncommitted blocks.
const fn type_code(blob_type: Option<BlobType>) -> u8 {
    match blob_type {
        Some(BlobType::Block) => 1,
        Some(BlobType::Append) => 2,
        None => 3,
    }
}

const fn type_of(code: u8) -> Option<Option<BlobType>> {
    match code {
        1 => Some(Some(BlobType::Block)),
        2 => Some(Some(BlobType::Append)),
        3 => Some(None),
        _ => None,
    }
}

/// Appends a byte whose bits mark the present headers and, in `others`, the fields after the metadata, followed by these
/// headers.
fn push_headers(body: &mut Vec<u8>, headers: &BlobHeaders, others: u8) {
    let texts = [
        &headers.content_type,
        &headers.content_encoding,
        &headers.content_language,
        &headers.content_disposition,
        &headers.cache_control,
    ];
    let bits = texts.iter().enumerate().map(|(at, text)| u8::from(text.is_some()) << at).sum::<u8>();
    body.push(bits | u8::from(headers.content_md5.is_some()) << texts.len() | others);
    for text in texts.into_iter().flatten() {
        push_text(body, text);
    }
    body.extend(headers.content_md5.iter().flat_map(|Md5(md5)| md5));
}

/// Reads headers, and the bits that mark fields after the metadata.
fn headers(fields: &mut Fields<'_>) -> Option<(BlobHeaders, u8)> {
    let bits = fields.byte()?;
    let mut headers = BlobHeaders::default();
    let texts = [
        &mut headers.content_type,
        &mut headers.content_encoding,
        &mut headers.content_language,
        &mut headers.content_disposition,
        &mut headers.cache_control,
    ];
    for (at, text) in texts.into_iter().enumerate() {
        if bits >> at & 1 == 1 {
            *text = Some(fields.text()?.to_owned());
        }
    }
    if bits >> 5 & 1 == 1 {
        headers.content_md5 = Some(Md5(fields.sixteen()?));
    }
    Some((headers, bits & (LEASED | TAGGED)))
}

#[cfg(test)]
mod tests;

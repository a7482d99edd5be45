mod extension;

use table_model::{
    Metadata, StorageFault, Timestamp,
    blob::{
        BlobAddress, BlobCopy, BlobHeaders, BlobName, BlobProperties, BlobTags, BlobType, Lease, LeaseState,
        Md5,
    },
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
    pub(super) kind: Kind,
    pub(super) modified: Timestamp,
    pub(super) created: Timestamp,
    /// Size of the content in bytes.
    pub(super) length: u64,
    pub(super) contents: Contents,
    /// Lineage that readers pin. While it is pinned, no content of any version with this lineage is removed. Versions
    /// that share blocks have the same lineage.
    pub(super) lineage: Id,
    /// Number of blocks.
    pub(super) blocks: u32,
    /// Length of the block ids in bytes; 0 without blocks.
    pub(super) block_id_bytes: u8,
    pub(super) stage: Option<Stage>,
    pub(super) headers: BlobHeaders,
    pub(super) metadata: Metadata,
    pub(super) lease: Option<Lease>,
    pub(super) tags: BlobTags,
    /// Owner under which the contents may be [shared](super::shares). `None` if neither they nor the blocks of their
    /// list have shares.
    pub(super) shared: Option<Id>,
    /// Copy that wrote the blob.
    pub(super) copy: Option<BlobCopy>,
}

/// Kind of a record under a blob name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A blob.
    Blob(BlobType),
    /// Only uncommitted blocks; no blob yet.
    Staged,
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
    /// Creates an empty record, written at `time`.
    pub(super) fn new(kind: Kind, time: Timestamp) -> Self {
        Self {
            kind,
            modified: time,
            created: time,
            length: 0,
            contents: Contents::None,
            lineage: Id::at(time),
            blocks: 0,
            block_id_bytes: 0,
            stage: None,
            headers: BlobHeaders::default(),
            metadata: Metadata::new(),
            lease: None,
            tags: BlobTags::new(),
            shared: None,
            copy: None,
        }
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

    /// Returns whether the blob can be read.
    pub(super) fn is_there(&self) -> bool {
        self.kind != Kind::Staged
    }

    /// Records a change of the blob, which ends the right to renew a lease that has expired at `now`.
    pub(super) fn touch(&mut self, time: Timestamp, now: Timestamp) {
        self.modified = time;
        self.lease = Lease::after_change(self.lease.take(), now);
    }

    /// Returns the properties at the time `now`, on which the state of the lease depends.
    pub(super) fn properties(self, now: Timestamp) -> BlobProperties {
        let (blob_type, uncommitted) = match self.kind {
            Kind::Blob(blob_type) => (blob_type, false),
            Kind::Staged => (BlobType::Block, true),
        };
        let mut properties = BlobProperties::new(blob_type, self.modified.into());
        properties.length = self.length;
        properties.created = self.created;
        properties.headers = self.headers;
        properties.metadata = self.metadata;
        properties.committed_blocks = (blob_type == BlobType::Append).then_some(self.blocks);
        properties.uncommitted = uncommitted;
        properties.lease = LeaseState::of(self.lease.as_ref(), now);
        properties.tag_count = self.tags.len();
        properties.copy = self.copy;
        properties
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let is_extended = extension::is_needed(self.shared, self.copy.as_ref(), &self.headers);
        let mut body = vec![if is_extended { EXTENDED } else { VERSION }, self.kind.code()];
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
        let kind = Kind::of(fields.byte()?)?;
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
        Some(Self {
            kind,
            modified,
            created,
            length,
            contents,
            lineage,
            blocks,
            block_id_bytes,
            stage,
            headers,
            metadata,
            lease,
            tags,
            shared,
            copy,
        })
    }
}

impl Kind {
    const fn code(self) -> u8 {
        match self {
            Self::Blob(BlobType::Block) => 1,
            Self::Blob(BlobType::Append) => 2,
            Self::Staged => 3,
        }
    }

    const fn of(code: u8) -> Option<Self> {
        match code {
            1 => Some(Self::Blob(BlobType::Block)),
            2 => Some(Self::Blob(BlobType::Append)),
            3 => Some(Self::Staged),
            _ => None,
        }
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

use std::ops::ControlFlow;

use table_model::{
    StorageFault,
    blob::ContainerName,
    fields::{Fields, push_text},
};

use super::place::{self, GARBAGE, Id};
use crate::{checksum, engine::Read};

/// Data that is removed in steps unless its lineage is pinned.
///
/// The commit that turns data into garbage records it. Content of an unfinished write is also recorded and pinned by
/// its writer. If the writer or the whole process ends, the garbage is found without a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Garbage {
    pub(super) id: Id,
    pub(super) what: What,
    /// Lineage whose readers and writers must be finished before the removal.
    pub(super) lineage: Id,
}

/// Kind of garbage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Chunks; for an unfinished write, up to this offset.
    Chunks { written: u64 },
    /// A list with the content of all its blocks.
    ListAndContents,
    /// A list without its blocks, which are part of another list or separate garbage.
    List,
    /// Uncommitted blocks.
    Stage,
    /// A container with all its blobs. Its name becomes available afterwards.
    Container(ContainerName),
    /// A list with the content of its blocks, except blocks with [owners](super::shares) other than the list. Earlier
    /// versions of the library do not sweep it: they would remove blocks of other lists.
    SharingList,
    /// The blocks of the list of an append blob from this offset on, which no snapshot of the blob contains.
    Tail { from: u64 },
}

/// Entry in the key space of garbage: its key, and its decoded record if that is sound.
type Found = (Vec<u8>, Option<Garbage>);

impl Garbage {
    pub(super) fn new(id: Id, what: What, lineage: Id) -> Self {
        Self { id, what, lineage }
    }

    /// Creates the garbage for written chunks that are not part of a blob yet.
    pub(super) fn unfinished(id: Id, written: u64) -> Self {
        Self::new(id, What::Chunks { written }, id)
    }

    /// Returns the first entry at or after a key.
    pub(super) fn first(read: &dyn Read, from: &[u8]) -> Result<Option<Found>, StorageFault> {
        let mut found = None;
        read.scan(from, &GARBAGE.end(), &mut |key, record| {
            let sound = checksum::open(key, record).ok().and_then(|body| Self::decode(key, body));
            found = Some((key.to_vec(), sound));
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    /// Returns the written length of content that is not part of a blob yet; `None` if it is not recorded as such.
    pub(super) fn written(read: &dyn Read, id: Id) -> Result<Option<u64>, StorageFault> {
        let key = Self::unfinished(id, 0).key();
        let Some(body) = checksum::get(read, &key)? else { return Ok(None) };
        match Self::decode(&key, &body) {
            Some(Self { what: What::Chunks { written }, .. }) => Ok(Some(written)),
            _ => Err(checksum::damaged(&key, "its layout is invalid")),
        }
    }

    pub(super) fn key(&self) -> Vec<u8> {
        [self.id.prefix(GARBAGE), vec![self.what.code()]].concat()
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut body = self.lineage.0.to_le_bytes().to_vec();
        match &self.what {
            What::Chunks { written: bytes } | What::Tail { from: bytes } => {
                body.extend_from_slice(&bytes.to_le_bytes());
            }
            What::Container(name) => push_text(&mut body, name.as_str()),
            What::ListAndContents | What::List | What::Stage | What::SharingList => {}
        }
        body
    }

    pub(super) fn decode(key: &[u8], body: &[u8]) -> Option<Self> {
        let (id, code) = place::split(key)?;
        let mut fields = Fields::new(body);
        let lineage = Id(fields.long()?);
        let what = match code {
            [1] => What::Chunks { written: fields.long()? },
            [2] => What::ListAndContents,
            [3] => What::List,
            [4] => What::Stage,
            [5] => What::Container(ContainerName::new(fields.text()?).ok()?),
            [6] => What::SharingList,
            [7] => What::Tail { from: fields.long()? },
            _ => return None,
        };
        fields.end()?;
        Some(Self { id, what, lineage })
    }
}

impl What {
    const fn code(&self) -> u8 {
        match self {
            Self::Chunks { .. } => 1,
            Self::ListAndContents => 2,
            Self::List => 3,
            Self::Stage => 4,
            Self::Container(_) => 5,
            Self::SharingList => 6,
            Self::Tail { .. } => 7,
        }
    }
}

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{BlobVersion, limits::BLOCK_ID_BYTES};
use crate::{ErrorCode, Result};

/// What a block of a blob is called: 1 to 64 bytes, on the wire as Base64. All blocks of a blob have ids of the same
/// length.
///
/// ```
/// use table_store::blob::BlockId;
///
/// let id = BlockId::new(b"block-000001")?;
/// assert_eq!(id.to_string(), "YmxvY2stMDAwMDAx");
/// assert_eq!(BlockId::from_base64("YmxvY2stMDAwMDAx")?, id);
/// # Ok::<(), table_store::TableError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(Box<[u8]>);

impl BlockId {
    /// An id of these bytes; `InvalidBlockId` if there are none or too many.
    pub fn new(id: impl AsRef<[u8]>) -> Result<Self> {
        let id = id.as_ref();
        if id.is_empty() || id.len() > BLOCK_ID_BYTES {
            return Err(ErrorCode::InvalidBlockId.into());
        }
        Ok(Self(id.into()))
    }

    /// Reads an id from the wire; `InvalidBlockId` if it is no Base64, or of a wrong length.
    pub fn from_base64(text: &str) -> Result<Self> {
        let decoded = STANDARD.decode(text).map_err(|_| ErrorCode::InvalidBlockId)?;
        Self::new(decoded)
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The id as it goes over the wire.
impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(&self.0))
    }
}

impl fmt::Debug for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlockId({self})")
    }
}

/// A block that a blob is to be made of, and where it is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockSource {
    /// Among the blocks that the blob is made of now.
    Committed(BlockId),
    /// Among those that were put since.
    Uncommitted(BlockId),
    /// Among those that were put since, and if it is not there among those that the blob is made of.
    Latest(BlockId),
}

impl BlockSource {
    /// The block's id.
    pub fn id(&self) -> &BlockId {
        match self {
            Self::Committed(id) | Self::Uncommitted(id) | Self::Latest(id) => id,
        }
    }
}

/// A block that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is called.
    pub id: BlockId,
    /// Its bytes.
    pub size: u64,
}

/// The blocks of a blob.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockList {
    /// Those that the blob is made of, in order. One can stand more than once.
    pub committed: Vec<Block>,
    /// Those that no list has taken up, in the order of their ids.
    pub uncommitted: Vec<Block>,
    /// Bytes of the blob.
    pub length: u64,
    /// Its version; none while it has uncommitted blocks only.
    pub version: Option<BlobVersion>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_base64_of_at_most_64_bytes() {
        let code = |text: &str| BlockId::from_base64(text).map(|_| ()).map_err(|error| error.code());
        assert_eq!(code("AAAA"), Ok(()));
        assert_eq!(code(&STANDARD.encode([7; 64])), Ok(()));
        for text in ["", "a", "AAA", "A A=", "äöü=", "AAB=", &STANDARD.encode([7; 65])] {
            assert_eq!(code(text), Err(ErrorCode::InvalidBlockId), "{text}");
        }
    }
}

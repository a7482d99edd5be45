use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{
    BlobVersion,
    limits::{BLOCK_ID_BYTES, BLOCKS},
};
use crate::{ErrorCode, Result};

/// Id of a block: 1 to 64 bytes, encoded as Base64 on the wire. All block ids of a blob must have the same length.
///
/// ```
/// use table_model::blob::BlockId;
///
/// let id = BlockId::new(b"block-000001")?;
/// assert_eq!(id.to_string(), "YmxvY2stMDAwMDAx");
/// assert_eq!(BlockId::from_base64("YmxvY2stMDAwMDAx")?, id);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(Box<[u8]>);

impl BlockId {
    /// Creates an id from bytes.
    ///
    /// # Errors
    /// `InvalidBlockId` unless the id has 1 to 64 bytes.
    pub fn new(id: impl AsRef<[u8]>) -> Result<Self> {
        let id = id.as_ref();
        if id.is_empty() || id.len() > BLOCK_ID_BYTES {
            return Err(ErrorCode::InvalidBlockId.into());
        }
        Ok(Self(id.into()))
    }

    /// Decodes an id from its wire form.
    ///
    /// # Errors
    /// `InvalidBlockId` if the string is not valid Base64 or the id does not have 1 to 64 bytes.
    pub fn from_base64(text: &str) -> Result<Self> {
        let decoded = STANDARD.decode(text).map_err(|_| ErrorCode::InvalidBlockId)?;
        Self::new(decoded)
    }

    /// Returns the bytes of the id.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Formats the id as sent over the wire.
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

/// Entry of a block list: a block id and the list in which to find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockSource {
    /// A block of the current blob.
    Committed(BlockId),
    /// A block that was uploaded since.
    Uncommitted(BlockId),
    /// A block that was uploaded since or, if it does not exist, a block of the current blob.
    Latest(BlockId),
}

impl BlockSource {
    /// Returns the id of the block.
    pub fn id(&self) -> &BlockId {
        match self {
            Self::Committed(id) | Self::Uncommitted(id) | Self::Latest(id) => id,
        }
    }

    /// Checks the number of blocks of a list.
    ///
    /// # Errors
    /// `BlockListTooLong` beyond 50,000 blocks.
    pub fn check_list(list: &[Self]) -> Result<()> {
        if list.len() > BLOCKS { Err(ErrorCode::BlockListTooLong.into()) } else { Ok(()) }
    }

    /// Returns the block of this entry, from functions that find a committed and an uncommitted block.
    ///
    /// # Errors
    /// `InvalidBlockList` if the block does not exist; the errors of the functions.
    pub fn choose<B>(
        &self,
        committed: impl FnOnce(&BlockId) -> Option<B>,
        uncommitted: impl FnOnce(&BlockId) -> Result<Option<B>>,
    ) -> Result<B> {
        let found = match self {
            Self::Committed(id) => committed(id),
            Self::Uncommitted(id) => uncommitted(id)?,
            Self::Latest(id) => uncommitted(id)?.or_else(|| committed(id)),
        };
        found.ok_or_else(|| ErrorCode::InvalidBlockList.into())
    }
}

/// An existing block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Id of the block.
    pub id: BlockId,
    /// Size of the block in bytes.
    pub size: u64,
}

/// Committed and uncommitted blocks of a blob.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockList {
    /// Blocks of the current blob, in order. A block can occur more than once.
    pub committed: Vec<Block>,
    /// Uploaded blocks that no block list has committed, in the order of their ids.
    pub uncommitted: Vec<Block>,
    /// Size of the blob in bytes.
    pub length: u64,
    /// Version of the blob; `None` while it has only uncommitted blocks.
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

use bytes::Bytes;
use table_model::{
    ErrorCode, TableError,
    blob::{Block, BlockId, BlockList, BlockSource, limits::BLOCKS},
};

use crate::wire::{
    query_string::QueryString,
    xml::{Element, Limits, Writer, parse},
};

/// Maximum size of a block list in a request: the maximum number of blocks with the longest IDs in the longest
/// elements.
pub const BLOCK_LIST_BODY_BYTES: usize = 1024 + BLOCKS * (88 + 2 * "<Uncommitted>".len() + 16);

/// The kind of blocks in a listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockListType {
    /// Committed blocks.
    #[default]
    Committed,
    /// Uncommitted blocks.
    Uncommitted,
    /// Both.
    All,
}

impl BlockListType {
    /// Returns the value of `blocklisttype`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::Uncommitted => "uncommitted",
            Self::All => "all",
        }
    }

    /// Reads `blocklisttype`.
    ///
    /// # Errors
    ///
    /// Returns `InvalidQueryParameterValue`.
    pub fn read(query: &QueryString) -> Result<Self, TableError> {
        let Some(said) = query.said("blocklisttype") else { return Ok(Self::default()) };
        let all = [Self::Committed, Self::Uncommitted, Self::All];
        let known = all.into_iter().find(|known| said.eq_ignore_ascii_case(known.as_str()));
        known.ok_or_else(|| ErrorCode::InvalidQueryParameterValue.into())
    }
}

/// Writes a block list to commit.
#[must_use]
pub fn write_blocks(blocks: &[BlockSource]) -> Bytes {
    let mut xml = Writer::unmarked();
    xml.element("BlockList", |xml| {
        for block in blocks {
            let name = match block {
                BlockSource::Committed(_) => "Committed",
                BlockSource::Uncommitted(_) => "Uncommitted",
                BlockSource::Latest(_) => "Latest",
            };
            xml.value(name, block.id());
        }
    });
    xml.finish()
}

/// Reads a block list to commit.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `UnsupportedXmlNode`, `InvalidBlockId` or `BlockListTooLong`.
pub fn read_blocks(body: &[u8]) -> Result<Vec<BlockSource>, TableError> {
    let list = parse(body, Limits::REQUEST)?.named("BlockList")?;
    if list.children.len() > BLOCKS {
        return Err(ErrorCode::BlockListTooLong.into());
    }
    let source = |element: &Element| {
        let kind = match &*element.name {
            "Committed" => BlockSource::Committed,
            "Uncommitted" => BlockSource::Uncommitted,
            "Latest" => BlockSource::Latest,
            _ => return Err(ErrorCode::UnsupportedXmlNode.into()),
        };
        BlockId::from_base64(element.text.trim()).map(kind)
    };
    list.children.iter().map(source).collect()
}

/// Writes the blocks of a blob.
#[must_use]
pub fn write_block_list(list: &BlockList, which: BlockListType) -> Bytes {
    let mut xml = Writer::new();
    xml.element("BlockList", |xml| {
        if which != BlockListType::Uncommitted {
            write(xml, "CommittedBlocks", &list.committed);
        }
        if which != BlockListType::Committed {
            write(xml, "UncommittedBlocks", &list.uncommitted);
        }
    });
    xml.finish()
}

/// Reads the blocks of a blob. Length and version are in the response headers.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode`, `InvalidXmlNodeValue` or `InvalidBlockId`.
pub fn read_block_list(body: &[u8]) -> Result<BlockList, TableError> {
    let read = parse(body, Limits::ANSWER)?.named("BlockList")?;
    let blocks =
        |name| read.child(name).map_or(Ok(Vec::new()), |list| list.children.iter().map(block).collect());
    let mut list = BlockList::default();
    list.committed = blocks("CommittedBlocks")?;
    list.uncommitted = blocks("UncommittedBlocks")?;
    Ok(list)
}

fn write(xml: &mut Writer, name: &str, blocks: &[Block]) {
    xml.element(name, |xml| {
        for block in blocks {
            xml.element("Block", |xml| {
                xml.value("Name", &block.id);
                xml.value("Size", block.size);
            });
        }
    });
}

fn block(element: &Element) -> Result<Block, TableError> {
    let id = BlockId::from_base64(element.required("Name")?)?;
    let size = element.required("Size")?.parse().map_err(|_| ErrorCode::InvalidXmlNodeValue)?;
    Ok(Block { id, size })
}

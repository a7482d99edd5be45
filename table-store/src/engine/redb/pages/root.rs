use super::shape::{LEVELS, Shape};

/// Length of an encoded root.
pub(in super::super) const ROOT_BYTES: usize = 180;
const TOP: usize = 40;

/// Sums of the highest nodes. A root determines the content of all blocks that the engine's header refers to, and is
/// stored together with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Root {
    /// Number of blocks of the engine.
    pub(super) blocks: u64,
    /// Number of the state of the file.
    pub(super) epoch: u64,
    /// Level of the highest nodes.
    pub(super) height: u32,
    pub(super) top: Vec<u32>,
}

impl Root {
    /// Creates the root of an empty file.
    pub(in super::super) fn empty() -> Self {
        Self { blocks: 0, epoch: 0, height: 1, top: Vec::new() }
    }

    pub(in super::super) fn encode(&self) -> [u8; ROOT_BYTES] {
        let mut bytes = [0; ROOT_BYTES];
        let (blocks, epoch, height) =
            (self.blocks.to_le_bytes(), self.epoch.to_le_bytes(), self.height.to_le_bytes());
        let sums = self.top.iter().flat_map(|sum| sum.to_le_bytes());
        let all = blocks.into_iter().chain(epoch).chain(height).chain(sums);
        bytes.iter_mut().zip(all).for_each(|(place, byte)| *place = byte);
        bytes
    }

    /// Decodes a root. Returns `None` if there is none: its height is zero.
    pub(in super::super) fn decode(bytes: &[u8; ROOT_BYTES]) -> Option<Self> {
        let (blocks, rest) = bytes.split_first_chunk()?;
        let (epoch, rest) = rest.split_first_chunk()?;
        let (height, sums) = rest.split_first_chunk()?;
        let (blocks, epoch) = (u64::from_le_bytes(*blocks), u64::from_le_bytes(*epoch));
        let height = u32::from_le_bytes(*height);
        if !(1..=LEVELS).contains(&height) || Shape::FILE.height(blocks).is_none_or(|least| least > height) {
            return None;
        }
        let count = usize::try_from(Shape::FILE.count(blocks, height)).unwrap_or(TOP);
        let (sums, _) = sums.as_chunks();
        let top = sums.iter().take(count).map(|sum| u32::from_le_bytes(*sum)).collect();
        Some(Self { blocks, epoch, height, top })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_reads_back_and_zeros_are_none() {
        let root = Root { blocks: 40 * 1022, epoch: 3, height: 1, top: (1..=40).collect() };
        assert_eq!(Root::decode(&root.encode()), Some(root));
        assert_eq!(Root::decode(&Root::empty().encode()), Some(Root::empty()));
        assert_eq!(Root::decode(&[0; ROOT_BYTES]), None);
    }
}

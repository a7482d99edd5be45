use crate::engine::BLOCK_BYTES;

/// Number of sums in a node of a file.
const SUMS: usize = 1022;

/// Sums of consecutive blocks, or of consecutive nodes of the level below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    sums: Vec<u32>,
    /// Number of the state of the file for which the node was last written. No two versions of a node have the same
    /// content, so the sum in its parent identifies one of the copies.
    pub(super) epoch: u64,
    /// Copy to which it was last written.
    pub(super) copy: u64,
}

impl Node {
    /// Creates a node that was never written. Its first write uses copy 0.
    pub(super) fn fresh() -> Self {
        Self { sums: vec![0; SUMS], epoch: 0, copy: super::shape::COPIES - 1 }
    }

    pub(super) fn get(&self, at: u64) -> u32 {
        usize::try_from(at).ok().and_then(|at| self.sums.get(at)).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, at: u64, sum: u32) {
        if let Some(place) = usize::try_from(at).ok().and_then(|at| self.sums.get_mut(at)) {
            *place = sum;
        }
    }

    /// Removes the sums from position `at` on.
    pub(super) fn clear_from(&mut self, at: u64) {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        self.sums.get_mut(at..).unwrap_or_default().fill(0);
    }

    /// Encodes the node as a block: the sums, and the epoch.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        self.sums.iter().for_each(|sum| block.extend_from_slice(&sum.to_le_bytes()));
        block.extend_from_slice(&self.epoch.to_le_bytes());
        block
    }

    /// Decodes a block that matches its sum.
    pub(super) fn decode(block: &[u8], copy: u64) -> Option<Self> {
        let (sums, epoch) = block.split_last_chunk()?;
        let (sums, []) = sums.as_chunks() else { return None };
        let sums = sums.iter().map(|sum| u32::from_le_bytes(*sum)).collect();
        Some(Self { sums, epoch: u64::from_le_bytes(*epoch), copy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_fills_a_block_and_reads_back() {
        let mut node = Node { epoch: 7, ..Node::fresh() };
        node.set(0, 1);
        node.set(1021, u32::MAX);
        let block = node.encode();
        assert_eq!(block.len(), BLOCK_BYTES);
        let read = Node::decode(&block, node.copy).unwrap();
        assert_eq!((read.get(0), read.get(1021), read.get(5)), (1, u32::MAX, 0));
        assert_eq!(read, node);
        node.clear_from(1);
        assert_eq!((node.get(0), node.get(1021)), (1, 0));
    }
}

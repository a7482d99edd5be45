use std::io;

use table_model::StorageFault;

use super::fault;
use crate::disk::Disk;

/// Size of atomic disk writes. No part of the head is larger.
pub(crate) const SECTOR_BYTES: usize = 512;
/// Size of writes by file systems and disks. A block of the head uses one sector, so a write never affects another part
/// of the head.
pub(crate) const BLOCK_BYTES: usize = 4096;

const SUM_BYTES: usize = 4;
pub(crate) const BODY_BYTES: usize = SECTOR_BYTES - SUM_BYTES;

/// First sector of a block with a checksum. The checksum includes the block number, so a misplaced block is detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sector([u8; BODY_BYTES]);

impl Sector {
    /// Creates a sector from these parts, padded with zeros.
    pub(crate) fn new(parts: &[&[u8]]) -> Self {
        let mut body = [0; BODY_BYTES];
        for (place, byte) in body.iter_mut().zip(parts.iter().copied().flatten()) {
            *place = *byte;
        }
        Self(body)
    }

    /// Encodes the sector at the start of block `block`.
    pub(crate) fn encode(&self, block: u64) -> [u8; SECTOR_BYTES] {
        let mut bytes = [0; SECTOR_BYTES];
        let (body, end) = bytes.split_at_mut(BODY_BYTES);
        body.copy_from_slice(&self.0);
        end.copy_from_slice(&sum(block, &self.0).to_le_bytes());
        bytes
    }

    /// Decodes a sector. Returns `None` if the checksum does not match.
    pub(crate) fn decode(block: u64, bytes: &[u8; SECTOR_BYTES]) -> Option<Self> {
        let (body, end) = bytes.split_first_chunk::<BODY_BYTES>()?;
        (sum(block, body).to_le_bytes() == end).then_some(Self(*body))
    }

    pub(crate) fn read(disk: &dyn Disk, block: u64) -> Result<Option<Self>, StorageFault> {
        let mut bytes = [0; SECTOR_BYTES];
        disk.read(start(block), &mut bytes).map_err(fault::io)?;
        Ok(Self::decode(block, &bytes))
    }

    pub(crate) fn write(&self, disk: &dyn Disk, block: u64) -> io::Result<()> {
        disk.write(start(block), &self.encode(block))
    }

    /// Returns the `N` bytes at offset `at`.
    pub(crate) fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let part = self.0.get(at..at + N).and_then(|part| part.try_into().ok());
        part.unwrap_or([0; N])
    }

    pub(crate) fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }
}

/// Returns the disk position of a block.
pub(crate) const fn start(block: u64) -> u64 {
    block * BLOCK_BYTES as u64
}

fn sum(block: u64, body: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&block.to_le_bytes()), body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sector_holds_only_in_its_block_and_with_all_of_its_bits() {
        let bytes = Sector::new(&[b"head", &[7]]).encode(3);
        assert_eq!(Sector::decode(3, &bytes).unwrap().array(0), *b"head\x07\0");
        assert_eq!(Sector::decode(2, &bytes), None);
        for bit in 0..SECTOR_BYTES * 8 {
            let mut changed = bytes;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Sector::decode(3, &changed), None, "bit {bit}");
        }
        assert_eq!(Sector::decode(0, &[0; SECTOR_BYTES]), None, "zeros are no sector");
    }
}

use std::io;

use super::{
    fault,
    guard::Guard,
    sector::{BLOCK_BYTES, Sector, start},
};
use crate::{disk::Disk, refusal::Refusal};

/// Block that identifies the file: written at creation, then immutable.
pub(super) const IDENTITY: u64 = 0;
/// Block with the state of the file: open or closed.
pub(super) const STATE: u64 = 1;
/// First block of the engine. The blocks in between belong to the [`Guard`].
pub(super) const ENGINE: u64 = 5;

/// First bytes of a store. The line endings and the end-of-file character reveal a copy that was made in text mode.
const MAGIC: [u8; 16] = *b"TABLE-STORE\r\n\x1a\n\0";
/// Format version written by this version.
const VERSION: u32 = 1;
/// Feature bits supported by this version.
const FEATURES: u32 = 0;

/// State of a file after its last use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadState {
    /// The file is open for writing, or was open when the process ended.
    Open,
    /// The file was closed. Contains the checksum of the engine's first page at that time.
    Closed(u32),
}

/// Writes the head of a new file, up to the start of the engine.
pub(super) fn create(disk: &dyn Disk) -> io::Result<()> {
    disk.set_len(start(ENGINE))?;
    identity(VERSION, FEATURES).write(disk, IDENTITY)?;
    HeadState::Open.write(disk)?;
    disk.sync()
}

/// Checks the identification and format of a file, and returns its state.
pub(super) fn read(disk: &dyn Disk) -> Result<HeadState, Refusal> {
    let len = disk.len().map_err(fault::io)?;
    let mut magic = [0; MAGIC.len()];
    let there = usize::try_from(len).unwrap_or(usize::MAX).min(MAGIC.len());
    let (begin, _) = magic.split_at_mut(there);
    disk.read(0, begin).map_err(fault::io)?;
    if there == 0 || magic.get(..there) != MAGIC.get(..there) {
        let reason =
            if there == 0 { "it is empty" } else { "it does not start with the header of a table store" };
        return Err(Refusal::NotOurs(reason.to_owned()));
    }
    if len < start(ENGINE + 1) {
        return Err(Refusal::Damaged(format!("it is truncated after {len} bytes")));
    }
    check_identity(Sector::read(disk, IDENTITY)?.as_ref())?;
    HeadState::decode(Sector::read(disk, STATE)?.as_ref())
}

fn identity(version: u32, features: u32) -> Sector {
    Sector::new(&[&MAGIC, &version.to_le_bytes(), &features.to_le_bytes()])
}

fn check_identity(sector: Option<&Sector>) -> Result<(), Refusal> {
    let Some(sector) = sector else {
        return Err(Refusal::Damaged("its first block does not match its checksum".to_owned()));
    };
    let (version, features) = (sector.u32(MAGIC.len()), sector.u32(MAGIC.len() + 4));
    if version > VERSION {
        return Err(Refusal::Newer { found: version, known: VERSION });
    }
    if features & !FEATURES != 0 {
        return Err(Refusal::UnknownFeatures { found: features, known: FEATURES });
    }
    Ok(())
}

impl HeadState {
    fn encode(self) -> Sector {
        let (state, engine) = match self {
            Self::Open => (0_u32, 0),
            Self::Closed(sum) => (1, sum),
        };
        Sector::new(&[&state.to_le_bytes(), &engine.to_le_bytes()])
    }

    fn decode(sector: Option<&Sector>) -> Result<Self, Refusal> {
        match sector.map(|sector| (sector.u32(0), sector.u32(4))) {
            // A power failure during a state change: the file was in use in either direction.
            None | Some((0, _)) => Ok(Self::Open),
            Some((1, sum)) => Ok(Self::Closed(sum)),
            Some((other, _)) => {
                Err(Refusal::Damaged(format!("its second block has the invalid state {other}")))
            }
        }
    }

    pub(super) fn write(self, disk: &dyn Disk) -> io::Result<()> {
        self.encode().write(disk, STATE)
    }
}

/// Returns whether the state is intact. A power failure may tear it.
pub(super) fn is_state_sealed(disk: &dyn Disk) -> Result<bool, Refusal> {
    Ok(Sector::read(disk, STATE)?.is_some())
}

/// Records that the engine is closed, and the checksum of its first page.
pub(super) fn mark_closed(disk: &dyn Disk, guard: &Guard) -> io::Result<()> {
    // The page must be on the disk before its checksum.
    guard.sync()?;
    HeadState::Closed(crc32c::crc32c(&engine_page(disk)?)).write(disk)?;
    disk.sync()
}

/// Reads the first page of the engine.
pub(super) fn engine_page(disk: &dyn Disk) -> io::Result<Vec<u8>> {
    let mut page = vec![0; BLOCK_BYTES];
    disk.read(start(ENGINE), &mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryDisk, engine::redb::sector::SECTOR_BYTES};

    const STATES: [HeadState; 3] =
        [HeadState::Open, HeadState::Closed(0xdead_beef), HeadState::Closed(0x00ad_00ef)];

    #[test]
    fn a_state_reads_back_and_no_changed_bit_makes_it_another_closed_one() {
        for state in STATES {
            let bytes = state.encode().encode(STATE);
            assert_eq!(HeadState::decode(Sector::decode(STATE, &bytes).as_ref()).unwrap(), state);
            for bit in 0..SECTOR_BYTES * 8 {
                let mut changed = bytes;
                changed[bit / 8] ^= 1 << (bit % 8);
                let read = HeadState::decode(Sector::decode(STATE, &changed).as_ref()).unwrap();
                assert_eq!(read, HeadState::Open, "bit {bit}");
            }
        }
    }

    /// A power failure may tear the sector at any byte.
    #[test]
    fn a_torn_state_is_the_one_before_or_the_one_after_or_open() {
        for (before, after) in STATES.into_iter().flat_map(|before| STATES.map(|after| (before, after))) {
            for at in 0..=SECTOR_BYTES {
                let mut torn = before.encode().encode(STATE);
                torn[..at].copy_from_slice(&after.encode().encode(STATE)[..at]);
                let state = HeadState::decode(Sector::decode(STATE, &torn).as_ref()).unwrap();
                let known = [before, after, HeadState::Open].contains(&state);
                assert!(known, "{before:?} {after:?} at byte {at}");
            }
        }
    }

    #[test]
    fn later_formats_and_unknown_features_are_refused_by_number() {
        let disk = MemoryDisk::with_bytes(vec![0; BLOCK_BYTES * 6]);
        let with = |version, features| {
            identity(version, features).write(&disk, IDENTITY).unwrap();
            read(&disk)
        };
        assert_eq!(with(VERSION, FEATURES).unwrap(), HeadState::Open);
        assert!(matches!(with(7, 0), Err(Refusal::Newer { found: 7, known: VERSION })));
        let unknown = with(VERSION, 6);
        assert!(matches!(unknown, Err(Refusal::UnknownFeatures { found: 6, known: FEATURES })));
    }
}

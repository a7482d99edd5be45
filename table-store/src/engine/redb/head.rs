use std::io;

use table_model::StorageFault;

use super::{
    fault,
    guard::Guard,
    sector::{BLOCK_BYTES, SECTOR_BYTES, Sector, start},
};
use crate::{disk::Disk, refusal::Refusal};

/// Block that identifies the file: written at creation, and again when a feature is first used.
pub(super) const IDENTITY: u64 = 0;
/// Block with the state of the file: open or closed.
pub(super) const STATE: u64 = 1;
/// First block of the engine. The blocks in between belong to the [`Guard`].
pub(super) const ENGINE: u64 = 5;

/// Length of the head and the engine's first page.
pub(super) const LEAST_BYTES: u64 = start(ENGINE + 1);

/// First bytes of a store. The line endings and the end-of-file character reveal a copy that was made in text mode.
const MAGIC: [u8; 16] = *b"TABLE-STORE\r\n\x1a\n\0";
/// Format version written by this version.
const VERSION: u32 = 1;
/// Feature bit of a file that was written through a log. Versions without the log would miss its frames.
const LOG: u32 = 1;
/// Feature bit of a file whose blocks have sums. Versions without them would read nodes as pages.
const SUMS: u32 = 2;
/// Feature bits supported by this version.
const FEATURES: u32 = LOG | SUMS;
/// Offset of the copy of the identity, in the block of the state: a write of the identity may damage its whole block.
/// The copy is written and synced before the identity is written again, and the state is open then, which is also what
/// a damaged state means.
const IDENTITY_COPY: u64 = start(STATE) + SECTOR_BYTES as u64;

/// Identification of a log file, so that it is never applied to another store.
pub(crate) type LogId = [u8; 16];

/// Use of the log by an open store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogUse {
    /// The log contains frames that the file may not contain.
    Used(LogId),
    /// No log is in use. The last log may still exist, because its deletion was interrupted or is not durable.
    Unused(Option<LogId>),
}

/// State of a file after its last use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadState {
    /// The file is open for writing, or was open when the process ended.
    Open(LogUse),
    /// The file was closed.
    Closed {
        /// Checksum of the engine's first page.
        page: u32,
        /// The last log.
        last: Option<LogId>,
    },
}

/// Writes the head of a new file, up to the start of the engine.
pub(super) fn create(disk: &dyn Disk, summed: bool) -> io::Result<()> {
    disk.set_len(start(ENGINE))?;
    identity(VERSION, if summed { SUMS } else { 0 }).write(disk, IDENTITY)?;
    HeadState::NEW.write(disk)?;
    disk.sync()
}

/// Checks the identification and format of a file, and returns its state.
pub(super) fn read(disk: &dyn Disk) -> Result<HeadState, Refusal> {
    let len = disk.len().map_err(fault::io)?;
    if len >= start(ENGINE + 1)
        && let Some(identity) = read_identity(disk)?
    {
        check_identity(&identity)?;
        return HeadState::decode(Sector::read(disk, STATE)?.as_ref());
    }
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
    Err(Refusal::Damaged("its first block does not match its checksum".to_owned()))
}

/// Returns whether the blocks of the file have sums. If the identity is damaged, they have.
pub(super) fn is_summed(disk: &dyn Disk) -> Result<bool, StorageFault> {
    Ok(read_identity(disk)?.is_none_or(|identity| features(&identity) & SUMS != 0))
}

/// Reads the identity, or its copy if the identity is damaged.
fn read_identity(disk: &dyn Disk) -> Result<Option<Sector>, StorageFault> {
    if let Some(sector) = Sector::read(disk, IDENTITY)? {
        return Ok(Some(sector));
    }
    let mut copy = [0; SECTOR_BYTES];
    disk.read(IDENTITY_COPY, &mut copy).map_err(fault::io)?;
    Ok(Sector::decode(IDENTITY, &copy).filter(|sector| sector.array(0) == MAGIC))
}

/// Sets the feature bit of the log, if it is not set, and repairs a damaged identity. An interruption at any point
/// leaves the identity or its copy intact.
pub(super) fn require_log(disk: &dyn Disk, guard: &Guard) -> io::Result<()> {
    let sums = if guard.pages().are_summed() { SUMS } else { 0 };
    let new = identity(VERSION, LOG | sums);
    if Sector::read(disk, IDENTITY).map_err(io::Error::other)? == Some(new) {
        return Ok(());
    }
    disk.write(IDENTITY_COPY, &new.encode(IDENTITY))?;
    guard.sync()?;
    new.write(disk, IDENTITY)?;
    guard.sync()
}

/// Writes the identity again if it is damaged and was read from its copy.
pub(super) fn repair_identity(disk: &dyn Disk, guard: &Guard) -> Result<(), StorageFault> {
    if Sector::read(disk, IDENTITY)?.is_some() {
        return Ok(());
    }
    let Some(copy) = read_identity(disk)? else { return Ok(()) };
    copy.write(disk, IDENTITY).and_then(|()| guard.sync()).map_err(fault::io)
}

fn identity(version: u32, features: u32) -> Sector {
    Sector::new(&[&MAGIC, &version.to_le_bytes(), &features.to_le_bytes()])
}

fn features(identity: &Sector) -> u32 {
    identity.u32(MAGIC.len() + 4)
}

fn check_identity(sector: &Sector) -> Result<(), Refusal> {
    let (version, features) = (sector.u32(MAGIC.len()), features(sector));
    if version > VERSION {
        return Err(Refusal::Newer { found: version, known: VERSION });
    }
    if features & !FEATURES != 0 {
        return Err(Refusal::UnknownFeatures { found: features, known: FEATURES });
    }
    Ok(())
}

impl HeadState {
    /// A file that never had a log.
    pub(super) const NEW: Self = Self::Open(LogUse::Unused(None));

    /// Returns the last log, if no log is in use.
    pub(super) fn last_log(self) -> Option<LogId> {
        match self {
            Self::Open(LogUse::Used(_)) => None,
            Self::Open(LogUse::Unused(last)) | Self::Closed { last, .. } => last,
        }
    }

    fn encode(self) -> Sector {
        let (state, page, used) = match self {
            Self::Open(LogUse::Used(log)) => (0_u32, 0, Some(log)),
            Self::Open(LogUse::Unused(_)) => (0, 0, None),
            Self::Closed { page, .. } => (1, page, None),
        };
        let [used, last] = [used, self.last_log()].map(Option::unwrap_or_default);
        Sector::new(&[&state.to_le_bytes(), &page.to_le_bytes(), &used, &last])
    }

    fn decode(sector: Option<&Sector>) -> Result<Self, Refusal> {
        // A power failure during a state change: the file was in use in either direction.
        let Some(sector) = sector else { return Ok(Self::NEW) };
        let [used, last] = [8, 24].map(|at| Some(sector.array(at)).filter(|id| *id != LogId::default()));
        match sector.u32(0) {
            0 => Ok(Self::Open(used.map_or(LogUse::Unused(last), LogUse::Used))),
            1 => Ok(Self::Closed { page: sector.u32(4), last }),
            other => Err(Refusal::Damaged(format!("its second block has the invalid state {other}"))),
        }
    }

    pub(crate) fn write(self, disk: &dyn Disk) -> io::Result<()> {
        self.encode().write(disk, STATE)
    }
}

/// Returns whether the state is intact. A power failure may tear it.
pub(crate) fn is_state_sealed(disk: &dyn Disk) -> Result<bool, Refusal> {
    Ok(Sector::read(disk, STATE)?.is_some())
}

/// Returns whether the identity itself is intact, and not only its copy.
pub(super) fn is_identity_sound(disk: &dyn Disk) -> Result<bool, Refusal> {
    Ok(Sector::read(disk, IDENTITY)?.is_some())
}

/// Records that the file is in use. The header that it is opened with is on stable storage in its slot afterwards, so that
/// its sector can be overwritten.
pub(super) fn mark_open(disk: &dyn Disk, guard: &Guard, log: LogUse) -> io::Result<()> {
    guard.renew_copy()?;
    HeadState::Open(log).write(disk)?;
    guard.sync()
}

/// Records that the engine is closed, the checksum of its first page, and the log that was in use.
pub(super) fn mark_closed(disk: &dyn Disk, guard: &Guard, log: Option<LogId>) -> io::Result<()> {
    // The page must be on the disk before its checksum.
    guard.sync()?;
    HeadState::Closed { page: crc32c::crc32c(&engine_page(disk)?), last: log }.write(disk)?;
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

    const STATES: [HeadState; 6] = [
        HeadState::NEW,
        HeadState::Open(LogUse::Unused(Some([9; 16]))),
        HeadState::Open(LogUse::Used([7; 16])),
        HeadState::Open(LogUse::Used(*b"another log in u")),
        HeadState::Closed { page: 0xdead_beef, last: None },
        HeadState::Closed { page: 0x00ad_00ef, last: Some([9; 16]) },
    ];

    #[test]
    fn a_state_reads_back_and_no_changed_bit_makes_it_another_closed_one() {
        for state in STATES {
            let bytes = state.encode().encode(STATE);
            assert_eq!(HeadState::decode(Sector::decode(STATE, &bytes).as_ref()).unwrap(), state);
            for bit in 0..SECTOR_BYTES * 8 {
                let mut changed = bytes;
                changed[bit / 8] ^= 1 << (bit % 8);
                let read = HeadState::decode(Sector::decode(STATE, &changed).as_ref()).unwrap();
                assert_eq!(read, HeadState::NEW, "bit {bit}");
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
                let known = [before, after, HeadState::NEW].contains(&state);
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
        assert_eq!(with(VERSION, FEATURES).unwrap(), HeadState::NEW);
        assert!(matches!(with(7, 0), Err(Refusal::Newer { found: 7, known: VERSION })));
        let unknown = with(VERSION, 6);
        assert!(matches!(unknown, Err(Refusal::UnknownFeatures { found: 6, known: FEATURES })));
    }
}

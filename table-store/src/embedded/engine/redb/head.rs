use std::io;

use super::fault;
use crate::embedded::{disk::Disk, refusal::Refusal};

/// Bytes of the page in front of the engine's own.
pub(in crate::embedded) const PAGE_BYTES: usize = 4096;

/// What a store begins with. The line ends and the end-of-file sign show a copy that was made as text.
const MAGIC: [u8; 16] = *b"TABLE-STORE\r\n\x1a\n\0";
/// The format that this version writes.
const VERSION: u32 = 1;
/// Bytes of each half: what the file is, which never changes, and its state. Each ends with its checksum.
const HALF_BYTES: usize = 32;
const HEAD_BYTES: usize = 2 * HALF_BYTES;

/// The first page of a store's file: whose file it is, in which format, and whether it was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::embedded) struct EngineHead {
    version: u32,
    state: HeadState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadState {
    /// Someone writes it, or was writing when the process ended.
    Open,
    /// It was closed, and this is the checksum of the engine's first page as it was then.
    Closed(u32),
}

impl EngineHead {
    pub(super) fn current(state: HeadState) -> Self {
        Self { version: VERSION, state }
    }

    fn encode(self) -> [u8; HEAD_BYTES] {
        let (state, engine) = match self.state {
            HeadState::Open => (0_u32, 0),
            HeadState::Closed(sum) => (1, sum),
        };
        let mut bytes = [0; HEAD_BYTES];
        let (identity, note) = bytes.split_at_mut(HALF_BYTES);
        let (magic, version) = identity.split_at_mut(MAGIC.len());
        magic.copy_from_slice(&MAGIC);
        put(version, &[self.version]);
        put(note, &[state, engine]);
        seal(identity);
        seal(note);
        bytes
    }

    fn decode(bytes: &[u8; HEAD_BYTES]) -> Result<Self, Refusal> {
        if !bytes.starts_with(&MAGIC) {
            return Err(Refusal::NotOurs("it does not begin like a table store".to_owned()));
        }
        let (identity, note) = bytes.split_at(HALF_BYTES);
        if !is_sealed(identity) {
            return Err(Refusal::Damaged("its first page does not match its checksum".to_owned()));
        }
        let version = number(identity, MAGIC.len());
        if version > VERSION || number(identity, MAGIC.len() + 4) != 0 {
            return Err(Refusal::Newer { found: version, known: VERSION });
        }
        let state = match (is_sealed(note), number(note, 0)) {
            // The power failed while it was written: then the file was in use, whichever way it was to go.
            (false, _) | (true, 0) => HeadState::Open,
            (true, 1) => HeadState::Closed(number(note, 4)),
            (true, other) => {
                return Err(Refusal::Damaged(format!("its first page has the state {other}")));
            }
        };
        Ok(Self { version, state })
    }

    pub(super) fn read(disk: &dyn Disk) -> Result<Self, Refusal> {
        let len = disk.len().map_err(fault::io)?;
        let mut bytes = [0; HEAD_BYTES];
        let there = usize::try_from(len).unwrap_or(usize::MAX).min(HEAD_BYTES);
        let (begin, _) = bytes.split_at_mut(there);
        disk.read(0, begin).map_err(fault::io)?;
        let known = there.min(MAGIC.len());
        if there == 0 || bytes.get(..known) != MAGIC.get(..known) {
            let why = if there == 0 { "it is empty" } else { "it does not begin like a table store" };
            return Err(Refusal::NotOurs(why.to_owned()));
        }
        if len < 2 * PAGE_BYTES as u64 {
            return Err(Refusal::Damaged(format!("it ends after {len} bytes")));
        }
        Self::decode(&bytes)
    }

    /// Checks that the engine's first page is the one of the last close: it alone says which commit is the last, and
    /// the engine has no checksum over that.
    pub(super) fn verify_engine(self, disk: &dyn Disk) -> Result<(), Refusal> {
        match self.state {
            HeadState::Closed(sum) if sum != engine_sum(disk).map_err(fault::io)? => {
                Err(Refusal::Damaged("the engine's first page does not match its checksum".to_owned()))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn write(self, disk: &dyn Disk) -> io::Result<()> {
        disk.write(0, &self.encode())
    }

    /// Notes that the engine is closed and what its first page is now.
    pub(super) fn mark_closed(disk: &dyn Disk) -> io::Result<()> {
        // First the page, then the note of its checksum: never the other way round on the disk.
        disk.sync()?;
        let sum = engine_sum(disk)?;
        Self::current(HeadState::Closed(sum)).write(disk)?;
        disk.sync()
    }
}

/// Writes numbers one after the other.
fn put(into: &mut [u8], numbers: &[u32]) {
    for (place, number) in into.chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|part| part.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// Ends a half with the checksum of what is before.
fn seal(half: &mut [u8]) {
    let (body, sum) = half.split_at_mut(HALF_BYTES - 4);
    sum.copy_from_slice(&crc32c::crc32c(body).to_le_bytes());
}

fn is_sealed(half: &[u8]) -> bool {
    let (body, _) = half.split_at(HALF_BYTES - 4);
    crc32c::crc32c(body) == number(half, HALF_BYTES - 4)
}

fn engine_sum(disk: &dyn Disk) -> io::Result<u32> {
    let mut page = vec![0; PAGE_BYTES];
    disk.read(PAGE_BYTES as u64, &mut page)?;
    Ok(crc32c::crc32c(&page))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [HeadState; 3] =
        [HeadState::Open, HeadState::Closed(0xdead_beef), HeadState::Closed(0x00ad_00ef)];

    #[test]
    fn a_head_reads_back_and_no_changed_byte_makes_it_another() {
        for state in STATES {
            let head = EngineHead::current(state);
            let bytes = head.encode();
            assert_eq!(EngineHead::decode(&bytes).unwrap(), head);
            for at in 0..HEAD_BYTES {
                let mut changed = bytes;
                changed[at] ^= 0x10;
                match EngineHead::decode(&changed) {
                    Ok(read) => assert!(at >= HALF_BYTES && read.state == HeadState::Open, "byte {at}"),
                    Err(_) => assert!(at < HALF_BYTES, "byte {at}"),
                }
            }
        }
    }

    /// A power cut may tear the sector at any byte.
    #[test]
    fn a_torn_head_is_the_one_before_or_the_one_after_or_open() {
        for (before, after) in STATES.into_iter().flat_map(|before| STATES.map(|after| (before, after))) {
            for at in 0..=HEAD_BYTES {
                let mut torn = EngineHead::current(before).encode();
                torn[..at].copy_from_slice(&EngineHead::current(after).encode()[..at]);
                let state = EngineHead::decode(&torn).unwrap().state;
                assert!(
                    [before, after, HeadState::Open].contains(&state),
                    "{before:?} {after:?} at byte {at}"
                );
            }
        }
    }

    #[test]
    fn a_newer_version_is_refused_by_number() {
        let newer = EngineHead { version: 7, state: HeadState::Open }.encode();
        assert!(matches!(EngineHead::decode(&newer), Err(Refusal::Newer { found: 7, known: VERSION })));
    }
}

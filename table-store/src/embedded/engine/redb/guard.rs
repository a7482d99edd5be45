//! Copies of the engine's header, so that a sector that comes back as garbage loses nothing.
//!
//! redb keeps its header in one sector and writes it in place, twice in each commit. Where a power cut leaves garbage in
//! a sector that is being written, that one sector would be the whole store. So the header is sealed, with a number, in
//! the part of its sector that redb leaves alone; and whenever it is written, the same goes to one of three slots, each
//! in a block of its own, on the way to the same sync. Number `n` goes to slot `n mod 3`. It rises when a sync has
//! succeeded that a header was written before; all headers between two syncs have one number.
//!
//! A file that was not closed is opened with the newest header of the four places. This loses nothing:
//!
//! - Say that the last header before the last good sync had number `n`. Header and slot with `n` were synced together,
//!   and what is written since has number `n + 1`, in the header's sector and in another slot. Whatever becomes of those
//!   two, slot `n` is whole: no header before `n` is ever chosen. Every acknowledged commit is in header `n`, because
//!   redb acknowledges after a sync.
//! - If a header with number `n + 1` is chosen, redb wrote it since the last sync. A power cut could as well have left
//!   that header in the header's sector, with any part of the other writes: what redb recovers from anyway. The same
//!   holds for `n`: the header's write could be what was lost. So the guard brings about no state that redb does not
//!   know, in whichever mode a commit was made: two-phase (the new commit is named as the last one only after its pages
//!   were synced) or one-phase (redb checks the pages that the header names). A commit that does not wait for the disk
//!   writes no header.
//! - Growing, the file has its length, synced, before a header speaks of it; shrinking, it is cut after the header was
//!   synced. So the length fits header `n`, and redb takes it for header `n + 1` from the file.
//! - Headers between two syncs may differ, and after a power cut two places may hold two of them under one number. Any
//!   of them may be chosen, but only one: it is written anew and synced before redb writes anything on top of it.
//! - After a failed sync the number stays: the slot that was surely synced is not written again. Its pages may be
//!   dropped by the system, but still be read from memory until the process ends and another one opens the file. That
//!   one sees `n + 1` and cannot know that it is not on the disk. It writes `n + 2`, which is neither the slot of
//!   `n + 1` nor that of `n`: this is what the third slot is for.
//!
//! Reads of other threads may push a header out to the file, so header and slot are written, and synced, under one lock:
//! a header that is written during a sync would count as synced.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    fault,
    head::{ENGINE, HeadState, engine_page},
    sector::{BODY_BYTES, Sector, start},
};
use crate::{
    StorageFault,
    embedded::{disk::Disk, refusal::Refusal},
};

/// Bytes that redb 4 writes, always in one piece, at the start of its first page.
pub(super) const HEADER_BYTES: usize = 320;
/// The blocks of the slots.
pub(super) const SLOTS: [u64; 3] = [2, 3, 4];

const _: () = assert!(HEADER_BYTES + 8 <= BODY_BYTES);

pub(super) type Header = [u8; HEADER_BYTES];

/// Writes headers and syncs, for all openings of one file.
#[derive(Debug)]
pub(super) struct Guard {
    disk: Arc<dyn Disk>,
    turn: Mutex<Turn>,
}

#[derive(Debug)]
struct Turn {
    /// The number of the next header.
    number: u64,
    /// A header with this number was written since the last sync.
    written: bool,
}

/// A header in one of its four places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) header: Header,
}

impl Numbered {
    fn sector(&self) -> Sector {
        Sector::new(&[&self.header, &self.number.to_le_bytes()])
    }

    fn read(disk: &dyn Disk, block: u64) -> Result<Option<Self>, StorageFault> {
        let sector = Sector::read(disk, block)?;
        Ok(sector.map(|sector| Self {
            header: sector.array(0),
            number: u64::from_le_bytes(sector.array(HEADER_BYTES)),
        }))
    }
}

/// Where a number's copy is.
fn slot(number: u64) -> u64 {
    let [first, second, third] = SLOTS;
    match number % 3 {
        0 => first,
        1 => second,
        _ => third,
    }
}

/// The header as it is in its own sector, and the copies in the order of their slots; none where there is no sound one.
pub(super) fn places(disk: &dyn Disk) -> Result<[Option<Numbered>; 4], StorageFault> {
    let mut found = [None; 4];
    for (place, block) in found.iter_mut().zip([ENGINE].into_iter().chain(SLOTS)) {
        *place = Numbered::read(disk, block)?.filter(|copy| block == ENGINE || slot(copy.number) == block);
    }
    Ok(found)
}

/// The newest header; of equally new ones that in the header's own sector.
fn newest(disk: &dyn Disk) -> Result<Option<Numbered>, StorageFault> {
    let [own, copies @ ..] = places(disk)?;
    Ok(copies.into_iter().fold(own, |best, copy| match (best, copy) {
        (Some(best), Some(copy)) if copy.number <= best.number => Some(best),
        (best, copy) => copy.or(best),
    }))
}

impl Guard {
    /// For a file that has no header yet.
    pub(super) fn of_new(disk: Arc<dyn Disk>) -> Self {
        Self { disk, turn: Mutex::new(Turn { number: 1, written: false }) }
    }

    /// For a file that was left in `state`; and the header to open it with, where it is to be written anew.
    pub(super) fn of_existing(
        disk: Arc<dyn Disk>,
        state: HeadState,
    ) -> Result<(Self, Option<Header>), Refusal> {
        let newest = newest(&*disk)?;
        let number = newest.map_or(1, |newest| newest.number.saturating_add(1));
        let header = match state {
            HeadState::Closed(sum) => after_close(&*disk, sum, newest.as_ref())?,
            HeadState::Open => Some(newest.ok_or_else(gone)?.header),
        };
        Ok((Self { disk, turn: Mutex::new(Turn { number, written: false }) }, header))
    }

    /// The header to go on with after an error of the disk, in the process that met it.
    pub(super) fn after_error(&self) -> Result<Header, Refusal> {
        Ok(newest(&*self.disk)?.ok_or_else(gone)?.header)
    }

    /// Writes a header of the engine, and its copy.
    pub(super) fn write(&self, header: &[u8]) -> io::Result<()> {
        let header = header.try_into().map_err(|_| {
            io::Error::other(format!("the engine's header has {} bytes, not {HEADER_BYTES}", header.len()))
        })?;
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let numbered = Numbered { number: turn.number, header };
        let sector = numbered.sector();
        // Only what succeeds whole counts with the next sync. The copy first: what is in the header's place is as it was
        // until there is a newer copy.
        turn.written = false;
        sector.write(&*self.disk, slot(turn.number))?;
        sector.write(&*self.disk, ENGINE)?;
        turn.written = true;
        Ok(())
    }

    /// Syncs the file.
    pub(super) fn sync(&self) -> io::Result<()> {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let synced = self.disk.sync();
        // A later sync may succeed without what this one failed to write, so only what is written again will count.
        let written = std::mem::take(&mut turn.written);
        if synced.is_ok() && written {
            turn.number = turn.number.saturating_add(1);
        }
        synced
    }
}

/// The engine's first page is the one of the last close, or becomes it with the newest copy of its header; then the
/// header is given.
fn after_close(disk: &dyn Disk, sum: u32, newest: Option<&Numbered>) -> Result<Option<Header>, Refusal> {
    let mut page = engine_page(disk).map_err(fault::io)?;
    if crc32c::crc32c(&page) == sum {
        return Ok(None);
    }
    let damaged = || Refusal::Damaged("the engine's first page does not match its checksum".to_owned());
    let newest = newest.ok_or_else(damaged)?;
    for (place, byte) in page.iter_mut().zip(newest.sector().encode(ENGINE)) {
        *place = byte;
    }
    if crc32c::crc32c(&page) == sum { Ok(Some(newest.header)) } else { Err(damaged()) }
}

fn gone() -> Refusal {
    Refusal::Damaged("neither the engine's header nor any copy of it matches its checksum".to_owned())
}

/// Where the engine's byte `offset` is on the disk.
pub(super) const fn behind(offset: u64) -> u64 {
    start(ENGINE) + offset
}

#[cfg(test)]
mod tests;

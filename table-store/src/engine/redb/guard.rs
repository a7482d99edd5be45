//! Copies of the engine's header that protect against torn sector writes.
//!
//! redb stores its header in one sector and writes it in place, twice per commit. If a power failure leaves garbage in
//! a sector that is being written, the loss of this sector would lose the whole store. The guard therefore adds a
//! number and a checksum to the header, in the part of the sector that redb does not use. Each header write is
//! duplicated to one of three slots, each in a separate block, before the same sync. Number `n` is stored in slot `n
//! mod 3`. The number increases after a successful sync that follows a header write; all headers between two syncs have
//! the same number.
//!
//! A file that was not closed is opened with the newest header of the four locations. This loses no data:
//!
//! - Assume that the last header before the last successful sync had number `n`. Header and slot with `n` were synced
//!   together, and all later writes have number `n + 1`, in the sector of the header and in another slot. Whatever
//!   happens to these two, slot `n` is intact: no header before `n` is ever chosen. Every acknowledged commit is in
//!   header `n`, because redb acknowledges after a sync.
//! - If a header with number `n + 1` is chosen, redb wrote it since the last sync. A power failure could also have left
//!   that header in the header's sector, with any subset of the other writes, and redb can recover from this state. The
//!   same applies to `n`: the write of the header could have been lost. The guard therefore creates no state that redb
//!   cannot recover from. This applies to two-phase commits (redb refers to the new commit only after its pages were
//!   synced) and to one-phase commits (redb verifies the pages that the header refers to). A commit that does not wait
//!   for the disk writes no header.
//! - When the file grows, its new length is synced before a header refers to it; when it shrinks, it is truncated after
//!   the header was synced. The length therefore fits header `n`, and redb reads the length for header `n + 1` from the
//!   file.
//! - Headers between two syncs may differ, and after a power failure two locations may contain two different headers
//!   with the same number. Any of them may be chosen, but only one: it is written again and synced before redb writes
//!   anything on top of it.
//! - The header that was found may be in its sector only, because the write of its slot was lost. Its sector is
//!   overwritten next, together with the slot of `n + 2`, so a second power failure could leave `n + 2` in this sector
//!   only, and a third one would then damage the sector and slot `n`. The header is therefore written to its own slot,
//!   and synced, before its sector is overwritten: see [`Guard::renew_copy`]. Then every opening starts from a header
//!   that is in its slot on stable storage, and writes to another slot. No number of power failures during openings
//!   loses it.
//! - After a failed sync, the number stays unchanged: the slot that was definitely synced is not overwritten. The
//!   system may drop the pages of the failed sync, but reads may still return them from memory until the process ends
//!   and another process opens the file. That process reads `n + 1` and cannot detect that it is not on the disk. It
//!   writes `n + 1` to its slot again and syncs, which leaves slot `n` unchanged if it fails, in any number of processes. If
//!   only the slot contains `n + 1`, that process writes `n + 2`, which uses neither the slot of `n + 1` nor the slot of
//!   `n`: this is the purpose of the third slot.
//!
//! In a file with sums, each header contains the root of the sums; see [`super::pages`].
//!
//! Reads by other threads may flush a header to the file, so header and slot are written, and synced, under one lock.
//! Otherwise a header that is written during a sync would count as synced.

use std::{
    fmt, io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use table_model::StorageFault;

use super::{
    fault,
    head::{ENGINE, HeadState, engine_page},
    header::{expected_len, is_commit_in, mark_synced_before},
    pages::{Accept, Pages, ROOT_BYTES, Root},
    sector::{BODY_BYTES, Sector, start},
};
use crate::{disk::Disk, refusal::Refusal};

/// Number of bytes that redb 4 writes, always in one piece, at the start of its first page.
pub(super) const HEADER_BYTES: usize = 320;
/// Blocks of the slots.
pub(super) const SLOTS: [u64; 3] = [2, 3, 4];

const _: () = assert!(HEADER_BYTES + 8 + ROOT_BYTES == BODY_BYTES);

pub(super) type Header = [u8; HEADER_BYTES];

/// Writes headers and syncs the file, for all openings of one file.
#[derive(Debug)]
pub(super) struct Guard {
    disk: Arc<dyn Disk>,
    pages: Pages,
    turn: Mutex<Turn>,
}

struct Turn {
    /// Number of the next header.
    number: u64,
    /// A header with this number was written since the last sync.
    written: bool,
    /// The last header that was written, and the last one that was also synced.
    last: Option<Header>,
    synced: Option<Header>,
    /// A header that is written after a sync of everything else.
    held: Option<Header>,
    /// Root of the sums for the next header.
    root: Option<Root>,
}

/// Omits the headers.
impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Turn {
    fn new(number: u64, header: Option<&Header>, root: Option<Root>) -> Self {
        let header = header.copied();
        Self { number, written: false, last: header, synced: header, held: None, root }
    }
}

/// A header in one of its four locations.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) header: Header,
    /// Root of the sums of the pages.
    root: Option<Root>,
}

impl Numbered {
    fn sector(&self) -> Sector {
        let root = self.root.as_ref().map_or([0; ROOT_BYTES], Root::encode);
        Sector::new(&[&self.header, &self.number.to_le_bytes(), &root])
    }

    fn read(disk: &dyn Disk, block: u64) -> Result<Option<Self>, StorageFault> {
        let sector = Sector::read(disk, block)?;
        Ok(sector.map(|sector| Self {
            header: sector.array(0),
            number: u64::from_le_bytes(sector.array(HEADER_BYTES)),
            root: Root::decode(&sector.array(HEADER_BYTES + 8)),
        }))
    }
}

/// Returns the block for the copy with a number.
fn slot(number: u64) -> u64 {
    let [first, second, third] = SLOTS;
    match number % 3 {
        0 => first,
        1 => second,
        _ => third,
    }
}

/// Reads the header in its sector, and the copies in slot order. An element is `None` if it is not sound.
pub(super) fn places(disk: &dyn Disk) -> Result<[Option<Numbered>; 4], StorageFault> {
    let mut found = [const { None }; 4];
    for (place, block) in found.iter_mut().zip([ENGINE].into_iter().chain(SLOTS)) {
        *place = Numbered::read(disk, block)?.filter(|copy| block == ENGINE || slot(copy.number) == block);
    }
    Ok(found)
}

/// Returns the newest header, and whether the header's sector contains it. If several have the same number, the header's
/// sector takes precedence.
fn located(disk: &dyn Disk) -> Result<Option<(Numbered, bool)>, StorageFault> {
    let [own, copies @ ..] = places(disk)?;
    let own = own.map(|own| (own, true));
    let copies = copies.into_iter().flatten().map(|copy| (copy, false));
    Ok(copies.fold(own, |best, copy| match best {
        Some(best) if copy.0.number <= best.0.number => Some(best),
        _ => Some(copy),
    }))
}

fn newest(disk: &dyn Disk) -> Result<Option<Numbered>, StorageFault> {
    Ok(located(disk)?.map(|(newest, _)| newest))
}

impl Guard {
    /// Creates the guard of a file that has no header yet.
    pub(super) fn of_new(disk: Arc<dyn Disk>, summed: bool) -> Self {
        let turn = Turn::new(1, None, summed.then(Root::empty));
        Self { pages: Pages::new(Arc::clone(&disk), summed), disk, turn: Mutex::new(turn) }
    }

    /// Creates the guard of a file with the given state. Also returns the header to open it with, if it must be written
    /// again.
    pub(super) fn of_existing(
        disk: Arc<dyn Disk>,
        state: HeadState,
        summed: bool,
    ) -> Result<(Self, Option<Header>), Refusal> {
        let newest = newest(&*disk)?;
        let header = match state {
            HeadState::Closed { page, .. } => after_close(&*disk, page, newest.as_ref())?,
            HeadState::Open(_) => Some(newest.as_ref().ok_or_else(gone)?.header),
        };
        let guard = Self {
            pages: Pages::new(Arc::clone(&disk), summed),
            disk,
            turn: Mutex::new(Turn::new(1, None, None)),
        };
        if let Some(newest) = newest {
            guard.start_from(&mut guard.turn(), &newest)?;
        }
        Ok((guard, header))
    }

    /// Returns the header to continue with after a disk error in the same process.
    pub(super) fn after_error(&self) -> Result<Header, Refusal> {
        let newest = newest(&*self.disk)?.ok_or_else(gone)?;
        let mut turn = self.turn();
        let number = turn.number;
        self.start_from(&mut turn, &newest)?;
        // The number of a synced header may be higher than that of the headers that can be read.
        turn.number = number;
        Ok(newest.header)
    }

    fn start_from(&self, turn: &mut Turn, newest: &Numbered) -> Result<(), Refusal> {
        let root = if self.pages.are_summed() {
            let root = newest.root.clone().ok_or_else(|| {
                Refusal::Damaged("the engine's header contains no checksums of pages".to_owned())
            })?;
            self.pages.load(&root, expected_len(&newest.header)).map_err(fault::io)?;
            Some(root)
        } else {
            None
        };
        *turn = Turn::new(newest.number.saturating_add(1), Some(&newest.header), root);
        Ok(())
    }

    /// Rejects a truncated file.
    pub(super) fn check_len(&self) -> Result<(), Refusal> {
        self.truncation()?.map_or(Ok(()), |what| Err(Refusal::Damaged(what)))
    }

    /// Returns a description of the missing end, if the file is shorter than its header expects. The length is synced before
    /// the header. An unreadable header expects no length.
    pub(super) fn truncation(&self) -> Result<Option<String>, Refusal> {
        let (len, expected) =
            (self.pages.len().map_err(fault::io)?, self.turn().last.as_ref().map_or(0, expected_len));
        if len >= expected {
            return Ok(None);
        }
        let found = self.disk.len().map_err(fault::io)?;
        let expected = self.pages.file_len(expected);
        Ok(Some(format!("the file is truncated: expected {expected} bytes, found {found}")))
    }

    /// Opens a file as far as possible, only to read it, with the newest header.
    pub(super) fn of_remains(
        disk: Arc<dyn Disk>,
        summed: bool,
        accept: Accept,
    ) -> Result<(Self, Header), Refusal> {
        let newest = newest(&*disk)?.ok_or_else(gone)?;
        let header = newest.header;
        let turn = Mutex::new(Turn::new(newest.number, Some(&header), None));
        let guard = Self { pages: Pages::of_remains(Arc::clone(&disk), summed, accept), disk, turn };
        if let Some(root) = &newest.root {
            match guard.pages.load(root, expected_len(&header)) {
                // Without the tree, blocks are compared with the copies of their nodes.
                Err(_) if accept == Accept::AnyCopy => {}
                loaded => loaded.map_err(fault::io)?,
            }
        }
        Ok((guard, header))
    }

    /// Returns the pages that the header refers to.
    pub(super) fn pages(&self) -> &Pages {
        &self.pages
    }

    /// Calls `work` with the last header, while neither pages nor headers are written.
    pub(super) fn between_writes<T>(&self, work: impl FnOnce(&Pages, Option<&Header>) -> T) -> T {
        let turn = self.turn();
        let _no_writes = self.pages.hold_writes();
        work(&self.pages, turn.last.as_ref())
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the start of the engine's header.
    pub(super) fn read(&self, into: &mut [u8]) -> io::Result<()> {
        if let Some(held) = self.turn().held {
            into.iter_mut().zip(held).for_each(|(place, byte)| *place = byte);
            return Ok(());
        }
        if !self.pages.are_summed() {
            return self.pages.read(0, into);
        }
        let own = Numbered::read(&*self.disk, ENGINE).map_err(io::Error::other)?;
        let own = own.ok_or_else(|| {
            self.pages.damaged(start(ENGINE), "the engine's header does not match its checksum")
        })?;
        into.iter_mut().zip(own.header).for_each(|(place, byte)| *place = byte);
        Ok(())
    }

    /// Writes the copy of the header that the file is opened with again, if the header's sector contains this header. Must
    /// be synced before the sector is overwritten.
    ///
    /// The copy may have been lost, or be in the page cache only after a failed sync. A header that only its slot contains
    /// is not written there: it may be the only one.
    pub(super) fn renew_copy(&self) -> io::Result<()> {
        match located(&*self.disk).map_err(io::Error::other)? {
            Some((newest, true)) => newest.sector().write(&*self.disk, slot(newest.number)),
            _ => Ok(()),
        }
    }

    /// Writes a header of the engine and its copy.
    pub(super) fn write(&self, header: &[u8]) -> io::Result<()> {
        let mut header: Header = header.try_into().map_err(|_| {
            io::Error::other(format!(
                "the engine's header has {} bytes, expected {HEADER_BYTES}",
                header.len()
            ))
        })?;
        let mut turn = self.turn();
        if self.pages.are_summed() {
            // redb must not try pages of another commit after a crash: no root covers them.
            mark_synced_before(&mut header);
            if !turn.synced.is_some_and(|synced| is_commit_in(&header, &synced)) {
                turn.held = Some(header);
                return Ok(());
            }
        }
        turn.held = None;
        self.place(&mut turn, &header)
    }

    fn place(&self, turn: &mut Turn, header: &Header) -> io::Result<()> {
        let numbered = Numbered { number: turn.number, header: *header, root: turn.root.clone() };
        let sector = numbered.sector();
        // Only complete writes count for the next sync. The copy is written first: the header is unchanged until a
        // newer copy exists.
        turn.written = false;
        sector.write(&*self.disk, slot(turn.number))?;
        sector.write(&*self.disk, ENGINE)?;
        turn.written = true;
        turn.last = Some(*header);
        Ok(())
    }

    /// Syncs the file.
    pub(super) fn sync(&self) -> io::Result<()> {
        let mut turn = self.turn();
        if let Some(header) = turn.held.take() {
            self.settle(&mut turn, true)?;
            self.place(&mut turn, &header)?;
        }
        let complete = turn.written;
        self.settle(&mut turn, complete)
    }

    /// Syncs the file, and completes the sums before, if `complete` is true.
    fn settle(&self, turn: &mut Turn, complete: bool) -> io::Result<()> {
        // A later sync may succeed without the data that this sync failed to write. Only data that is written again
        // counts.
        let written = std::mem::take(&mut turn.written);
        let root = if complete { self.pages.write_sums()? } else { None };
        self.disk.sync()?;
        if root.is_some() {
            self.pages.synced();
            turn.root = root;
        }
        if written {
            turn.number = turn.number.saturating_add(1);
            turn.synced = turn.last;
        }
        Ok(())
    }
}

/// Checks the engine's first page of a closed file. Returns the newest copy of the header if only this copy makes the
/// page match its checksum.
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
    Refusal::Damaged("neither the engine's header nor any copy matches its checksum".to_owned())
}

/// Returns the disk position of the engine's byte `offset`.
pub(super) const fn behind(offset: u64) -> u64 {
    start(ENGINE) + offset
}

#[cfg(test)]
mod tests;

//! Opening of a file for verification only.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError},
};

use table_model::StorageFault;

use super::{
    Failure, FileEngine,
    backend::Attachment,
    fault,
    guard::{self, Guard, Header},
    head::{self, HeadState},
    opening::start,
    sector,
};
use crate::{Damage, disk::Disk, engine::panic_text, refusal::Refusal};

impl FileEngine {
    /// Opens the content of the disk as far as possible, for reading only, and reports damage of the head. Rejects
    /// content that is not a store of this version, and a failing disk.
    pub(crate) fn examine(
        disk: Arc<dyn Disk>,
        cache_bytes: usize,
    ) -> Result<(Option<Self>, Vec<Damage>), Refusal> {
        let mut damage = Vec::new();
        let state = match head::read(&*disk) {
            Ok(state) => state,
            Err(Refusal::Damaged(what)) => {
                damage.push(Damage::of_head(what));
                if disk.len().map_err(fault::io)? < sector::start(head::ENGINE + 1) {
                    return Ok((None, damage));
                }
                HeadState::NEW
            }
            Err(refusal) => return Err(refusal),
        };
        let readable = damage.is_empty();
        if !head::is_state_sealed(&*disk)? {
            damage.push(Damage::of_head(
                "the record of the last close does not match its checksum, as after a power failure; opening the \
                 store repairs it",
            ));
        }
        if readable && !head::is_identity_sound(&*disk)? {
            damage.push(Damage::of_head(
                "the first block does not match its checksum, but its copy does; opening the store repairs it",
            ));
        }
        damage.extend(check_copies(&*disk, state)?);
        let summed = head::is_summed(&*disk)?;
        let (guard, header) = match Guard::of_existing(Arc::clone(&disk), state, summed) {
            Ok(opened) => opened,
            Err(Refusal::Storage(StorageFault::Corrupt { what })) => {
                damage.push(Damage::of_engine(what));
                return Ok((None, damage));
            }
            // Already reported. The pages that the header refers to may still be intact.
            Err(Refusal::Damaged(_)) => (Guard::of_new(Arc::clone(&disk), summed), None),
            Err(refusal) => return Err(refusal),
        };
        // redb reads no shorter file.
        if let Some(what) = guard.truncation()? {
            damage.push(Damage::of_engine(what));
            return Ok((None, damage));
        }
        let guard = Arc::new(guard);
        let look = || Self::look_into(disk, Arc::clone(&guard), header.as_ref(), cache_bytes);
        match catch_unwind(AssertUnwindSafe(look)) {
            Ok(Ok(engine)) => return Ok((Some(engine), damage)),
            Ok(Err(Refusal::Damaged(what))) => damage.push(Damage::of_engine(what)),
            Ok(Err(refusal)) => damage.push(Damage::of_engine(guard.pages().damage().ok_or(refusal)?)),
            Err(panic) => {
                damage.push(Damage::of_engine(format!("opening failed: {}", panic_text(&*panic))));
            }
        }
        Ok((None, damage))
    }

    fn look_into(
        disk: Arc<dyn Disk>,
        guard: Arc<Guard>,
        header: Option<&Header>,
        cache_bytes: usize,
    ) -> Result<Self, Refusal> {
        let attachment = Attachment::on_trial(Arc::clone(&guard), header);
        let attachment = Arc::new(attachment.map_err(fault::io)?);
        let database = start(cache_bytes, &attachment).map_err(Failure::into_refusal)?;
        Ok(Self::running(disk, guard, cache_bytes, database, attachment))
    }

    /// Checks every reachable page, without readers. The engine is only closed afterwards.
    pub(crate) fn check_pages(&self) -> Option<Damage> {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        let Some(mut database) = open.database.take() else {
            return Some(Damage::of_engine("they could not be read again after earlier damage"));
        };
        // The engine can only check pages without readers.
        open.latest.pass();
        let checked = catch_unwind(AssertUnwindSafe(|| database.check_integrity()));
        let what = match checked {
            Ok(Ok(true)) => None,
            Ok(Ok(false)) => Some("they do not match their checksums".to_owned()),
            Ok(Err(error)) => Some(Failure::from(error).into_fault().to_string()),
            Err(panic) => {
                // The state of the engine is undefined: dropping it could abort the process.
                std::mem::forget(database);
                return Some(Damage::of_engine(format!("checking failed: {}", panic_text(&*panic))));
            }
        };
        open.database = Some(database);
        what.map(Damage::of_engine)
    }
}

/// Checks the header and its copies. After a close, all of them are sound and have consecutive numbers. After a power
/// failure, the header and the copy that was being written may contain anything.
fn check_copies(disk: &dyn Disk, state: HeadState) -> Result<Vec<Damage>, Refusal> {
    let [own, copies @ ..] = guard::places(disk)?;
    let newest = copies.iter().chain([&own]).flatten().map(|copy| copy.number).max();
    let Some(newest) = newest else {
        let what = "neither the engine's header nor any copy matches its checksum";
        return Ok(vec![Damage::of_head(what)]);
    };
    let fits = |number: u64| number + copies.len() as u64 > newest;
    let sound = copies.iter().flatten().filter(|copy| fits(copy.number)).count();
    let mut damage = Vec::new();
    let closed = matches!(state, HeadState::Closed { .. });
    if sound + usize::from(!closed) < copies.len() {
        let lost = copies.len() - sound;
        damage.push(Damage::of_head(format!("{lost} copies of the engine's header are damaged")));
    }
    if let HeadState::Closed { page: sum, .. } = state {
        let page = head::engine_page(disk).map_err(fault::io)?;
        if crc32c::crc32c(&page) != sum {
            damage.push(Damage::of_head(
                "the engine's first page differs from its content when the store was closed",
            ));
        }
    }
    Ok(damage)
}

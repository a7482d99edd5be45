use std::sync::Arc;

use super::{
    guard::Guard,
    pages::is_damage,
    sector::BLOCK_BYTES,
    trees::{Position, Trees},
};
use crate::engine::{PageScrub, ScrubStep};

/// Number of bytes of a step. No page is written during a step, so it must be short.
const STEP_BYTES: usize = 64 << 10;

/// A verification of the pages in use, and then of their checksums.
///
/// A page of the last header's commit is not overwritten until another header is on stable storage. Between the writes
/// of redb, all its pages are therefore sound, and a page that is not is damaged.
#[derive(Debug)]
pub(super) struct FileScrub {
    guard: Arc<Guard>,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Pages(Position),
    /// Number of the next node of checksums.
    Sums(u64),
}

impl FileScrub {
    pub(super) fn new(guard: Arc<Guard>) -> Self {
        Self { guard, place: Place::Pages(Position::default()) }
    }
}

impl PageScrub for FileScrub {
    fn step(&mut self) -> ScrubStep {
        let place = &mut self.place;
        let mut step = self.guard.between_writes(|pages, header| match place {
            Place::Pages(position) => {
                let step = header.map(|header| Trees::new(pages, header).pass(position, STEP_BYTES));
                step.unwrap_or(ScrubStep { ended: true, ..ScrubStep::default() })
            }
            Place::Sums(next) => {
                let mut step = ScrubStep::default();
                while !step.ended && step.bytes < STEP_BYTES as u64 {
                    match pages.verify_node(*next) {
                        None => step.ended = true,
                        Some(verified) => {
                            step.unreadable += u64::from(verified.is_err_and(|error| !is_damage(&error)));
                            step.pages += 1;
                            step.bytes += BLOCK_BYTES as u64;
                        }
                    }
                    *next += 1;
                }
                step
            }
        });
        if step.ended {
            let next = match self.place {
                Place::Pages(_) => Place::Sums(0),
                Place::Sums(_) => Place::Pages(Position::default()),
            };
            step.ended = matches!(next, Place::Pages(_));
            self.place = next;
        }
        step.damaged = self.guard.pages().damage_count();
        step
    }
}

//! The partitions that this process wrote to a moment ago, so that commits of one can share a hint.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use super::{Clock, Cover, LANDS, Moment};
use crate::Receipt;

/// How many partitions are remembered. One that is forgotten gets a hint more.
const MOST: usize = 4_096;

/// What was put for each partition last. All clones of a handle have the same.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<HashMap<(String, String), Note>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// A hint of one commit, at this time.
    Once(Moment),
    /// A hint that others may rely on.
    Shared(Cover),
}

/// How to hint at the next commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// With a hint of its own, which goes with it: 2 requests.
    Own,
    /// With one that the next ones share: the partition is written to often.
    Share,
    /// There is one.
    Rely(Cover),
}

impl Note {
    /// Whether it has something to say at this time.
    fn holds(self, clock: &Clock) -> bool {
        match self {
            Self::Once(at) => clock.since(at) < LANDS,
            Self::Shared(cover) => cover.covers(clock),
        }
    }
}

fn key(attempt: &Receipt) -> (String, String) {
    (attempt.table.folded().to_owned(), attempt.partition_key.clone())
}

impl Recent {
    pub(super) fn advise(&self, attempt: &Receipt, clock: &Clock) -> Advice {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match notes.get(&key(attempt)).filter(|note| note.holds(clock)) {
            None => Advice::Own,
            Some(Note::Once(_)) => Advice::Share,
            Some(Note::Shared(cover)) => Advice::Rely(*cover),
        }
    }

    pub(super) fn note(&self, attempt: &Receipt, clock: &Clock, note: Note) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() >= MOST {
            notes.retain(|_, note| note.holds(clock));
        }
        if notes.len() >= MOST {
            notes.clear();
        }
        notes.insert(key(attempt), note);
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicU64, Ordering},
        },
        time::Duration,
    };

    use table_store::{TableName, Timestamp};

    use super::*;
    use crate::hint::HOLDS;

    fn attempt(partition_key: &str) -> Receipt {
        let table = TableName::new("Employees").unwrap();
        Receipt { table, partition_key: partition_key.to_owned(), token: String::new() }
    }

    #[test]
    fn the_second_commit_of_a_partition_puts_what_the_next_ones_rely_on() {
        let (recent, seconds) = (Recent::default(), Arc::new(AtomicU64::new(0)));
        let time = Arc::clone(&seconds);
        let now =
            move || Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(time.load(Ordering::Relaxed)));
        let clock = Clock::default().by(now);
        let (sales, put) = (attempt("Sales"), clock.moment());
        assert_eq!(recent.advise(&sales, &clock), Advice::Own);
        recent.note(&sales, &clock, Note::Once(put));
        assert_eq!(recent.advise(&sales, &clock), Advice::Share);
        assert_eq!(recent.advise(&attempt("IT"), &clock), Advice::Own);
        let cover = Cover { put, holds: HOLDS };
        recent.note(&sales, &clock, Note::Shared(cover));
        // As long as what begins now lands before the deadline.
        seconds.store(LANDS.as_secs(), Ordering::Relaxed);
        assert_eq!(recent.advise(&sales, &clock), Advice::Rely(cover));
        seconds.store(LANDS.as_secs() + 1, Ordering::Relaxed);
        assert_eq!(recent.advise(&sales, &clock), Advice::Own);
    }

    #[test]
    fn what_is_remembered_has_an_end() {
        let (recent, clock) = (Recent::default(), Clock::default());
        for number in 0..2 * MOST {
            recent.note(&attempt(&number.to_string()), &clock, Note::Once(clock.moment()));
        }
        assert!(recent.0.lock().unwrap().len() <= MOST);
    }
}

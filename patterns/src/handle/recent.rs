//! Partitions that this process wrote to recently, so that their commits can share a wake-up message.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use super::clock::{Clock, Cover, MAX_REQUEST_AGE, Moment};
use crate::Receipt;

/// Maximum number of partitions stored. Removing an entry costs one additional message.
const MOST: usize = 4_096;

/// The last message of each partition. Shared by all clones of a handle.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<HashMap<(String, String), Note>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// A message of one commit, put at this time.
    Once(Moment),
    /// A message that other commits can rely on.
    Shared(Cover),
}

/// Type of message for the next commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// A separate message, deleted with the commit: 2 requests.
    Own,
    /// A message that the following commits share, because the partition is written often.
    Share,
    /// An existing message.
    Rely(Cover),
}

impl Note {
    /// Returns `true` if the note is still valid.
    fn holds(self, clock: &Clock) -> bool {
        match self {
            Self::Once(at) => clock.since(at) < MAX_REQUEST_AGE,
            Self::Shared(cover) => cover.covers(clock),
        }
    }
}

fn key(attempt: &Receipt) -> (String, String) {
    (attempt.table.folded().to_owned(), attempt.partition_key.clone())
}

impl Recent {
    pub(crate) fn advise(&self, attempt: &Receipt, clock: &Clock) -> Advice {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match notes.get(&key(attempt)).filter(|note| note.holds(clock)) {
            None => Advice::Own,
            Some(Note::Once(_)) => Advice::Share,
            Some(Note::Shared(cover)) => Advice::Rely(*cover),
        }
    }

    pub(crate) fn note(&self, attempt: &Receipt, clock: &Clock, note: Note) {
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

    use table_model::{TableName, Timestamp};

    use super::*;
    use crate::apply::wakeup::HOLDS;

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
        // Valid as long as an attempt that starts now takes effect before the deadline.
        seconds.store(MAX_REQUEST_AGE.as_secs(), Ordering::Relaxed);
        assert_eq!(recent.advise(&sales, &clock), Advice::Rely(cover));
        seconds.store(MAX_REQUEST_AGE.as_secs() + 1, Ordering::Relaxed);
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

//! The partitions that this process wrote to a moment ago, so that commits of one can share a hint.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use table_store::Timestamp;

use super::{LANDS, put::covers};
use crate::Receipt;

/// How many partitions are remembered. One that is forgotten gets a hint more.
const MOST: usize = 4_096;

/// What was put for each partition last. All clones of a handle have the same.
#[derive(Debug, Default)]
pub(crate) struct Recent(Mutex<HashMap<(String, String), Note>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// A hint of one commit, at this time.
    Once(Timestamp),
    /// A hint that others may rely on, with this deadline.
    Shared(Timestamp),
}

/// How to hint at the next commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// With a hint of its own, which goes with it: 2 requests.
    Own,
    /// With one that the next ones share: the partition is written to often.
    Share,
    /// There is one, with this deadline.
    Rely(Timestamp),
}

impl Note {
    /// Whether it has something to say at this time.
    fn holds(self, now: Timestamp) -> bool {
        match self {
            Self::Once(at) => now < at.saturating_add(LANDS),
            Self::Shared(until) => covers(until, now),
        }
    }
}

fn key(attempt: &Receipt) -> (String, String) {
    (attempt.table.folded().to_owned(), attempt.partition_key.clone())
}

impl Recent {
    pub(super) fn advise(&self, attempt: &Receipt, now: Timestamp) -> Advice {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match notes.get(&key(attempt)).filter(|note| note.holds(now)) {
            None => Advice::Own,
            Some(Note::Once(_)) => Advice::Share,
            Some(Note::Shared(until)) => Advice::Rely(*until),
        }
    }

    pub(super) fn note(&self, attempt: &Receipt, now: Timestamp, note: Note) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() >= MOST {
            notes.retain(|_, note| note.holds(now));
        }
        if notes.len() >= MOST {
            notes.clear();
        }
        notes.insert(key(attempt), note);
    }
}

#[cfg(test)]
mod tests {
    use table_store::TableName;

    use super::*;
    use crate::hint::HOLDS;

    fn attempt(partition_key: &str) -> Receipt {
        let table = TableName::new("Employees").unwrap();
        Receipt { table, partition_key: partition_key.to_owned(), token: String::new() }
    }

    #[test]
    fn the_second_commit_of_a_partition_puts_what_the_next_ones_rely_on() {
        let (recent, now) = (Recent::default(), Timestamp::UNIX_EPOCH);
        let sales = attempt("Sales");
        assert_eq!(recent.advise(&sales, now), Advice::Own);
        recent.note(&sales, now, Note::Once(now));
        assert_eq!(recent.advise(&sales, now), Advice::Share);
        assert_eq!(recent.advise(&attempt("IT"), now), Advice::Own);
        let until = now.saturating_add(HOLDS);
        recent.note(&sales, now, Note::Shared(until));
        // As long as what begins now lands before the deadline.
        assert_eq!(recent.advise(&sales, now.saturating_add(LANDS)), Advice::Rely(until));
        let late = now.saturating_add(LANDS + LANDS / 100);
        assert_eq!(recent.advise(&sales, late), Advice::Own);
    }

    #[test]
    fn what_is_remembered_has_an_end() {
        let (recent, now) = (Recent::default(), Timestamp::UNIX_EPOCH);
        for number in 0..2 * MOST {
            recent.note(&attempt(&number.to_string()), now, Note::Once(now));
        }
        assert!(recent.0.lock().unwrap().len() <= MOST);
    }
}

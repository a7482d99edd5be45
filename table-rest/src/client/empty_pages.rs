use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{Mutex, PoisonError},
};

use table_model::{ErrorCode, Result, TableError};

/// Maximum number of empty pages in a row. Azure ends a page after five seconds, so a filter that matches almost nothing
/// would have been evaluated for half a day.
const MOST: u32 = 10_000;
/// Number of remembered continuations: those of scans at the same time.
const REMEMBERED: usize = 256;

/// Detects scans that never end: empty pages, each with a continuation.
///
/// Each page is a separate request, so the number of empty pages up to a continuation is remembered with it. Only its
/// hash is stored.
#[derive(Debug)]
pub(super) struct EmptyPages {
    most: u32,
    hasher: RandomState,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    counts: HashMap<u64, u32>,
    /// The keys of `counts`, the oldest first.
    order: VecDeque<u64>,
}

impl Default for EmptyPages {
    fn default() -> Self {
        Self::up_to(MOST)
    }
}

impl EmptyPages {
    fn up_to(most: u32) -> Self {
        Self { most, hasher: RandomState::new(), seen: Mutex::default() }
    }

    /// Records a page: the continuation that was sent, the one that was received, and whether the page is empty.
    ///
    /// # Errors
    ///
    /// Returns `InternalError` if the scan does not end: an empty page with the continuation that was sent, or too many
    /// empty pages in a row.
    pub(super) fn check(&self, sent: Option<&str>, received: Option<&str>, is_empty: bool) -> Result<()> {
        let Some(received) = received.filter(|_| is_empty) else { return Ok(()) };
        if sent == Some(received) {
            return Err(endless("an empty page has the continuation of its request"));
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let before = sent.and_then(|sent| seen.counts.get(&self.hasher.hash_one(sent))).copied();
        let count = before.unwrap_or(0) + 1;
        if count >= self.most {
            return Err(endless(&format!("{count} empty pages in a row have a continuation")));
        }
        seen.remember(self.hasher.hash_one(received), count);
        Ok(())
    }
}

impl Seen {
    fn remember(&mut self, continuation: u64, count: u32) {
        if let Some(known) = self.counts.get_mut(&continuation) {
            *known = count.max(*known);
            return;
        }
        if self.order.len() >= REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.counts.remove(&oldest);
        }
        self.order.push_back(continuation);
        self.counts.insert(continuation, count);
    }
}

fn endless(what: &str) -> TableError {
    TableError::with_message(
        ErrorCode::InternalError,
        format!(
            "The server does not end the scan: {what}. The scan is stopped; a filter with a PartitionKey reads less."
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_page_that_leads_to_itself_is_an_error() {
        let pages = EmptyPages::up_to(10);
        assert!(pages.check(Some("a"), Some("a"), false).is_ok());
        assert!(pages.check(None, None, true).is_ok() && pages.check(Some("a"), None, true).is_ok());
        let error = pages.check(Some("a"), Some("a"), true).unwrap_err();
        assert!(error.message().contains("has the continuation of its request"), "{error}");
    }

    #[test]
    fn empty_pages_are_counted_in_a_row() {
        let pages = EmptyPages::up_to(3);
        assert!(pages.check(None, Some("a"), true).is_ok());
        assert!(pages.check(Some("a"), Some("b"), true).is_ok());
        // Another scan, and a page with rows in between.
        assert!(pages.check(None, Some("x"), true).is_ok());
        assert!(pages.check(Some("b"), Some("c"), false).is_ok());
        assert!(pages.check(Some("c"), Some("d"), true).is_ok());
        assert!(pages.check(Some("b"), Some("c"), true).is_err());
        // The same scan again is no longer than before.
        assert!(
            pages.check(None, Some("a"), true).is_ok() && pages.check(Some("a"), Some("b"), true).is_ok()
        );
    }

    #[test]
    fn a_circle_is_cut_off_and_little_is_remembered() {
        let pages = EmptyPages::up_to(1_000);
        let mut steps = (0..2_000).map(|step| if step % 2 == 0 { ("a", "b") } else { ("b", "a") });
        assert!(steps.any(|(from, to)| pages.check(Some(from), Some(to), true).is_err()));
        for step in 0..999 {
            let [from, to] = [step, step + 1].map(|number| format!("n{number}"));
            assert!(pages.check(Some(&from), Some(&to), true).is_ok(), "{step}");
        }
        assert!(pages.check(Some("n999"), Some("n1000"), true).is_err());
        let seen = pages.seen.lock().unwrap();
        assert_eq!((seen.counts.len(), seen.order.len()), (REMEMBERED, REMEMBERED));
    }
}

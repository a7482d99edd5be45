//! The counts of an account at the minutes of the last hour.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use table_explorer::{Totals, TotalsAt};
use table_store::Timestamp;

/// Time between two counts.
const STEP: Duration = Duration::from_secs(60);
/// Number of counts that are kept.
const MOST: usize = 61;

/// The counts at the minutes of the last hour. The first ones are zero, at the start.
#[derive(Debug)]
pub(crate) struct Samples(Mutex<VecDeque<TotalsAt>>);

impl Samples {
    /// Starts with counts of zero.
    pub(crate) fn start() -> Self {
        Self::start_at(Timestamp::now())
    }

    fn start_at(at: Timestamp) -> Self {
        Self(Mutex::new([TotalsAt { at, totals: Totals::default() }].into()))
    }

    /// Keeps the current counts if a minute has passed.
    pub(crate) fn keep(&self, now: Timestamp, totals: impl FnOnce() -> Totals) {
        let mut samples = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if samples.back().is_some_and(|last| now.duration_since(last.at) < STEP) {
            return;
        }
        if samples.len() >= MOST {
            samples.pop_front();
        }
        samples.push_back(TotalsAt { at: now, totals: totals() });
    }

    /// Returns the counts that were kept, and the current ones.
    pub(crate) fn until(&self, now: Timestamp, totals: Totals) -> Vec<TotalsAt> {
        let samples = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        samples.iter().cloned().chain([TotalsAt { at: now, totals }]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_is_kept_by_the_minute() {
        let at = |seconds| Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(seconds));
        let totals = |requests| Totals { requests, ..Totals::default() };
        let samples = Samples::start_at(at(0));
        for second in (0..7_200).step_by(5) {
            samples.keep(at(second), || totals(second));
        }
        let kept = samples.until(at(7_200), totals(9));
        assert_eq!(kept.len(), MOST + 1);
        assert_eq!((kept[0].at, kept[0].totals.requests), (at(3_540), 3_540));
        assert_eq!((kept[MOST - 1].at, kept[MOST].totals.requests), (at(7_140), 9));
    }
}

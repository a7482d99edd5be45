//! Counts of the requests of an account.

use std::collections::BTreeMap;

use table_model::Timestamp;

/// The counts of the requests of an account since the process started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Requests.
    pub requests: u64,
    /// Requests that failed with 503 `ServerBusy`.
    pub throttled: u64,
    /// Entities that requests read.
    pub read: u64,
    /// Entities that requests returned.
    pub returned: u64,
    /// Operations of the commits in `commits`.
    pub operations: u64,
    /// Durations of requests in microseconds.
    pub latency: Distribution,
    /// Operations of each commit; empty if commits are not measured.
    pub commits: Distribution,
    /// Durations of syncs in microseconds; empty if they are not measured.
    pub syncs: Distribution,
    /// Requests of each table, by its name in lower case.
    pub tables: BTreeMap<String, TableTotals>,
}

/// The requests of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableTotals {
    /// Requests that read entities.
    pub reads: u64,
    /// Requests that wrote entities.
    pub writes: u64,
}

/// The counts at a point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalsAt {
    /// The time.
    pub at: Timestamp,
    /// The counts.
    pub totals: Totals,
}

/// A distribution of values, as counts between bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The upper bounds in ascending order, each with the number of values up to it and above the previous bound.
    pub buckets: Vec<(u64, u64)>,
    /// Number of values above the last bound.
    pub above: u64,
}

impl Totals {
    /// Returns what was counted after an earlier time.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            requests: self.requests.saturating_sub(earlier.requests),
            throttled: self.throttled.saturating_sub(earlier.throttled),
            read: self.read.saturating_sub(earlier.read),
            returned: self.returned.saturating_sub(earlier.returned),
            operations: self.operations.saturating_sub(earlier.operations),
            latency: self.latency.since(&earlier.latency),
            commits: self.commits.since(&earlier.commits),
            syncs: self.syncs.since(&earlier.syncs),
            tables: self
                .tables
                .iter()
                .map(|(table, now)| (table.clone(), now.since(earlier.tables.get(table))))
                .collect(),
        }
    }
}

impl TableTotals {
    fn since(self, earlier: Option<&Self>) -> Self {
        let earlier = earlier.copied().unwrap_or_default();
        Self {
            reads: self.reads.saturating_sub(earlier.reads),
            writes: self.writes.saturating_sub(earlier.writes),
        }
    }
}

impl Distribution {
    /// Creates an empty distribution with upper bounds in ascending order.
    #[must_use]
    pub fn with_bounds(bounds: impl IntoIterator<Item = u64>) -> Self {
        Self { buckets: bounds.into_iter().map(|bound| (bound, 0)).collect(), above: 0 }
    }

    /// Counts a value.
    pub fn add(&mut self, value: u64) {
        match self.buckets.iter_mut().find(|(bound, _)| value <= *bound) {
            Some((_, count)) => *count += 1,
            None => self.above += 1,
        }
    }

    /// Returns the number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.above + self.buckets.iter().map(|(_, count)| count).sum::<u64>()
    }

    fn since(&self, earlier: &Self) -> Self {
        let before = |bound: u64| earlier.buckets.iter().find(|(other, _)| *other == bound);
        let buckets = self.buckets.iter().map(|(bound, count)| {
            (*bound, count.saturating_sub(before(*bound).map_or(0, |(_, count)| *count)))
        });
        Self { buckets: buckets.collect(), above: self.above.saturating_sub(earlier.above) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_count_is_without_the_earlier_one() {
        let mut latency = Distribution::with_bounds([10, 100]);
        for value in [3, 10, 11] {
            latency.add(value);
        }
        let before = Totals { requests: 3, read: 7, latency: latency.clone(), ..Totals::default() };
        for value in [50, 1000] {
            latency.add(value);
        }
        let after = Totals { requests: 5, read: 9, latency, ..Totals::default() };
        let since = after.since(&before);
        assert_eq!((since.requests, since.read), (2, 2));
        assert_eq!(since.latency, Distribution { buckets: vec![(10, 0), (100, 1)], above: 1 });
        // Before the first request, there were no bounds.
        assert_eq!(after.since(&Totals::default()), after);
        assert_eq!(after.latency.count(), 5);
    }
}

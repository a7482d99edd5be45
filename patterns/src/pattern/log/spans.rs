//! Blob name prefixes for the lines of a time span.

use std::ops::{Bound, Range, RangeBounds};

use table_model::Timestamp;

use super::place::{Hour, TICKS_OF_HOUR};

/// A time span from the first tick (inclusive) to the last tick (exclusive). `None` for an open end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    from: Option<i64>,
    to: Option<i64>,
}

impl Span {
    pub(super) fn of(times: &impl RangeBounds<Timestamp>) -> Self {
        let from = match times.start_bound() {
            Bound::Included(at) => Some(at.ticks()),
            Bound::Excluded(at) => Some(at.ticks() + 1),
            Bound::Unbounded => None,
        };
        let to = match times.end_bound() {
            Bound::Included(at) => Some(at.ticks() + 1),
            Bound::Excluded(at) => Some(at.ticks()),
            Bound::Unbounded => None,
        };
        Self { from, to }
    }

    fn ticks(self) -> Range<i64> {
        self.from.unwrap_or(0)..self.to.unwrap_or(i64::MAX)
    }

    pub(super) fn is_empty(self) -> bool {
        self.ticks().is_empty()
    }

    pub(super) fn holds(self, at: Timestamp) -> bool {
        self.ticks().contains(&at.ticks())
    }

    /// Returns `true` if the span overlaps with the interval between two times, both inclusive.
    pub(super) fn meets(self, first: Timestamp, last: Timestamp) -> bool {
        let ticks = self.ticks();
        first.ticks() < ticks.end && ticks.start <= last.ticks()
    }

    /// Returns the years of the span. Returns `None` if an end is open or the span covers more than two years.
    pub(super) fn years(self) -> Option<Vec<i32>> {
        let year = |ticks| Timestamp::from_ticks(ticks).map(|at| at.date().0);
        let (first, last) = (year(self.from?)?, year(self.to?.saturating_sub(1))?);
        (last - first <= 1).then(|| (first..=last).collect())
    }

    /// Returns the minimal set of year, month, day and hour paths that cover the hours of the span, in chronological
    /// order.
    pub(super) fn paths(self, years: &[i32]) -> Vec<String> {
        let mut paths = Vec::new();
        for year in years {
            self.year(*year, &mut paths);
        }
        paths
    }

    fn year(self, year: i32, paths: &mut Vec<String>) {
        match self.part(start(year, 1, 1)..start(year.saturating_add(1), 1, 1)) {
            Part::None => {}
            Part::All => paths.push(format!("{year:04}/")),
            Part::Some => (1..=12).for_each(|month| self.month(year, month, paths)),
        }
    }

    fn month(self, year: i32, month: u8, paths: &mut Vec<String>) {
        let next = if month == 12 { start(year.saturating_add(1), 1, 1) } else { start(year, month + 1, 1) };
        let month_starts = start(year, month, 1);
        match self.part(month_starts..next) {
            Part::None => {}
            Part::All => paths.push(format!("{year:04}/{month:02}/")),
            Part::Some => {
                let mut day_starts = month_starts;
                while day_starts < next {
                    self.day(day_starts, paths);
                    day_starts += 24 * TICKS_OF_HOUR;
                }
            }
        }
    }

    fn day(self, day_starts: i64, paths: &mut Vec<String>) {
        let Some((year, month, day)) = Timestamp::from_ticks(day_starts).map(Timestamp::date) else { return };
        match self.part(day_starts..day_starts + 24 * TICKS_OF_HOUR) {
            Part::None => {}
            Part::All => paths.push(format!("{year:04}/{month:02}/{day:02}/")),
            Part::Some => {
                for hour in 0..24 {
                    let hour_starts = day_starts + hour * TICKS_OF_HOUR;
                    let at = Timestamp::from_ticks(hour_starts);
                    if let (Some(at), Part::All | Part::Some) =
                        (at, self.part(hour_starts..hour_starts + TICKS_OF_HOUR))
                    {
                        paths.push(Hour::of(at).path());
                    }
                }
            }
        }
    }

    /// Returns the overlap of a range with the span.
    fn part(self, range: Range<i64>) -> Part {
        let ticks = self.ticks();
        if ticks.is_empty() || range.end <= ticks.start || ticks.end <= range.start {
            Part::None
        } else if ticks.start <= range.start && range.end <= ticks.end {
            Part::All
        } else {
            Part::Some
        }
    }
}

enum Part {
    None,
    Some,
    All,
}

/// Returns the start of a day, or the end of time for days after the year 9999.
fn start(year: i32, month: u8, day: u8) -> i64 {
    Timestamp::from_date(year, month, day).map_or(Timestamp::MAX.ticks() + 1, Timestamp::ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn paths(from: &str, to: &str) -> Vec<String> {
        let span = Span::of(&(at(from)..at(to)));
        span.paths(&span.years().unwrap())
    }

    #[test]
    fn only_the_hours_that_can_hold_it_are_asked_for() {
        assert_eq!(paths("2014-07-31T18:00:00Z", "2014-07-31T19:00:00Z"), ["2014/07/31/1800/"]);
        assert_eq!(
            paths("2014-07-31T18:59:59Z", "2014-07-31T19:00:00.0000001Z"),
            ["2014/07/31/1800/", "2014/07/31/1900/"]
        );
        assert_eq!(paths("2014-07-31T00:00:00Z", "2014-08-01T00:00:00Z"), ["2014/07/31/"]);
        assert_eq!(
            paths("2013-11-29T23:30:00Z", "2014-02-01T01:00:00Z"),
            ["2013/11/29/2300/", "2013/11/30/", "2013/12/", "2014/01/", "2014/02/01/0000/"]
        );
        assert_eq!(paths("2013-01-01T00:00:00Z", "2015-01-01T00:00:00Z"), ["2013/", "2014/"]);
        assert!(Span::of(&(at("2014-07-31T00:00:00Z")..at("2014-07-30T00:00:00Z"))).is_empty());
    }

    #[test]
    fn the_ends_of_time_have_paths_too() {
        let last = Span::of(&(at("9999-12-31T23:00:00Z")..=Timestamp::MAX));
        assert_eq!(last.paths(&last.years().unwrap()), ["9999/12/31/2300/"]);
        assert_eq!(Span::of(&(Timestamp::MIN..=Timestamp::MAX)).years(), None);
        assert_eq!(Span::of(&..).paths(&[1, 9999]), ["0001/", "9999/"]);
    }

    #[test]
    fn every_hour_of_a_span_is_under_one_path_and_no_other_hour_is() {
        let hour =
            |index: i64| Timestamp::from_ticks(at("2013-12-30").ticks() + index * TICKS_OF_HOUR).unwrap();
        for (from, to) in [(0, 1), (5, 47), (0, 24), (23, 49), (1, 1_000), (40, 780), (47, 791)] {
            let span = Span::of(&(hour(from)..hour(to)));
            let paths = span.paths(&span.years().unwrap());
            assert!(paths.is_sorted());
            for index in -30..1_100 {
                let path = Hour::of(hour(index)).path();
                let under = paths.iter().filter(|prefix| path.starts_with(prefix.as_str())).count();
                assert_eq!(under, usize::from((from..to).contains(&index)), "{path}");
            }
        }
    }
}

//! The figures of the requests: the tiles above the map, and the histograms below it.

use maud::{Markup, html};

use super::histogram::{Unit, histogram, quantile};
use crate::{
    Totals, TotalsAt,
    show::{grouped, ratio},
    view::{Context, home::Trouble, listing::is_poison},
};

/// Time in milliseconds over which the current rate is measured.
const RECENT: u64 = 60_000;

/// The counts of the last hour, the oldest first.
pub(super) struct Figures<'t> {
    counts: &'t [TotalsAt],
    hour: Totals,
}

impl<'t> Figures<'t> {
    /// Returns `None` without counts.
    pub(super) fn of(counts: &'t [TotalsAt]) -> Option<Self> {
        let [first, .., last] = counts else { return None };
        Some(Self { counts, hour: last.totals.since(&first.totals) })
    }

    /// Renders the tiles.
    pub(super) fn tiles(&self, context: &Context<'_>, trouble: &Trouble) -> Markup {
        let hour = &self.hour;
        let figure = |value: &str, label: &str, values: &[u64]| {
            html! { div.card.tile { b { (value) } span { (label) } (spark(values)) } }
        };
        let throttled = format!("requests/s; {} throttled", grouped(hour.throttled));
        let median = format!("p99 of requests; p50: {}", quantile(&hour.latency, 50, Unit::Time));
        let share = |part: u64, whole: u64| if whole == 0 { "·".to_owned() } else { ratio(part, whole) };
        let (poison, queue) = poison(trouble);
        html! {
            div.tiles {
                (figure(&self.rate(), &throttled, &self.series(|since, millis| since.requests * 1_000_000 / millis)))
                (figure(&quantile(&hour.latency, 99, Unit::Time), &median, &[]))
                (figure(&share(hour.read, hour.returned), "entities read per returned",
                    &self.series(|since, _| since.read * 1_000 / since.returned.max(1))))
                @if hour.commits.count() > 0 {
                    (figure(&share(hour.operations, hour.commits.count()), "operations per commit",
                        &self.series(|since, _| since.operations * 1_000 / since.commits.count().max(1))))
                }
                @if let Some([pending, parked]) = trouble.follow_ups() {
                    div.card.tile {
                        b class=[(parked > 0).then_some("error")] { (trouble.oldest().unwrap_or_else(|| "none".to_owned())) }
                        span { a href=(context.url(&["design", "follow-ups"], [])) { "oldest follow-up" } "; " (grouped(pending)) " pending, " (grouped(parked)) " parked" }
                    }
                }
                @if context.place.is_local() {
                    div.card.tile { b class=[(poison > 0).then_some("error")] { (grouped(poison)) }
                        span { @if let Some(queue) = queue { a href=(context.url(&["q", queue], [])) { "poison messages" } } @else { "poison messages" } } }
                }
            }
        }
    }

    /// Renders the histograms of the last hour.
    pub(super) fn histograms(&self) -> Markup {
        html! {
            div.three {
                (histogram("Request latency", "Durations of requests", &self.hour.latency, Unit::Time))
                @if self.hour.commits.count() > 0 {
                    (histogram("Commit group size", "Operations of commits", &self.hour.commits, Unit::Count))
                }
                @if self.hour.syncs.count() > 0 {
                    (histogram("Sync latency", "Durations of syncs", &self.hour.syncs, Unit::Time))
                }
            }
        }
    }

    /// Returns the requests per second of the last minute.
    fn rate(&self) -> String {
        let Some(last) = self.counts.last() else { return String::new() };
        let age = |count: &&TotalsAt| millis(count, last) >= RECENT;
        let Some(before) = self.counts.iter().rev().find(age).or(self.counts.first()) else {
            return String::new();
        };
        ratio(last.totals.since(&before.totals).requests * 1_000, millis(before, last).max(1))
    }

    /// Returns a value of each step, from its counts and its length in milliseconds.
    fn series(&self, value: impl Fn(&Totals, u64) -> u64) -> Vec<u64> {
        let steps = self.counts.iter().zip(self.counts.iter().skip(1));
        steps.map(|(one, next)| value(&next.totals.since(&one.totals), millis(one, next).max(1))).collect()
    }
}

/// Returns the milliseconds between two counts.
fn millis(from: &TotalsAt, to: &TotalsAt) -> u64 {
    u64::try_from(to.at.duration_since(from.at).as_millis()).unwrap_or(u64::MAX)
}

/// Returns the number of poison messages, and the queue with most of them.
fn poison(trouble: &Trouble) -> (u64, Option<&str>) {
    let queues = trouble.messages.iter().filter(|(name, count)| is_poison(name) && **count > 0);
    let most = queues.clone().max_by_key(|(_, count)| **count);
    (queues.map(|(_, count)| count).sum(), most.map(|(name, _)| name.as_str()))
}

/// Renders values over time as a line.
fn spark(values: &[u64]) -> Markup {
    let (last, most) = (values.len().saturating_sub(1), values.iter().max().copied().unwrap_or(0));
    if last == 0 || most == 0 {
        return html! {};
    }
    let point = |(x, value): (usize, &u64)| {
        format!("{} {}", x * 100 / last, 21 - u128::from(*value) * 20 / u128::from(most))
    };
    let line = values.iter().enumerate().map(point).collect::<Vec<_>>().join(" ");
    html! {
        svg viewBox="0 0 100 22" preserveAspectRatio="none" aria-hidden="true" {
            path.under d={ "M" (line) " 100 22 0 22Z" } {}
            path.spark d={ "M" (line) } {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use table_model::Timestamp;

    use super::*;

    fn at(seconds: u64, requests: u64) -> TotalsAt {
        TotalsAt {
            at: Timestamp::UNIX_EPOCH.saturating_add(Duration::from_secs(seconds)),
            totals: Totals { requests, ..Totals::default() },
        }
    }

    #[test]
    fn the_rate_is_that_of_the_last_minute() {
        let counts = [at(0, 0), at(60, 6_000), at(120, 6_600), at(130, 6_700)];
        let figures = Figures::of(&counts).unwrap();
        assert_eq!(figures.rate(), "10.0");
        assert_eq!(figures.series(|since, millis| since.requests * 1_000 / millis), [100, 10, 10]);
        assert_eq!(Figures::of(&counts[..2]).unwrap().rate(), "100");
        // A server that has just started.
        assert_eq!(Figures::of(&[at(0, 0), at(4, 6)]).unwrap().rate(), "1.5");
        assert!(Figures::of(&counts[..1]).is_none());
    }

    #[test]
    fn a_line_ends_at_the_sides() {
        assert_eq!(spark(&[0, 0]).into_string(), "");
        let svg = spark(&[0, 5, 10]).into_string();
        assert!(svg.contains("d=\"M0 21 50 11 100 1\""), "{svg}");
        spark(&[u64::MAX, 1]);
    }
}

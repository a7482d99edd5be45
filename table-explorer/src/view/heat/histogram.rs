//! Distributions as pictures.

use maud::{Markup, html};

use crate::{Distribution, show::grouped};

/// Size of a picture.
const HEIGHT: u64 = 74;
const WIDTH: u64 = 1000;

/// The unit of the values of a distribution.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// Microseconds.
    Time,
    Count,
}

impl Unit {
    fn show(self, value: u64) -> String {
        match self {
            Self::Time if value.is_multiple_of(1_000_000) => format!("{} s", value / 1_000_000),
            Self::Time if value.is_multiple_of(1_000) => format!("{} ms", value / 1_000),
            Self::Time => format!("{value} µs"),
            Self::Count => grouped(value),
        }
    }
}

/// Returns the bound below which a share of the values is. The buckets say no more.
pub(super) fn quantile(distribution: &Distribution, percent: u64, unit: Unit) -> String {
    let count = distribution.count();
    if count == 0 {
        return "·".to_owned();
    }
    let wanted = u128::from(count) * u128::from(percent);
    let mut seen = 0;
    for (bound, count) in &distribution.buckets {
        seen += u128::from(*count);
        if seen * 100 >= wanted {
            return format!("≤ {}", unit.show(*bound));
        }
    }
    let last = distribution.buckets.last().map_or(0, |(bound, _)| *bound);
    format!("> {}", unit.show(last))
}

/// Renders a distribution. The title of each bar has its count.
pub(super) fn histogram(title: &str, name: &str, distribution: &Distribution, unit: Unit) -> Markup {
    let counts: Vec<(String, u64)> = distribution
        .buckets
        .iter()
        .map(|(bound, count)| (format!("≤ {}", unit.show(*bound)), *count))
        .chain([("above".to_owned(), distribution.above)])
        .collect();
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let width = WIDTH / counts.len() as u64;
    let bounds = &distribution.buckets;
    let shown = [bounds.first(), bounds.get(bounds.len() / 2), bounds.last()];
    let quantiles = [50, 99].map(|percent| format!("p{percent} {}", quantile(distribution, percent, unit)));
    html! {
        section.card {
            header { h2 { (title) } span.small.dim.right { @if distribution.count() > 0 { (quantiles.join(" · ")) } @else { "none yet" } } }
            div.pad {
                svg.hist viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img"
                    aria-label={ (name) ": " (quantiles.join(", ")) ", " (grouped(distribution.count())) " in the last hour" } {
                    path.gap-line d={ "M0 " (HEIGHT) "H" (WIDTH) } {}
                    @for ((bound, count), x) in counts.iter().zip(0_u64..) { @if *count > 0 {
                        // A small count is visible, too.
                        @let height = (u128::from(*count) * 70 / u128::from(most)).max(1);
                        rect.fill x=(x * width + 5) width=(width.saturating_sub(10)) y=(u128::from(HEIGHT) - height) height=(height) { title { (bound) ": " (grouped(*count)) } }
                    } }
                }
                div.axis { @for (bound, _) in shown.into_iter().flatten() { span { (unit.show(*bound)) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_a_bound_that_holds() {
        let mut times = Distribution::with_bounds([100, 1_000, 10_000]);
        assert_eq!(quantile(&times, 50, Unit::Time), "·");
        for _ in 0..99 {
            times.add(300);
        }
        times.add(5_000);
        assert_eq!(quantile(&times, 50, Unit::Time), "≤ 1 ms");
        assert_eq!(quantile(&times, 99, Unit::Time), "≤ 1 ms");
        times.add(50_000);
        times.add(50_000);
        assert_eq!(quantile(&times, 99, Unit::Time), "> 10 ms");
        let html = histogram("Requests", "Durations", &times, Unit::Time).into_string();
        assert!(
            html.contains("<title>≤ 1 ms: 99</title>") && html.contains("<title>above: 2</title>"),
            "{html}"
        );
    }
}

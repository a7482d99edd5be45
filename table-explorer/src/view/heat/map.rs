//! The heat map: partitions downwards, time to the right.

use maud::{Markup, PreEscaped, html};

use super::busiest::{Line, busiest, start};
use crate::{HeatSpan, HeatStep, show::visible};

/// Published target of a partition in entities per second.
pub(super) const TARGET: u64 = 2_000;

/// Number of partitions.
const ROWS: usize = 15;

/// Upper bounds of the first steps of color in per cent of the target. The last two steps begin at 50 % and 100 %.
const BOUNDS: [u64; 5] = [1, 5, 12, 25, 50];

/// The busiest partitions over time.
pub(super) struct HeatMap {
    pub(super) rows: Vec<Line>,
    steps: usize,
    /// Start of the first and of the last step, in minutes since 1970.
    from: u64,
    to: u64,
}

impl HeatMap {
    pub(super) fn new(steps: &[HeatStep], span: HeatSpan) -> Self {
        let to = steps.last().map_or(0, |step| step.start);
        let mut rows = busiest(steps, span);
        rows.truncate(ROWS);
        Self { rows, steps: usize::try_from(span.steps()).unwrap_or(0), from: start(steps, span), to }
    }

    /// Renders the map as a picture. The table below it has the same data.
    pub(super) fn render(&self, link: &dyn Fn(&str, &str) -> String) -> Markup {
        let height = self.rows.len();
        html! {
            div.heat {
                ol aria-label="Partitions, busiest first" { @for row in &self.rows {
                    li { a href=(link(&row.table, &row.partition)) {
                        @if row.partition.is_empty() { "\"\"" } @else { (visible(&row.partition, 40)) } " " span { (row.table) } } }
                } }
                svg viewBox={ "0 0 " (self.steps) " " (height) } height=(20 * height) preserveAspectRatio="none" role="img"
                    aria-label={ "Heat of " (height) " partitions. The table below has the same data." } {
                    @for level in 0..=7 { (self.cells(level)) }
                    @for line in 1..height { path.gap-line d={ "M0 " (line) "H" (self.steps) } {} }
                }
                ol.n aria-label="Busiest step" { @for row in &self.rows { li { (row.most_per_second()) } } }
                div.times { span { (clock(self.from)) } span { "UTC" } span { (clock(self.to)) } }
            }
        }
    }

    /// Returns one path with all cells of a level.
    fn cells(&self, level: usize) -> Markup {
        let of_row = |(y, row): (usize, &Line)| {
            let cells = row.rates.iter().enumerate().filter(|(_, rate)| level_of(**rate) == level);
            cells.map(|(x, _)| format!("M{x} {y}h1v1h-1z")).collect::<Vec<_>>()
        };
        let path = self.rows.iter().enumerate().flat_map(of_row).collect::<Vec<_>>().concat();
        if path.is_empty() {
            return html! {};
        }
        html! { (PreEscaped(format!("<path class=\"h{level}\" d=\"{path}\"/>"))) }
    }
}

/// Returns the step of color of a rate.
fn level_of(rate: u64) -> usize {
    let percent = rate * 100 / TARGET;
    match rate {
        0 => 0,
        _ if percent >= 100 => 7,
        _ => 1 + BOUNDS.iter().filter(|bound| percent >= **bound).count(),
    }
}

/// Formats the time of a minute.
fn clock(minute: u64) -> String {
    format!("{:02}:{:02}", minute / 60 % 24, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HotPartition;

    #[test]
    fn colors_are_shares_of_the_target() {
        let levels = [0, 1, 19, 20, 100, 240, 500, 999, 1000, 1999, 2000, 90_000].map(level_of);
        assert_eq!(levels, [0, 1, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7]);
    }

    #[test]
    fn the_busiest_partition_is_first_and_steps_are_in_their_place() {
        let hot = |partition: &str, entities| HotPartition {
            table: "t".to_owned(),
            partition: partition.to_owned(),
            entities,
            overestimate: 1,
        };
        let step = |start, partitions| HeatStep { start, entities: 0, partitions };
        let steps = [step(100, vec![hot("a", 60), hot("b", 30)]), step(110, vec![hot("b", 121)])];
        let map = HeatMap::new(&steps, HeatSpan::Hour);
        let found: Vec<_> =
            map.rows.iter().map(|row| (row.partition.as_str(), row.entities, row.overestimate)).collect();
        assert_eq!(found, [("b", 151, 2), ("a", 60, 1)]);
        let b = &map.rows[0].rates;
        assert_eq!((b[59], b[49], b.iter().sum::<u64>()), (3, 1, 4));
        assert_eq!(map.rows[0].most_per_second(), "2.0/s");
        let one = HeatMap::new(&[step(100, vec![hot("a", 1)])], HeatSpan::Hour);
        assert_eq!(one.rows[0].most_per_second(), "< 0.1/s", "one read in a minute");
        assert_eq!((clock(map.from), clock(map.to)), ("00:51".to_owned(), "01:50".to_owned()));
    }
}

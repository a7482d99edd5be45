use std::fmt::Write as _;

use table_advisor::simulate::{Outcome, Parameters};

use super::{super::report::Report, markup::Markup};
use crate::outcome;

/// Number of shades; values below half of the first shade are omitted.
const SHADES: u8 = 10;

/// Writes the served load over key space and time, and next to it the number of ranges.
pub(super) fn write(page: &mut Markup, report: &Report<'_>, servers: usize, outcome: &Outcome) {
    let columns = outcome.heat.first().map_or(0, Vec::len);
    if columns == 0 {
        return;
    }
    let rows = outcome.heat.len();
    let seconds = Parameters::default().seconds;
    let machines = if servers == 1 { "1 server".to_owned() } else { format!("{servers} servers") };
    page.leaf("h3", "", &format!("Load distribution on {machines}"));
    page.leaf(
        "p",
        "dim",
        &format!(
            "Keys from left to right, time from top to bottom: {seconds} seconds. A stronger color means more served \
             load. On the right, the number of ranges of the tables: {}.",
            outcome::moments(outcome)
        ),
    );
    page.classed("div", "heat", |page| {
        let size = format!("0 0 {columns} {rows}");
        let label = format!("Heat map of {seconds} seconds");
        let attributes = [
            ("viewBox", size.as_str()),
            ("preserveAspectRatio", "none"),
            ("role", "img"),
            ("aria-label", &label),
        ];
        page.element("svg", &attributes, |page| {
            for (shade, path) in shades(outcome) {
                let opacity = format!("{:.1}", f64::from(shade) / f64::from(SHADES));
                page.void("path", &[("class", "cell"), ("fill-opacity", &opacity), ("d", &path)]);
            }
        });
        ranges(page, outcome, seconds);
        page.classed("div", "axis", |page| {
            for stream in &report.scale.streams {
                page.leaf("code", "", &stream.name);
            }
        });
        page.leaf("div", "axis", &format!("{} ranges", outcome.ranges));
    });
}

/// Returns the cells of each shade as one outline: adjacent cells in a row are one rectangle.
fn shades(outcome: &Outcome) -> Vec<(u8, String)> {
    let most = outcome.heat.iter().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
    let of = |served: f64| {
        (1..=SHADES).rev().find(|shade| served / most >= (f64::from(*shade) - 0.5) / f64::from(SHADES))
    };
    let mut paths: Vec<(u8, String)> = (1..=SHADES).map(|shade| (shade, String::new())).collect();
    for (y, row) in outcome.heat.iter().enumerate() {
        let shaded: Vec<Option<u8>> = row.iter().map(|served| of(*served)).collect();
        let mut x = 0;
        for run in shaded.chunk_by(|one, other| one == other) {
            let shade = run.first().copied().flatten();
            if let Some((_, path)) = paths.iter_mut().find(|(number, _)| Some(*number) == shade) {
                let _ = write!(path, "M{x} {y}h{}v1h-{}z", run.len(), run.len());
            }
            x += run.len();
        }
    }
    paths.retain(|(_, path)| !path.is_empty());
    paths
}

/// Writes the number of ranges over time, with a step at each action of the partition manager.
fn ranges(page: &mut Markup, outcome: &Outcome, seconds: usize) {
    let most =
        outcome.timeline.iter().map(|moment| moment.ranges).max().unwrap_or(0).max(outcome.ranges).max(1);
    let before = outcome.ranges + outcome.merges;
    let mut path = format!("M0 0H{}", before.saturating_sub(outcome.splits));
    for moment in &outcome.timeline {
        let _ = write!(path, "V{}H{}", moment.second, moment.ranges);
    }
    let _ = write!(path, "V{seconds}H0z");
    let attributes = [
        ("viewBox", &*format!("0 0 {most} {seconds}")),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    page.element("svg", &attributes, |page| page.void("path", &[("class", "rest"), ("d", &path)]));
}

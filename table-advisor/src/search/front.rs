//! Designs that cost more and are better in another respect.

use super::{Designed, Figures, Options, searched};
use table_designs::schema::Workload;

/// How often the limit of the busiest partition is halved.
const HALVINGS: usize = 5;
/// The fractions of the storage.
const STORAGE: [f64; 2] = [0.5, 0.25];

/// A design under a tighter limit.
#[derive(Clone, Debug)]
pub struct Point {
    /// The tighter limit.
    pub variant: Variant,
    /// The cheapest design that meets it.
    pub designed: Designed,
}

/// A tighter limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variant {
    /// At most as many entities per second in the busiest partition.
    Hottest(f64),
    /// Every query returns the latest state.
    Fresh,
    /// At most as many GiB in tables.
    Storage(f64),
}

/// Returns the designs under tighter limits that are better than the given one in some respect: with a busiest partition
/// of at most half the load, several times, without late reads, and with at most a half and a quarter of the storage.
///
/// Limits that no design meets are omitted. All searches together, with that of the given design, examine about as many partial
/// designs as the options allow for one.
#[must_use]
pub fn front(workload: &Workload, options: &Options, from: &Designed) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let mut left = *options;
    left.nodes = left.nodes.saturating_sub(from.nodes);
    let mut search = |workload: &Workload| {
        if left.nodes == 0 {
            return None;
        }
        let (designed, examined) = searched(workload, &left);
        left.nodes = left.nodes.saturating_sub(examined);
        designed.ok()
    };
    let mut hottest = from.figures.hottest;
    for _ in 0..HALVINGS {
        let mut tighter = workload.clone();
        tighter.limits.hottest = Some(hottest / 2.0);
        let Some(designed) = search(&tighter) else { break };
        let limit = hottest / 2.0;
        hottest = designed.figures.hottest;
        points.push(Point { variant: Variant::Hottest(limit), designed });
    }
    if from.figures.late > 0.0 {
        let mut fresh = workload.clone();
        fresh.content.queries.iter_mut().for_each(|query| query.fresh = true);
        let designed = search(&fresh);
        points.extend(designed.map(|designed| Point { variant: Variant::Fresh, designed }));
    }
    for limit in STORAGE.map(|part| part * from.figures.storage_gib) {
        let mut smaller = workload.clone();
        smaller.limits.storage_gib = Some(limit);
        let designed = search(&smaller);
        points.extend(designed.map(|designed| Point { variant: Variant::Storage(limit), designed }));
    }
    better(points, &from.figures)
}

/// Returns the points that no other is as good as in every respect.
fn better(points: Vec<Point>, from: &Figures) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        let figures = &point.designed.figures;
        let is_as_good = |known: &Point| known.designed.figures.is_as_good_as(figures);
        if !from.is_as_good_as(figures) && !kept.iter().any(is_as_good) {
            kept.retain(|known| !figures.is_as_good_as(&known.designed.figures));
            kept.push(point);
        }
    }
    kept
}

impl Figures {
    /// Returns whether this design is at least as good in every respect, as far as reports show it.
    fn is_as_good_as(&self, other: &Self) -> bool {
        let figures =
            |of: &Self| [cents(of.usd), digits(of.hottest), digits(of.late), digits(of.storage_gib)];
        figures(self).into_iter().zip(figures(other)).all(|(own, other)| own <= other)
    }
}

fn cents(usd: f64) -> f64 {
    (usd * 100.0).round()
}

/// Rounds to three digits, which reports show.
fn digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

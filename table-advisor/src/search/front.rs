//! Designs that cost more and are better in another respect.

use super::{Designed, Figures, Options, search};
use table_schema::schema::Workload;

/// How often the limit of the busiest partition is halved.
const HALVINGS: usize = 5;

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
}

/// Returns the designs under tighter limits that are better than the given one in some respect: with a busiest partition
/// of at most half the load, several times, and without late reads.
///
/// Limits that no design meets are omitted.
#[must_use]
pub fn front(workload: &Workload, options: &Options, from: &Designed) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let mut hottest = from.figures.hottest;
    for _ in 0..HALVINGS {
        let mut tighter = workload.clone();
        tighter.limits.hottest = Some(hottest / 2.0);
        let Ok(designed) = search(&tighter, options) else { break };
        let limit = hottest / 2.0;
        hottest = designed.figures.hottest;
        points.push(Point { variant: Variant::Hottest(limit), designed });
    }
    if from.figures.late > 0.0 {
        let mut fresh = workload.clone();
        fresh.content.queries.iter_mut().for_each(|query| query.fresh = true);
        let designed = search(&fresh, options).ok();
        points.extend(designed.map(|designed| Point { variant: Variant::Fresh, designed }));
    }
    let all: Vec<Figures> = points.iter().map(|point| point.designed.figures.clone()).collect();
    let is_kept = |figures: &Figures| {
        !figures.is_worse_than(&from.figures) && all.iter().all(|other| !figures.is_worse_than(other))
    };
    points.retain(|point| is_kept(&point.designed.figures));
    points
}

impl Figures {
    /// Returns whether the other design is at least as good in every respect, and better in one.
    fn is_worse_than(&self, other: &Self) -> bool {
        let figures = |of: &Self| [of.usd, of.hottest, of.late, of.storage_gib];
        let pairs: Vec<(f64, f64)> = figures(self).into_iter().zip(figures(other)).collect();
        pairs.iter().all(|(own, other)| own >= other) && pairs.iter().any(|(own, other)| own > other)
    }
}

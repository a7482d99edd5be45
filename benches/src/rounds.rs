//! Runs a row. Each round runs every contender once and starts with a different contender, so that a temporary slowdown
//! of the machine affects all of them.

use crate::{
    bench::{Bench, Subject},
    contender::{Kind, Outcome},
    order::Size,
    rows::{Goal, Row, Sample},
};

/// A measured row.
pub struct Measured {
    pub row: &'static Row,
    pub size: Size,
    pub results: Vec<(Kind, Vec<Sample>)>,
}

pub fn run(bench: &mut Bench, row: &'static Row, size: Size) -> Outcome<Measured> {
    let kinds = row.kinds.iter().copied().filter(|kind| kind.is_built());
    let mut results: Vec<(Kind, Vec<Sample>)> = kinds.map(|kind| (kind, Vec::new())).collect();
    if row.on_loaded {
        results.iter().try_for_each(|(kind, _)| bench.prepare(*kind, size))?;
    }
    for round in 0..if row.once { 1 } else { bench.effort.rounds } {
        let turn = round as usize % results.len();
        let (first, last) = results.split_at_mut(turn);
        for (kind, samples) in last.iter_mut().chain(first) {
            let sample = (row.run)(bench, Subject { kind: *kind, size, round });
            samples.push(sample.map_err(|error| format!("{} of {}: {error}", row.name, kind.title()))?);
        }
    }
    Ok(Measured { row, size, results })
}

impl Measured {
    fn samples(&self, kind: Kind) -> Option<&[Sample]> {
        self.results.iter().find(|(is, _)| *is == kind).map(|(_, samples)| samples.as_slice())
    }

    pub fn median(&self, kind: Kind) -> Option<f64> {
        median(self.samples(kind)?.iter().map(|sample| sample.value))
    }

    /// Returns half of the range between minimum and maximum, relative to the median.
    pub fn spread(&self, kind: Kind) -> Option<f64> {
        let values = || self.samples(kind).into_iter().flatten().map(|sample| sample.value);
        let (least, most) = (values().reduce(f64::min)?, values().reduce(f64::max)?);
        Some((most - least) / 2.0 / self.median(kind)?)
    }

    /// Returns the medians of the median and the 99th percentile latency, in seconds.
    pub fn latency(&self, kind: Kind) -> Option<[f64; 2]> {
        let times: Vec<_> = self.samples(kind)?.iter().filter_map(|sample| sample.latency).collect();
        let middle = median(times.iter().map(|[middle, _]| middle.as_secs_f64()))?;
        Some([middle, median(times.iter().map(|[_, slow]| slow.as_secs_f64()))?])
    }

    /// Returns the factor by which one contender is better than another: the median of the ratios per round, so that a
    /// slow round affects both sides.
    pub fn ratio(&self, of: Kind, to: Kind) -> Option<f64> {
        let pairs = self.samples(of)?.iter().zip(self.samples(to)?);
        median(pairs.map(|(of, to)| {
            if self.row.unit.more_is_better() { of.value / to.value } else { to.value / of.value }
        }))
    }

    /// Returns the required value of a goal, the measured value, and whether the goal is reached.
    pub fn judge(&self, goal: Goal) -> Option<(f64, f64, bool)> {
        match goal {
            Goal::Ratio { of, to, at_least } => {
                let reached = self.ratio(of, to)?;
                Some((at_least, reached, reached >= at_least))
            }
            Goal::AtMost(most) => {
                let reached = self.median(Kind::Ours)?;
                Some((most, reached, reached <= most))
            }
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let upper = values.get(values.len() / 2)?;
    let lower = values.get(values.len().checked_sub(1)? / 2)?;
    Some(f64::midpoint(*lower, *upper))
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), Some(2.5));
        assert_eq!(median(std::iter::empty()), None);
    }
}

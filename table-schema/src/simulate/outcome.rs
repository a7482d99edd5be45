use super::{
    Latency, Parameters, latency::Sample, manager::Actions, range::Cluster, real::real, second::Flow,
};

/// Seconds between two looks at how long answers take.
const LOOK: usize = 10;
/// Seconds in a row at nearly the final rate that make a cluster warm.
const STEADY: usize = 30;
/// Nearly.
const NEARLY: f64 = 0.95;

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The end of the run: [`Parameters::tail`].
    pub tail: Span,
    /// All of it.
    pub run: Span,
    /// How long answers took in the tail.
    pub latency: Latency,
    /// The first of 30 seconds in a row at 95 % of the final rate or above; none if there are none.
    pub warm: Option<usize>,
    /// Ranges at the end.
    pub ranges: usize,
    /// Servers that have one.
    pub servers_used: usize,
    /// In all.
    pub splits: usize,
    /// In all.
    pub moves: usize,
    /// In all.
    pub merges: usize,
    /// The hottest partition, in percent of what it serves.
    pub hottest_percent: f64,
    /// Entities served each second of the first cycle.
    pub first_cycle: f64,
    /// Cycles in which the manager did something.
    pub timeline: Vec<Moment>,
    /// Entities served in a second: time by key space, the tables side by side.
    pub heat: Vec<Vec<f64>>,
}

/// Entities each second over some time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// New ones.
    pub offered: f64,
    /// Served ones.
    pub served: f64,
    /// Turned away with a 503; one may be so several times.
    pub throttled: f64,
    /// Turned away for the last time.
    pub failed: f64,
}

impl Span {
    /// Of what was offered.
    #[must_use]
    pub fn served_percent(&self) -> f64 {
        percent(self.served, self.offered)
    }

    /// Of all answers.
    #[must_use]
    pub fn throttled_percent(&self) -> f64 {
        percent(self.throttled, self.throttled + self.served)
    }

    /// Of what was offered.
    #[must_use]
    pub fn failed_percent(&self) -> f64 {
        percent(self.failed, self.offered)
    }
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

/// What the manager did at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When, in seconds.
    pub second: usize,
    /// Ranges split.
    pub splits: usize,
    /// Ranges moved.
    pub moves: usize,
    /// Ranges merged.
    pub merges: usize,
    /// Ranges then.
    pub ranges: usize,
}

/// An outcome in the making.
#[derive(Debug)]
pub(super) struct Record {
    flows: Vec<Flow>,
    sample: Sample,
    timeline: Vec<Moment>,
    heat: Vec<Vec<f64>>,
    seconds: usize,
}

impl Record {
    pub(super) fn new(parameters: &Parameters) -> Self {
        let (rows, columns) = parameters.heat;
        Self {
            flows: Vec::with_capacity(parameters.seconds),
            sample: Sample::default(),
            timeline: Vec::new(),
            heat: vec![vec![0.0; columns]; rows.min(parameters.seconds)],
            seconds: parameters.seconds,
        }
    }

    /// The row of the heat map that shows a second: each shows the first of those that it stands for.
    pub(super) fn heat_of(&mut self, second: usize) -> Option<&mut Vec<f64>> {
        let (rows, seconds) = (self.heat.len(), self.seconds);
        let row = (second * rows).div_ceil(seconds.max(1));
        let shown = rows > 0 && row * seconds / rows == second;
        if shown { self.heat.get_mut(row) } else { None }
    }

    /// Notes what the manager did.
    pub(super) fn managed(&mut self, second: usize, done: Actions, ranges: usize) {
        let Actions { splits, moves, merges } = done;
        if done != Actions::default() {
            self.timeline.push(Moment { second, splits, moves, merges, ranges });
        }
    }

    /// Notes a second.
    pub(super) fn passed(&mut self, second: usize, flow: Flow, cluster: &Cluster, parameters: &Parameters) {
        self.flows.push(flow);
        let tail = parameters.seconds.saturating_sub(parameters.tail);
        if second >= tail && (second - tail).is_multiple_of(LOOK) {
            self.sample.look(cluster, parameters);
        }
    }

    pub(super) fn end(self, cluster: &Cluster, parameters: &Parameters) -> Outcome {
        let tail = self.flows.len().saturating_sub(parameters.tail);
        let tail = mean(self.flows.get(tail..).unwrap_or_default());
        let mut used: Vec<usize> = cluster.ranges.iter().map(|range| range.server).collect();
        used.sort_unstable();
        used.dedup();
        let sum = |of: fn(&Moment) -> usize| self.timeline.iter().map(of).sum();
        let cells = cluster.ranges.iter().flat_map(|range| &range.cells);
        let hottest = cells.map(|cell| cell.rate / cell.most).fold(0.0, f64::max);
        Outcome {
            tail,
            run: mean(&self.flows),
            latency: self.sample.percentiles(),
            warm: self.warm(tail.served),
            ranges: cluster.ranges.len(),
            servers_used: used.len(),
            splits: sum(|moment| moment.splits),
            moves: sum(|moment| moment.moves),
            merges: sum(|moment| moment.merges),
            hottest_percent: 100.0 * hottest,
            first_cycle: mean(self.flows.get(..parameters.cycle).unwrap_or(&self.flows)).served,
            timeline: self.timeline,
            heat: self.heat,
        }
    }

    fn warm(&self, rate: f64) -> Option<usize> {
        let enough = |flow: &Flow| flow.served >= NEARLY * rate;
        self.flows.windows(STEADY).position(|seconds| seconds.iter().all(enough))
    }
}

fn mean(flows: &[Flow]) -> Span {
    let count = real(flows.len().max(1));
    let sum = |of: fn(&Flow) -> f64| flows.iter().map(of).sum::<f64>() / count;
    Span {
        offered: sum(|flow| flow.offered),
        served: sum(|flow| flow.served),
        throttled: sum(|flow| flow.throttled),
        failed: sum(|flow| flow.failed),
    }
}

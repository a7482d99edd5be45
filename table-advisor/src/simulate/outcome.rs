use super::{
    Latency, Parameters, latency::Sample, manager::Actions, range::Cluster, real::real, second::Flow,
};

/// Seconds between two samples of response times.
const LOOK: usize = 10;
/// Number of consecutive seconds near the final rate after which a cluster is warm.
const STEADY: usize = 30;
/// The fraction of the final rate that counts as near.
const NEARLY: f64 = 0.95;

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The means at the end of the run: [`Parameters::tail`].
    pub tail: Span,
    /// The means of the complete run.
    pub run: Span,
    /// The response times in the tail.
    pub latency: Latency,
    /// The first of 30 consecutive seconds at 95 % of the final rate or above. `None` if no such second exists.
    pub warm: Option<usize>,
    /// Number of ranges at the end.
    pub ranges: usize,
    /// Number of servers that serve a range.
    pub servers_used: usize,
    /// Total number of splits.
    pub splits: usize,
    /// Total number of moves.
    pub moves: usize,
    /// Total number of merges.
    pub merges: usize,
    /// The load of the hottest partition, in percent of its capacity.
    pub hottest_percent: f64,
    /// Entities served per second in the first cycle.
    pub first_cycle: f64,
    /// The cycles in which the manager acted.
    pub timeline: Vec<Moment>,
    /// Entities served per second: time by key space, with the tables side by side.
    pub heat: Vec<Vec<f64>>,
}

/// Mean entities per second over a period.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// New entities.
    pub offered: f64,
    /// Served entities.
    pub served: f64,
    /// Entities throttled with status 503. An entity may be throttled several times.
    pub throttled: f64,
    /// Entities throttled in their last attempt.
    pub failed: f64,
}

impl Span {
    /// Returns the served percentage of offered entities.
    #[must_use]
    pub fn served_percent(&self) -> f64 {
        percent(self.served, self.offered)
    }

    /// Returns the throttled percentage of all responses.
    #[must_use]
    pub fn throttled_percent(&self) -> f64 {
        percent(self.throttled, self.throttled + self.served)
    }

    /// Returns the failed percentage of offered entities.
    #[must_use]
    pub fn failed_percent(&self) -> f64 {
        percent(self.failed, self.offered)
    }
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

/// The actions of the manager at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time in seconds.
    pub second: usize,
    /// Number of split ranges.
    pub splits: usize,
    /// Number of moved ranges.
    pub moves: usize,
    /// Number of merged ranges.
    pub merges: usize,
    /// Number of ranges after the actions.
    pub ranges: usize,
}

/// The measurements of a run in progress.
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

    /// Returns the row of the heat map for a second. Each row shows the first of the seconds that it represents.
    pub(super) fn heat_of(&mut self, second: usize) -> Option<&mut Vec<f64>> {
        let (rows, seconds) = (self.heat.len(), self.seconds);
        let row = (second * rows).div_ceil(seconds.max(1));
        let shown = rows > 0 && row * seconds / rows == second;
        if shown { self.heat.get_mut(row) } else { None }
    }

    /// Records the actions of the manager.
    pub(super) fn managed(&mut self, second: usize, done: Actions, ranges: usize) {
        let Actions { splits, moves, merges } = done;
        if done != Actions::default() {
            self.timeline.push(Moment { second, splits, moves, merges, ranges });
        }
    }

    /// Records a second.
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

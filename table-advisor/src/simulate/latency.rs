use super::{Parameters, range::Cluster, real::real};

/// Response times in milliseconds, including the waits before retries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latency {
    /// The median.
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
}

/// Number of quantiles that represent an exponential distribution.
const QUANTILES: u32 = 64;

/// Responses with equal distribution: their number, the mean service time, and the wait before the attempt.
#[derive(Clone, Copy, Debug)]
struct Batch {
    amount: f64,
    mean: f64,
    waited: f64,
}

/// The responses of the sampled seconds.
#[derive(Debug, Default)]
pub(super) struct Sample(Vec<Batch>);

impl Sample {
    /// Adds the current second to the sample.
    pub(super) fn look(&mut self, cluster: &Cluster, parameters: &Parameters) {
        let mut busy = vec![0.0; cluster.servers];
        for range in &cluster.ranges {
            if let Some(sum) = busy.get_mut(range.server) {
                *sum += range.cells.iter().map(|cell| cell.served).sum::<f64>();
            }
        }
        for range in &cluster.ranges {
            let server = busy.get(range.server).copied().unwrap_or_default() / parameters.server_rate;
            for cell in range.cells.iter().filter(|cell| cell.served > 0.0) {
                let load = server.max(cell.served / cell.most).min(parameters.most_load);
                let (mean, share) = (parameters.base_ms / (1.0 - load), cell.share());
                for (attempt, asked) in cell.asked().enumerate().filter(|(_, asked)| *asked > 0.0) {
                    let waited = 1_000.0 * real(parameters.waited(attempt));
                    self.0.push(Batch { amount: asked * share, mean, waited });
                }
            }
        }
    }

    pub(super) fn percentiles(&self) -> Latency {
        let total: f64 = self.0.iter().map(|batch| batch.amount).sum();
        let longest = self
            .0
            .iter()
            .map(|batch| batch.waited + batch.mean * quantile(QUANTILES - 1))
            .fold(0.0, f64::max);
        let at = |share: f64| self.value(total * share, longest);
        Latency { p50: at(0.50), p95: at(0.95), p99: at(0.99) }
    }

    /// Returns the minimum time within which `amount` responses were sent.
    fn value(&self, amount: f64, longest: f64) -> f64 {
        let (mut low, mut high) = (0.0, longest);
        // Sums of parts may differ from the total by rounding errors.
        let enough = amount * (1.0 - 1e-12);
        while high - low > longest * 1e-9 {
            let middle = f64::midpoint(low, high);
            if self.within(middle) >= enough { high = middle } else { low = middle }
        }
        high
    }

    /// Returns the number of responses within a time.
    fn within(&self, time: f64) -> f64 {
        let steps = f64::from(QUANTILES);
        let of = |batch: &Batch| {
            let spent = (time - batch.waited) / batch.mean;
            if spent < 0.0 {
                return 0.0;
            }
            // Quantile j is at -ln(1 - (j + 1/2) / 64).
            let below = (steps * (1.0 - (-spent).exp()) + 0.5).floor().clamp(0.0, steps);
            batch.amount * below / steps
        };
        self.0.iter().map(of).sum()
    }
}

/// Returns quantile `j` of an exponential distribution with mean 1.
fn quantile(j: u32) -> f64 {
    -(1.0 - (f64::from(j) + 0.5) / f64::from(QUANTILES)).ln()
}

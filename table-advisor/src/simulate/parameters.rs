/// The assumptions of a run. The targets of partitions and accounts and the cycle of the manager are published; the
/// other values are assumptions, and reports label them as such.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Number of servers in the cluster.
    pub servers: usize,
    /// Entities per second that a server serves.
    pub server_rate: f64,
    /// Entities per second that a partition serves; published: 2,000.
    pub partition_rate: f64,
    /// Entities per second that an account serves, 0 for no limit; published: 20,000 requests.
    pub account_rate: f64,
    /// Duration of the run in seconds.
    pub seconds: usize,
    /// Duration in seconds of the end of the run, which the results describe.
    pub tail: usize,
    /// Seconds per cycle of the manager; published: 15.
    pub cycle: usize,
    /// Fraction of its rate above which a server is relieved.
    pub high: f64,
    /// Fraction of its rate up to which a server receives ranges.
    pub place: f64,
    /// Fraction of the rate of a server above which a range can be split.
    pub split_at: f64,
    /// Actions of the manager per cycle and server.
    pub actions: f64,
    /// Seconds for which the remaining half is unavailable after a split.
    pub pause_split: usize,
    /// Seconds for which a range is unavailable while it moves.
    pub pause_move: usize,
    /// Fraction of the rate of a server below which two adjacent ranges together can be merged.
    pub merge_below: f64,
    /// Number of cycles after which a range can be merged.
    pub merge_age: usize,
    /// Maximum number of merges per cycle.
    pub merges: usize,
    /// Number of ranges per server up to which no ranges are merged.
    pub ranges_low: f64,
    /// Mean response time of an idle server, in milliseconds.
    pub base_ms: f64,
    /// Load above which response times do not increase, because queues are bounded.
    pub most_load: f64,
    /// Seconds that a client waits before each retry.
    pub backoff: Vec<usize>,
    /// Steps of (second, factor). From this second, the rates of all streams are multiplied by the factor.
    pub shape: Vec<(usize, f64)>,
    /// Maximum number of cells per stream.
    pub cells: usize,
    /// Initial number of ranges per table: 1 for a new table.
    pub initial_ranges: usize,
    /// Seed that selects the positions of hot partitions.
    pub seed: u64,
    /// Number of rows and columns of the heat map.
    pub heat: (usize, usize),
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            servers: 10,
            server_rate: 10_000.0,
            partition_rate: 2_000.0,
            account_rate: 0.0,
            seconds: 900,
            tail: 120,
            cycle: 15,
            high: 0.80,
            place: 0.70,
            split_at: 0.25,
            actions: 0.25,
            pause_split: 1,
            pause_move: 3,
            merge_below: 0.01,
            merge_age: 10,
            merges: 1,
            ranges_low: 2.0,
            base_ms: 5.0,
            most_load: 0.98,
            backoff: vec![1, 2, 4],
            shape: vec![(0, 1.0)],
            cells: 4_096,
            initial_ranges: 1,
            seed: 1,
            heat: (30, 32),
        }
    }
}

impl Parameters {
    /// Returns the factor of the rate in a second.
    pub(super) fn factor(&self, second: usize) -> f64 {
        self.shape.iter().rev().find(|(from, _)| *from <= second).map_or(1.0, |(_, factor)| *factor)
    }

    /// Returns the total wait in seconds before an attempt; attempt 0 is the first.
    pub(super) fn waited(&self, attempt: usize) -> usize {
        self.backoff.iter().take(attempt).sum()
    }
}

/// What a run assumes. The targets for a partition and for an account are published, and so is the manager's cycle; the
/// rest is assumed, and shown in a report as such.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Servers of the cluster.
    pub servers: usize,
    /// Entities a server serves each second.
    pub server_rate: f64,
    /// Entities a partition serves each second; published: 2,000.
    pub partition_rate: f64,
    /// Entities an account serves each second, 0 for no limit; published: 20,000 requests.
    pub account_rate: f64,
    /// Length of the run in seconds.
    pub seconds: usize,
    /// Length of the end of it that results are of, in seconds.
    pub tail: usize,
    /// Seconds between two looks of the manager; published: 15.
    pub cycle: usize,
    /// A server above this part of its rate is relieved.
    pub high: f64,
    /// A server is filled up to this part of its rate.
    pub place: f64,
    /// A range above this part of a server's rate can be split.
    pub split_at: f64,
    /// Actions of the manager in a cycle, for each server.
    pub actions: f64,
    /// Seconds that the half that stays is away after a split.
    pub pause_split: usize,
    /// Seconds that a range is away while it moves.
    pub pause_move: usize,
    /// Neighbours that are together below this part of a server's rate can be merged.
    pub merge_below: f64,
    /// How many cycles old both must be.
    pub merge_age: usize,
    /// Merges in a cycle.
    pub merges: usize,
    /// Ranges for each server below which nothing is merged.
    pub ranges_low: f64,
    /// Mean time of an answer from an idle server, in milliseconds.
    pub base_ms: f64,
    /// Load above which answers take no longer: queues are bounded.
    pub most_load: f64,
    /// Seconds that a client waits before each further try.
    pub backoff: Vec<usize>,
    /// Steps of (second, factor): what the rate of all streams is multiplied by from then on.
    pub shape: Vec<(usize, f64)>,
    /// Cells that the key space of a stream is cut into.
    pub cells: usize,
    /// Ranges of each table at the start: 1 for a new one.
    pub initial_ranges: usize,
    /// Decides where wanted keys lie.
    pub seed: u64,
    /// Rows and columns of the heat map.
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
    /// What the rate is multiplied by in a second.
    pub(super) fn factor(&self, second: usize) -> f64 {
        self.shape.iter().rev().find(|(from, _)| *from <= second).map_or(1.0, |(_, factor)| *factor)
    }

    /// Seconds that an attempt has waited before it was sent; 0 is the first.
    pub(super) fn waited(&self, attempt: usize) -> usize {
        self.backoff.iter().take(attempt).sum()
    }
}

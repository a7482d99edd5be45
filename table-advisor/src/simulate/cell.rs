use super::Parameters;

/// An indivisible part of the key space of a table: one partition, or many partitions with equal load.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The position in the key space, 0 to 1.
    pub position: f64,
    /// Requested entities per second.
    pub rate: f64,
    /// Maximum number of entities that its partitions serve per second.
    pub most: f64,
    /// The retries of the next seconds, by attempt: a ring with one slot per second of the longest wait, plus one.
    due: Vec<f64>,
    /// The requests of this second, by attempt.
    asked: Vec<f64>,
    /// The entities of this second that the cell could serve without the limit of its server.
    pub wanted: f64,
    /// During a cycle, the sum of the requests; at its end, their mean, limited by the capacity of the partitions.
    pub load: f64,
    /// The entities served in this second.
    pub served: f64,
}

impl Cell {
    /// Creates a cell without requests.
    pub(super) fn new(position: f64, rate: f64, partitions: f64, parameters: &Parameters) -> Self {
        let attempts = parameters.backoff.len() + 1;
        Self {
            position,
            rate,
            most: partitions * parameters.partition_rate,
            due: vec![0.0; attempts * slots(parameters)],
            asked: vec![0.0; attempts],
            wanted: 0.0,
            load: 0.0,
            served: 0.0,
        }
    }

    /// Starts a second with new requests and due retries.
    pub(super) fn ask(&mut self, second: usize, fresh: f64, paused: bool, parameters: &Parameters) {
        let attempts = self.asked.len();
        let slot = second % slots(parameters) * attempts;
        for (asked, due) in self.asked.iter_mut().zip(self.due.iter_mut().skip(slot)) {
            *asked = std::mem::take(due);
        }
        if let Some(first) = self.asked.first_mut() {
            *first += fresh;
        }
        // The summation order is fixed (first attempts first): for cells with equal load, the last digit decides where
        // a range is split.
        let total: f64 = self.asked.iter().sum();
        let possible = total.min(self.most);
        self.load += total;
        self.wanted = if paused { 0.0 } else { possible };
    }

    /// Returns the requests of this second, by attempt.
    pub(super) fn asked(&self) -> impl Iterator<Item = f64> + '_ {
        self.asked.iter().copied()
    }

    /// Serves a share of the possible load. The remaining requests are retried later or fail. Returns the throttled and
    /// the failed entities.
    pub(super) fn serve(&mut self, second: usize, share: f64, parameters: &Parameters) -> (f64, f64) {
        let total: f64 = self.asked.iter().sum();
        self.served = self.wanted * share;
        if total <= 0.0 {
            return (0.0, 0.0);
        }
        let (left, attempts) = (1.0 - self.served / total, self.asked.len());
        let mut failed = 0.0;
        for (attempt, asked) in self.asked.iter().enumerate() {
            let away = asked * left;
            let Some(wait) = parameters.backoff.get(attempt) else {
                failed += away;
                continue;
            };
            let slot = (second + wait) % slots(parameters) * attempts + attempt + 1;
            if let Some(due) = self.due.get_mut(slot) {
                *due += away;
            }
        }
        (total - self.served, failed)
    }

    /// Returns the fraction of the requests that was served.
    pub(super) fn share(&self) -> f64 {
        let total: f64 = self.asked.iter().sum();
        if total > 0.0 { self.served / total } else { 0.0 }
    }
}

/// Returns the number of seconds in a ring of retries.
fn slots(parameters: &Parameters) -> usize {
    parameters.backoff.iter().max().map_or(1, |longest| longest + 1)
}

use super::Parameters;

/// A piece of a table's key space that is never divided: one partition, or many that are wanted alike.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Where it lies, 0 to 1.
    pub position: f64,
    /// Entities asked for each second.
    pub rate: f64,
    /// What its partitions serve each second.
    pub most: f64,
    /// What comes back in the next seconds, by attempt: a ring of as many slots as the longest wait has seconds, and one.
    due: Vec<f64>,
    /// This second, by attempt.
    asked: Vec<f64>,
    /// This second: what it could serve if its server could.
    pub wanted: f64,
    /// What was asked for since the manager looked last; then the mean of it, at most what the partitions serve.
    pub load: f64,
    /// This second: what was served.
    pub served: f64,
}

impl Cell {
    /// A cell that nobody asked yet.
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

    /// Begins a second: what is new and what comes back.
    pub(super) fn ask(&mut self, second: usize, fresh: f64, paused: bool, parameters: &Parameters) {
        let attempts = self.asked.len();
        let slot = second % slots(parameters) * attempts;
        for (asked, due) in self.asked.iter_mut().zip(self.due.iter_mut().skip(slot)) {
            *asked = std::mem::take(due);
        }
        if let Some(first) = self.asked.first_mut() {
            *first += fresh;
        }
        // First attempts first, as everywhere: where cells are wanted alike the last digit decides the border of a split.
        let total: f64 = self.asked.iter().sum();
        let possible = total.min(self.most);
        self.load += total;
        self.wanted = if paused { 0.0 } else { possible };
    }

    /// What was asked for, by attempt.
    pub(super) fn asked(&self) -> impl Iterator<Item = f64> + '_ {
        self.asked.iter().copied()
    }

    /// Serves a share of what it wanted; the rest comes back later or has failed. Gives what was turned away and what
    /// failed for good.
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

    /// The part of what was asked for that was served.
    pub(super) fn share(&self) -> f64 {
        let total: f64 = self.asked.iter().sum();
        if total > 0.0 { self.served / total } else { 0.0 }
    }
}

/// Seconds that a ring of retries spans.
fn slots(parameters: &Parameters) -> usize {
    parameters.backoff.iter().max().map_or(1, |longest| longest + 1)
}

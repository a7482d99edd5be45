//! The summary of a run.

use std::{collections::BTreeMap, fmt};

use crate::durable::journal::Entries;

/// Maximum number of printed violations.
const SHOWN: usize = 40;

/// Result of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub seed: u64,
    pub seconds: f64,
    /// Number of killed servers.
    pub kills: u64,
    /// Number of requests by fault of the proxy.
    pub requests: BTreeMap<&'static str, u64>,
    /// Seconds from the last start of an instance until the queues were empty.
    pub drained: f64,
    /// Numbers of instances, events, messages and deliveries.
    pub numbers: Vec<(&'static str, usize)>,
    pub counts: BTreeMap<String, u64>,
    pub violations: Vec<String>,
}

impl Report {
    pub(crate) fn add(&mut self, entries: &Entries) {
        self.counts.clone_from(&entries.counts);
        self.numbers = vec![
            ("instances started", entries.started.len()),
            ("completed", entries.completed.len()),
            ("events", entries.events.len()),
            ("messages sent", entries.sent.len()),
            ("deliveries", entries.received.values().map(|times| *times as usize).sum()),
            ("ownerships", entries.ownerships.len()),
        ];
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {:.0} s, {} kills of the server", self.seed, self.seconds, self.kills)?;
        let numbers: Vec<String> =
            self.numbers.iter().map(|(what, number)| format!("{number} {what}")).collect();
        writeln!(f, "  {}", numbers.join(", "))?;
        let requests: Vec<String> =
            self.requests.iter().map(|(what, number)| format!("{number} {what}")).collect();
        writeln!(f, "  requests: {}", requests.join(", "))?;
        for (what, number) in &self.counts {
            writeln!(f, "  {what}: {number}")?;
        }
        writeln!(f, "  drained in {:.1} s", self.drained)?;
        for violation in self.violations.iter().take(SHOWN) {
            writeln!(f, "  VIOLATION: {violation}")?;
        }
        write!(f, "  {} violations", self.violations.len())
    }
}

//! The summary of a run, for human readers and for programs.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use crate::faults::{history::History, oracle::Found};

/// Result of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    pub seed: u64,
    pub on: String,
    pub seconds: f64,
    /// Calls of clients, by kind and outcome.
    pub calls: BTreeMap<String, BTreeMap<String, u64>>,
    /// Number of requests by fault of the proxy.
    pub requests: BTreeMap<String, u64>,
    /// Number of killed processes, by role.
    pub kills: BTreeMap<String, u64>,
    /// Number of successful maintenance operations, and other notes.
    pub notes: BTreeMap<String, u64>,
    pub backlog_maximum: u64,
    pub drained_in_seconds: f64,
    /// Number of comparisons at the end, by kind.
    pub compared: BTreeMap<String, u64>,
    /// Number of orphaned rows and blobs, before and after the sweep.
    pub leftovers: BTreeMap<String, u64>,
    pub leftovers_after_a_sweep: BTreeMap<String, u64>,
    /// The first failures that are not violations.
    pub failures: Vec<String>,
    pub violations: Vec<String>,
}

impl Report {
    pub(crate) fn add_history(&mut self, history: &History) {
        for ((kind, outcome), count) in &history.calls {
            *self.calls.entry(kind.clone()).or_default().entry(outcome.word().to_owned()).or_default() +=
                count;
        }
        for (note, count) in &history.notes {
            *self.notes.entry(note.clone()).or_default() += count;
        }
        self.backlog_maximum = history.greatest.get("backlog").map_or(0, |most| most.unsigned_abs());
        self.failures.extend(history.failures.iter().take(10).cloned());
        self.violations.extend(history.violations.iter().cloned());
    }

    pub(crate) fn add_found(&mut self, found: &Found) {
        self.compared = found.compared.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
        self.violations.extend(found.violations.iter().cloned());
    }

    /// Returns the number of all client calls.
    #[must_use]
    pub fn calls_in_all(&self) -> u64 {
        self.calls.values().flat_map(BTreeMap::values).sum()
    }
}

/// Maximum number of printed violations.
const SHOWN: usize = 40;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "seed {} on {}: {} calls in {:.0} s",
            self.seed,
            self.on,
            self.calls_in_all(),
            self.seconds
        )?;
        for (kind, outcomes) in &self.calls {
            let outcomes: Vec<String> =
                outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
            writeln!(f, "  {kind:<24} {}", outcomes.join(", "))?;
        }
        line(f, "requests", &self.requests)?;
        line(f, "kills", &self.kills)?;
        line(f, "notes", &self.notes)?;
        line(f, "compared", &self.compared)?;
        line(f, "leftovers", &self.leftovers)?;
        line(f, "after a sweep", &self.leftovers_after_a_sweep)?;
        writeln!(
            f,
            "  backlog: {} at most, drained in {:.1} s",
            self.backlog_maximum, self.drained_in_seconds
        )?;
        for failure in &self.failures {
            writeln!(f, "  failure: {failure}")?;
        }
        for violation in self.violations.iter().take(SHOWN) {
            writeln!(f, "  VIOLATION: {violation}")?;
        }
        if self.violations.len() > SHOWN {
            writeln!(f, "  and {} more", self.violations.len() - SHOWN)?;
        }
        write!(f, "  {} violations", self.violations.len())
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, counts: &BTreeMap<String, u64>) -> fmt::Result {
    if counts.is_empty() {
        return Ok(());
    }
    let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    writeln!(f, "  {name}: {}", counts.join(", "))
}

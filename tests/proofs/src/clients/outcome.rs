//! Results of the cases of a scenario.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::Deserialize;

/// One case, as printed by a scenario.
#[derive(Clone, Debug, Deserialize)]
pub struct Outcome {
    /// Its name: a module and a sentence.
    pub case: String,
    /// Its duration in milliseconds.
    pub ms: u64,
    /// The error, if any.
    pub wrong: Option<String>,
    /// The reason why it was not executed, if it was not.
    #[serde(default)]
    pub skipped: Option<String>,
}

/// Numbers of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Successful cases.
    pub passed: usize,
    /// Failed cases.
    pub failed: usize,
    /// Cases that were not executed.
    pub skipped: usize,
}

impl Counts {
    fn count(&mut self, outcome: &Outcome) {
        match (&outcome.wrong, &outcome.skipped) {
            (Some(_), _) => self.failed += 1,
            (None, Some(_)) => self.skipped += 1,
            (None, None) => self.passed += 1,
        }
    }
}

/// Formats the three numbers in columns.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed, skipped } = self;
        write!(f, "{passed:5} passed {failed:5} failed {skipped:5} skipped")
    }
}

/// All cases of one run.
#[derive(Clone, Debug)]
pub struct Outcomes(pub Vec<Outcome>);

impl Outcomes {
    /// Returns the names of the failed cases.
    #[must_use]
    pub fn wrong(&self) -> BTreeSet<&str> {
        self.0.iter().filter(|outcome| outcome.wrong.is_some()).map(|outcome| outcome.case.as_str()).collect()
    }

    /// Returns the names of the cases that were executed.
    #[must_use]
    pub fn executed(&self) -> BTreeSet<&str> {
        let executed = self.0.iter().filter(|outcome| outcome.wrong.is_some() || outcome.skipped.is_none());
        executed.map(|outcome| outcome.case.as_str()).collect()
    }

    /// Counts the cases of each file, for cases that are named `FILE::NAME`.
    #[must_use]
    pub fn by_file(&self) -> BTreeMap<&str, Counts> {
        let mut files: BTreeMap<&str, Counts> = BTreeMap::new();
        for outcome in &self.0 {
            let file = outcome.case.split("::").next().unwrap_or_default();
            files.entry(file).or_default().count(outcome);
        }
        files
    }

    /// Counts all cases.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.0.iter().for_each(|outcome| counts.count(outcome));
        counts
    }
}

/// Formats the number of successful cases, the duration, and a line per failed case.
impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let took: u64 = self.0.iter().map(|outcome| outcome.ms).sum();
        write!(f, "{} of {} cases hold, in {took} ms", self.0.len() - self.wrong().len(), self.0.len())?;
        for outcome in &self.0 {
            if let Some(wrong) = &outcome.wrong {
                write!(f, "\n  {}: {wrong}", outcome.case)?;
            }
        }
        Ok(())
    }
}

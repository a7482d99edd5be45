//! Results of the cases of a scenario.

use std::{collections::BTreeSet, fmt};

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

//! The calls of the writers in each state of the move.

use std::{collections::BTreeMap, fmt, time::Duration};

/// Calls and their time, for each state.
#[derive(Clone, Debug, Default)]
pub struct Rates(BTreeMap<String, (u64, Duration)>);

impl Rates {
    pub fn add(&mut self, state: &str, calls: u64, time: Duration) {
        let sum = self.0.entry(state.to_owned()).or_default();
        *sum = (sum.0 + calls, sum.1 + time);
    }

    fn per_second(&self, state: &str) -> Option<f64> {
        let (calls, time) = self.0.get(state)?;
        Some(f64::from(u32::try_from(*calls).unwrap_or(u32::MAX)) / time.as_secs_f64())
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (state, (calls, time)) in &self.0 {
            let rate = self.per_second(state).unwrap_or_default();
            write!(f, "  {state}: {calls} calls in {:.1} s, {rate:.0} per second", time.as_secs_f64())?;
            if let Some(off) = self.per_second("off") {
                write!(f, ", {:.2} of the rate without a move", rate / off)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

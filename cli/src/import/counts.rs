use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use table_exchange::Sent;

use super::End;
use crate::text::counted;

/// Counts of written entities, transactions, and invalid and rejected lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) entities: u64,
    pub(super) transactions: u64,
    pub(super) broken: u64,
    pub(super) refused: u64,
}

impl Counts {
    pub(super) fn add(&mut self, broken: usize, sent: &Sent) {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        self.entities += sent.written;
        self.transactions += sent.transactions;
        self.broken += count(broken);
        self.refused += count(sent.refused.len());
    }

    /// Returns the number of lines that were not written.
    pub(super) const fn wrong(&self) -> u64 {
        self.broken + self.refused
    }

    pub(super) fn object(&self, end: End) -> Value {
        json!({
            "entities": self.entities,
            "transactions": self.transactions,
            "broken": self.broken,
            "refused": self.refused,
            "whole": end == End::Whole,
        })
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entities, transactions, broken, refused } = self;
        write!(f, "imported {} in {}", counted(*entities, "entity"), counted(*transactions, "transaction"))?;
        for (count, what) in [(broken, "invalid"), (refused, "rejected")] {
            if *count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

//! The ways in which the programs of a schedule use the registry.

use std::{sync::Arc, time::Duration};

use table_patterns::{LeaseClock, Tables};
use table_proofs::simulation::Calendar;

/// The way in which a program uses the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Registry,
    /// The first registry states that the program read, which never expire.
    OldKnowledge,
    Nothing,
}

impl By {
    /// Returns the handle of a program.
    pub(super) fn handle(self, tables: Tables, calendar: &Calendar) -> Tables {
        match self {
            Self::Registry => tables.with_registry_by(Arc::new(calendar.clone())),
            Self::OldKnowledge => tables.with_registry_by(Arc::new(Standing)),
            Self::Nothing => tables,
        }
    }
}

/// A clock that never advances.
#[derive(Debug)]
struct Standing;

impl LeaseClock for Standing {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

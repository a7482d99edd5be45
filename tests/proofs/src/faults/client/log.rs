//! Writes of log lines.

use pollster::block_on;
use table_patterns::{Log, Tables, Timestamp};

use super::{Client, Identity};
use crate::faults::journal::Class;

pub(crate) struct Lines {
    log: Log,
    made: u64,
}

impl Lines {
    pub(crate) fn new(tables: &Tables, who: &Identity) -> Self {
        Self { log: tables.log(format!("client{}", who.number)).write_through(), made: 0 }
    }
}

impl Client {
    /// Writes a line. An unacknowledged line stays in the handle, and is written with the next line, at most once.
    pub(crate) fn write_line(&mut self) {
        self.lines.made += 1;
        let stamp = self.stamp();
        let effects = [(format!("line/{}/{stamp}", self.who.number), Some(stamp))];
        let log = self.lines.log.clone();
        let _ = self.call("push to a log", Class::Blind, &effects, || {
            block_on(log.push(Timestamp::now(), &[stamp.to_string()]))
        });
    }
}

//! Lines of logs.

use std::collections::BTreeMap;

use super::Oracle;
use crate::faults::journal::Outcome;

impl Oracle<'_> {
    /// Checks that acknowledged lines occur once, and all other lines at most once.
    pub(super) fn logs(&mut self) {
        let raw = self.raw;
        let mut lines: BTreeMap<String, u64> = BTreeMap::new();
        for ((container, name), blob) in raw.blobs.iter().filter(|((container, _), _)| container == "logs") {
            self.explain_blob(container, name);
            let client = name.split('/').next().unwrap_or_default().trim_start_matches("client").to_owned();
            for line in String::from_utf8_lossy(&blob.content).lines() {
                let stamp = line.rsplit('\t').next().unwrap_or_default();
                *lines.entry(format!("{client}/{stamp}")).or_default() += 1;
            }
        }
        for line in self.registers("line/") {
            self.count("line of a log");
            let register = format!("line/{line}");
            let times = lines.remove(&line).unwrap_or_default();
            let outcome = self
                .history
                .registers
                .get(&register)
                .and_then(|writes| writes.last())
                .map(|write| write.outcome);
            if times > 1 || times == 0 && outcome == Some(Outcome::Done) {
                let known = self.history.tell(&register);
                self.wrong(format!("a line of a log stands {times} times: {register}{known}"));
            }
        }
        for line in lines.into_keys() {
            self.wrong(format!("orphan line of a log: {line}"));
        }
    }
}

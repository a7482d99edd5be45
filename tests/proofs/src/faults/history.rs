//! All journals of a run, as constraints on the data stored at its end.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::faults::journal::{Class, Outcome};

/// One write of a register.
#[derive(Clone, Debug)]
pub struct Write {
    /// The journal, and the number of the call in it.
    pub source: String,
    pub kind: String,
    pub class: Class,
    pub begun: u64,
    /// `None` if its client ended first.
    pub ended: Option<u64>,
    pub outcome: Outcome,
    /// `None` for a delete.
    pub value: Option<i64>,
    pub detail: String,
}

/// The records of the clients and the maintenance.
#[derive(Debug, Default)]
pub struct History {
    /// The writes of each register, in the order of its single writer.
    pub registers: BTreeMap<String, Vec<Write>>,
    /// Calls by kind and outcome.
    pub calls: BTreeMap<(String, Outcome), u64>,
    /// Notes by kind.
    pub notes: BTreeMap<String, u64>,
    /// The details of notes whose kind starts with `fail`.
    pub failures: Vec<String>,
    /// Violations that clients observed.
    pub violations: Vec<String>,
    /// Maximum time in microseconds during which a request can be in flight after its client abandoned it.
    pub late: u64,
    /// Maximum time in microseconds during which a client retries.
    pub patience: u64,
    /// The greatest number in the notes of each kind.
    pub greatest: BTreeMap<String, i64>,
}

struct Call {
    kind: String,
    class: Class,
    begun: u64,
    effects: Vec<(String, Option<i64>)>,
    end: Option<(u64, Outcome, String)>,
}

impl History {
    /// Reads all journals of a directory; the journals of one client in the order of its lives.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read.
    pub fn read(folder: &Path, late: Duration, patience: Duration) -> io::Result<Self> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
        files.retain(|path| path.extension().is_some_and(|extension| extension == "journal"));
        files.sort();
        let [late, patience] = [late, patience].map(|time| time.as_micros() as u64);
        // Requests within a process end with it.
        let patience = if late == 0 { 0 } else { patience };
        let mut history = Self { late, patience, ..Self::default() };
        for path in files {
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            history.add(&name, &fs::read_to_string(&path)?);
        }
        Ok(history)
    }

    /// Adds a journal. A truncated last line belongs to a call that was never acknowledged.
    pub fn add(&mut self, name: &str, text: &str) {
        let mut calls: BTreeMap<u64, Call> = BTreeMap::new();
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let number =
                |at: usize| fields.get(at).and_then(|text| text.parse::<u64>().ok()).unwrap_or_default();
            match fields.as_slice() {
                ["B", _, _, kind, class, effects] => {
                    let class = if *class == "fenced" { Class::Fenced } else { Class::Blind };
                    let effects = effects.split(' ').filter_map(|effect| effect.split_once('='));
                    let effects = effects.map(|(key, value)| (key.to_owned(), value.parse().ok())).collect();
                    let call = Call { kind: (*kind).to_owned(), class, begun: number(2), effects, end: None };
                    calls.insert(number(1), call);
                }
                ["E", _, _, outcome, detail] => {
                    let outcome = Outcome::of_word(outcome).unwrap_or(Outcome::Unknown);
                    if let Some(call) = calls.get_mut(&number(1)) {
                        call.end = Some((number(2), outcome, (*detail).to_owned()));
                    }
                }
                ["V", _, _, what] => self.violations.push(format!("{name}: {what}")),
                ["N", _, _, kind, detail] => self.add_note(name, kind, detail),
                _ => {}
            }
        }
        for (number, call) in calls {
            self.add_call(name, number, call);
        }
    }

    fn add_note(&mut self, name: &str, kind: &str, detail: &str) {
        *self.notes.entry(kind.to_owned()).or_default() += 1;
        if kind.starts_with("fail") {
            self.failures.push(format!("{name}: {kind}: {detail}"));
        }
        if let Ok(number) = detail.parse::<i64>() {
            let greatest = self.greatest.entry(kind.to_owned()).or_insert(number);
            *greatest = number.max(*greatest);
        }
    }

    fn add_call(&mut self, name: &str, number: u64, call: Call) {
        let Call { kind, class, begun, effects, end } = call;
        let outcome = end.as_ref().map_or(Outcome::Unknown, |(_, outcome, _)| *outcome);
        *self.calls.entry((kind.clone(), outcome)).or_default() += 1;
        for (key, value) in effects {
            let write = Write {
                source: format!("{name}#{number}"),
                kind: kind.clone(),
                class,
                begun,
                ended: end.as_ref().map(|(ended, ..)| *ended),
                outcome,
                value,
                detail: end
                    .as_ref()
                    .map_or("the client died first".to_owned(), |(_, _, detail)| detail.clone()),
            };
            self.registers.entry(key).or_default().push(write);
        }
    }

    /// Returns the possible values of a register at the end: the last acknowledged value, later values of unknown
    /// outcome, and values of unconditional writes of unknown outcome shortly before it.
    #[must_use]
    pub fn allowed(&self, register: &str) -> Vec<Option<i64>> {
        let writes = self.registers.get(register).map(Vec::as_slice).unwrap_or_default();
        let last = writes.iter().rposition(|write| write.outcome == Outcome::Done);
        let mut allowed = vec![last.and_then(|at| writes[at].value)];
        for (at, write) in writes.iter().enumerate() {
            let can_be_late = || {
                let end = write.ended.unwrap_or(write.begun + self.patience) + self.late;
                write.class == Class::Blind && last.is_none_or(|last| writes[last].begun < end)
            };
            if write.outcome == Outcome::Unknown && (last.is_none_or(|last| at > last) || can_be_late()) {
                allowed.push(write.value);
            }
        }
        allowed
    }

    /// Returns the writes of a register for reports.
    #[must_use]
    pub fn tell(&self, register: &str) -> String {
        let writes = self.registers.get(register).map(Vec::as_slice).unwrap_or_default();
        let first = writes.len().saturating_sub(6);
        let line = |write: &Write| {
            let value = write.value.map_or("gone".to_owned(), |value| value.to_string());
            let took = write.ended.map_or("-".to_owned(), |ended| {
                format!("{} ms", (ended.saturating_sub(write.begun)) / 1_000)
            });
            format!(
                "\n      {} at {}.{:06} ({took}) {} -> {value}: {} {}",
                write.source,
                write.begun / 1_000_000,
                write.begun % 1_000_000,
                write.kind,
                write.outcome.word(),
                write.detail
            )
        };
        writes.get(first..).unwrap_or_default().iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(text: &str) -> History {
        let mut history = History { late: 1_000_000, ..History::default() };
        history.add("client", text);
        history
    }

    #[test]
    fn last_acknowledged_value_and_later_unknowns_are_allowed() {
        let history = history(
            "B\t1\t10\tput\tfenced\tk=1\nE\t1\t11\tdone\t\nB\t2\t12\tput\tfenced\tk=2\nE\t2\t13\trefused\t\n\
             B\t3\t14\tput\tfenced\tk=3\nB\t4\t15\tdelete\tfenced\tk=go",
        );
        // The last line is truncated: the call was never made.
        assert_eq!(history.allowed("k"), [Some(1), Some(3)]);
        assert_eq!(history.allowed("other"), [None]);
    }

    #[test]
    fn only_late_blind_writes_may_overtake() {
        let text = |class: &str, later: u64| {
            format!(
                "B\t1\t10\tput\t{class}\tk=1\nE\t1\t11\tunknown\t\nB\t2\t{later}\tput\tfenced\tk=2\nE\t2\t{later}\tdone\t\n"
            )
        };
        assert_eq!(history(&text("fenced", 12)).allowed("k"), [Some(2)]);
        assert_eq!(history(&text("blind", 12)).allowed("k"), [Some(2), Some(1)]);
        assert_eq!(history(&text("blind", 1_000_012)).allowed("k"), [Some(2)]);
    }
}

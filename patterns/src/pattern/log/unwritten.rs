//! Lines waiting to be written.

use std::collections::BTreeMap;

use table_model::Timestamp;

use super::{
    place::Hour,
    setting::{DUE_BYTES, FULL_BYTES, Setting},
};
use crate::LogError;

/// Waiting lines, and the amount taken for writing but not written yet.
#[derive(Debug, Default)]
pub(super) struct Unwritten {
    lines: Vec<(Timestamp, String)>,
    bytes: usize,
    span: Option<(Timestamp, Timestamp)>,
    /// Number of lines and bytes that a writer has taken but not written.
    taken: (usize, usize),
}

/// Lines of one hour in time order, which become a blob.
#[derive(Debug)]
pub(super) struct Lines {
    pub(super) first: Timestamp,
    pub(super) last: Timestamp,
    pub(super) count: usize,
    pub(super) text: String,
}

impl Unwritten {
    /// Adds a line. Returns `true` if the waiting lines must be written now. Fails if there is no room for the line.
    pub(super) fn push(&mut self, at: Timestamp, line: &str, setting: &Setting) -> Result<bool, LogError> {
        if self.bytes + self.taken.1 + line.len() > FULL_BYTES {
            return Err(LogError::Full { lines: self.lines() });
        }
        self.lines.push((at, line.to_owned()));
        self.bytes += line.len();
        let (first, last) = self.span.map_or((at, at), |(first, last)| (first.min(at), last.max(at)));
        self.span = Some((first, last));
        Ok(self.lines.len() >= setting.max_lines
            || last.duration_since(first) >= setting.every
            || self.bytes >= DUE_BYTES)
    }

    /// Returns the number of all lines that are not written.
    pub(super) fn lines(&self) -> usize {
        self.lines.len() + self.taken.0
    }

    /// Takes the waiting lines, grouped by hour. Lines with equal times keep their order.
    pub(super) fn take(&mut self) -> BTreeMap<Hour, Lines> {
        let mut all = std::mem::take(&mut self.lines);
        self.taken = (self.taken.0 + all.len(), self.taken.1 + self.bytes);
        (self.bytes, self.span) = (0, None);
        all.sort_by_key(|(at, _)| *at);
        let mut hours = BTreeMap::new();
        for (at, line) in all {
            let none = || Lines { first: at, last: at, count: 0, text: String::new() };
            let lines = hours.entry(Hour::of(at)).or_insert_with(none);
            lines.last = at;
            lines.count += 1;
            lines.text.push_str(&line);
        }
        hours
    }

    /// Marks taken lines as written.
    pub(super) fn written(&mut self, lines: &Lines) {
        self.taken = (self.taken.0 - lines.count, self.taken.1 - lines.text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2014-07-31T{text}Z").parse().unwrap()
    }

    #[test]
    fn lines_are_due_by_number_by_time_and_by_bytes() {
        let setting = Setting::default();
        let mut waiting = Unwritten::default();
        assert!(!waiting.push(at("18:00:30"), "a", &setting).unwrap());
        // Earlier and later lines both extend the time span.
        assert!(!waiting.push(at("17:59:31"), "b", &setting).unwrap());
        assert!(waiting.push(at("18:00:31"), "c", &setting).unwrap());
        waiting.take();
        assert!(!waiting.push(at("18:01:31"), "d", &setting).unwrap());
        assert!(waiting.push(at("18:01:31"), "e", &Setting { max_lines: 2, ..setting }).unwrap());
        waiting.take();
        assert!(waiting.push(at("18:01:31"), "f", &Setting { max_lines: 0, ..setting }).unwrap());
        waiting.take();
        assert!(!waiting.push(at("18:01:31"), &"g".repeat(DUE_BYTES - 1), &setting).unwrap());
        assert!(waiting.push(at("18:01:31"), "h", &setting).unwrap());
    }

    #[test]
    fn an_hour_is_taken_in_the_order_of_time_and_then_of_pushes() {
        let setting = Setting::default();
        let mut waiting = Unwritten::default();
        for (time, line) in [("18:00:01", "c"), ("19:00:00", "d"), ("18:00:00", "a"), ("18:00:00", "b")] {
            waiting.push(at(time), line, &setting).unwrap();
        }
        let taken: Vec<_> = waiting.take().into_values().collect();
        let texts: Vec<_> = taken.iter().map(|lines| lines.text.as_str()).collect();
        assert_eq!(texts, ["abc", "d"]);
        assert_eq!((taken[0].first, taken[0].last, taken[0].count), (at("18:00:00"), at("18:00:01"), 3));
        assert_eq!(waiting.lines(), 4);
        for lines in &taken {
            waiting.written(lines);
        }
        assert_eq!(waiting.lines(), 0);
    }

    #[test]
    fn what_waits_is_bounded_also_while_it_is_being_written() {
        let (setting, line) = (Setting::default(), "x".repeat(FULL_BYTES / 4));
        let mut waiting = Unwritten::default();
        for _ in 0..4 {
            waiting.push(at("18:00:00"), &line, &setting).unwrap();
            waiting.take();
        }
        let refused = waiting.push(at("18:00:00"), "y", &setting);
        assert!(matches!(refused, Err(LogError::Full { lines: 4 })));
    }
}

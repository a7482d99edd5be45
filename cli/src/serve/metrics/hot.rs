//! The partitions of an account that requests read and write most, in bounded memory.

mod history;
mod sketch;

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use clap::ValueEnum;
use serde::Serialize;
use table_explorer::{HeatSpan, HeatStep};
use table_rest::server::partition_hash;
use table_store::TableName;

use self::{
    history::History,
    sketch::{COUNTERS, Sketch},
};

/// Number of minutes of the longer window, including the current one.
const MINUTES: u64 = 5;

/// How partitions are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HotKeys {
    /// Hashes of the keys, as in the log
    Hashed,
    /// The keys
    Clear,
    /// Count nothing
    Off,
}

/// Counts entities by partition, in a sketch for each of the last minutes.
pub(crate) struct HotPartitions {
    keys: HotKeys,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The sketches and their minutes since 1970, in ascending order.
    minutes: VecDeque<(u64, Sketch<Partition>)>,
    /// The busiest partitions of the minutes that are over, for the explorer.
    history: Option<History>,
}

/// The hottest partitions of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Window {
    /// Number of minutes, including the current one, which is not over yet.
    minutes: u64,
    /// Entities that requests read and wrote in all partitions.
    entities: u64,
    /// At most 256 partitions, the hottest first.
    pub(super) partitions: Vec<Hot>,
}

/// A partition of a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Hot {
    #[serde(flatten)]
    partition: Partition,
    /// Upper bound of the entities that requests read and wrote.
    pub(super) entities: u64,
    /// The upper bound may be higher by this number than the real one.
    overestimate: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
struct Partition {
    table: String,
    /// The PartitionKey, or its hash as in the log.
    partition: String,
}

impl HotPartitions {
    /// Creates an empty list, unless nothing is counted. With `has_history`, the load of the last day is kept.
    pub(crate) fn of(keys: HotKeys, has_history: bool) -> Option<Self> {
        let history = has_history.then(History::default);
        let state = Mutex::new(State { minutes: VecDeque::new(), history });
        (keys != HotKeys::Off || has_history).then_some(Self { keys, state })
    }

    /// Counts entities of a partition.
    pub(crate) fn add(&self, table: &TableName, partition_key: &str, entities: u64) {
        self.add_in(minute(), table, partition_key, entities);
    }

    fn add_in(&self, minute: u64, table: &TableName, partition_key: &str, entities: u64) {
        let partition = Partition { table: table.folded().to_owned(), partition: partition_key.to_owned() };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { minutes, history } = &mut *state;
        // A clock that was set back does not start a minute.
        if minutes.back().is_none_or(|(last, _)| *last < minute) {
            if let (Some(history), Some((last, sketch))) = (history, minutes.back()) {
                history.end(*last, sketch);
            }
            if minutes.len() as u64 >= MINUTES {
                minutes.pop_front();
            }
            minutes.push_back((minute, Sketch::default()));
        }
        if let Some((_, sketch)) = minutes.back_mut() {
            sketch.add(partition, entities);
        }
    }

    /// Returns the load of the last hour or day, as the explorer shows it: with keys.
    pub(crate) fn history(&self, span: HeatSpan) -> Vec<HeatStep> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let current = state.minutes.back().map(|(minute, sketch)| (*minute, sketch));
        state.history.as_ref().map(|history| history.steps(span, minute(), current)).unwrap_or_default()
    }

    /// Returns a partition as the metrics show it.
    fn shown(&self, partition: &Partition) -> Partition {
        let mut shown = partition.clone();
        if self.keys != HotKeys::Clear {
            shown.partition = format!("{:016x}", partition_hash(&partition.partition));
        }
        shown
    }

    /// Returns the current minute, and the last [`MINUTES`].
    pub(super) fn windows(&self) -> Option<[Window; 2]> {
        (self.keys != HotKeys::Off).then(|| self.windows_at(minute()))
    }

    fn windows_at(&self, now: u64) -> [Window; 2] {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        [1, MINUTES].map(|length| {
            let recent = state.minutes.iter().filter(|(minute, _)| minute + length > now);
            let sketches: Vec<_> = recent.map(|(_, sketch)| sketch).collect();
            let top = sketch::top(&sketches).into_iter().take(COUNTERS);
            let partitions = top.map(|(partition, count)| Hot {
                partition: self.shown(partition),
                entities: count.most,
                overestimate: count.over,
            });
            Window {
                minutes: length,
                entities: sketches.iter().map(|sketch| sketch.total()).sum(),
                partitions: partitions.collect(),
            }
        })
    }
}

/// Returns the current minute since 1970.
fn minute() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the partitions and entities of both windows.
    fn seen(hot: &HotPartitions, now: u64) -> [Vec<(String, u64)>; 2] {
        hot.windows_at(now).map(|window| {
            let partitions = window.partitions.into_iter();
            partitions.map(|hot| (hot.partition.partition, hot.entities)).collect()
        })
    }

    #[test]
    fn a_window_contains_its_minutes_only() {
        let (hot, table) = (HotPartitions::of(HotKeys::Clear, true).unwrap(), "People".parse().unwrap());
        for (minute, partition) in [(10, "a"), (14, "a"), (14, "b"), (13, "b")] {
            hot.add_in(minute, &table, partition, 3);
        }
        let pair = |partition: &str, entities| (partition.to_owned(), entities);
        let both = vec![pair("a", 6), pair("b", 6)];
        assert_eq!(seen(&hot, 14), [vec![pair("b", 6), pair("a", 3)], both]);
        assert_eq!(seen(&hot, 15), [vec![], vec![pair("b", 6), pair("a", 3)]]);
        assert_eq!(seen(&hot, 19), [vec![], vec![]]);
        for minute in 20..40 {
            hot.add_in(minute, &table, "c", 1);
        }
        assert_eq!(hot.state.lock().unwrap().minutes.len() as u64, MINUTES);
        assert_eq!(seen(&hot, 39), [vec![pair("c", 1)], vec![pair("c", 5)]]);
    }

    #[test]
    fn keys_are_hashed_unless_they_are_requested() {
        let table = "People".parse().unwrap();
        let hash = format!("{:016x}", partition_hash("canary"));
        for (keys, expected) in [(HotKeys::Clear, "canary"), (HotKeys::Hashed, &hash)] {
            let hot = HotPartitions::of(keys, false).unwrap();
            hot.add_in(1, &table, "canary", 1);
            let [window, _] = hot.windows_at(1);
            let json = serde_json::to_string(&window).unwrap();
            assert_eq!(json.contains("canary"), keys == HotKeys::Clear, "{json}");
            assert_eq!(window.partitions[0].partition.partition, expected);
        }
        assert!(HotPartitions::of(HotKeys::Off, false).is_none());
    }
}

//! The busiest partitions of the last hour by minute, and of the last day by quarter of an hour, in bounded memory.

use std::collections::{BTreeMap, VecDeque};

use table_explorer::{HeatSpan, HeatStep, HotPartition};

use super::{
    Partition,
    sketch::{self, Count, Sketch},
};

/// Number of partitions of a step.
const PARTITIONS: usize = 32;
/// Maximum size of a PartitionKey in bytes. A longer one is cut.
const MOST_KEY: usize = 200;

/// The steps that are over.
#[derive(Debug, Default)]
pub(super) struct History {
    minutes: VecDeque<Step>,
    quarters: VecDeque<Step>,
}

/// The busiest partitions of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Step {
    /// Start in minutes since 1970.
    start: u64,
    total: u64,
    partitions: BTreeMap<Partition, Count>,
    /// Maximum count of a partition that is not listed.
    least: u64,
}

impl Step {
    fn of(minute: u64, sketch: &Sketch<Partition>) -> Self {
        let mut step = Self { start: minute, total: sketch.total(), ..Self::default() };
        let top = sketch::top(&[sketch]);
        step.least = top.get(PARTITIONS).map_or(0, |(_, count)| count.most);
        let top = top.into_iter().take(PARTITIONS);
        step.partitions = top.map(|(partition, count)| (cut(partition), count)).collect();
        step
    }

    /// Adds a later step. A partition that one of them does not list had at most its least count there.
    fn add(&mut self, later: &Self) {
        let counts = |step: &Self, partition: &Partition| {
            step.partitions.get(partition).copied().unwrap_or(Count { most: step.least, over: step.least })
        };
        let all: Vec<Partition> = self.partitions.keys().chain(later.partitions.keys()).cloned().collect();
        let mut sums: Vec<(Partition, Count)> = Vec::with_capacity(all.len());
        for partition in all {
            let sum = counts(self, &partition).plus(counts(later, &partition));
            sums.push((partition, sum));
        }
        sums.sort_by(|one, other| other.1.most.cmp(&one.1.most).then_with(|| one.0.cmp(&other.0)));
        sums.dedup();
        let unlisted = sums.get(PARTITIONS).map_or(0, |(_, count)| count.most);
        self.least = (self.least + later.least).max(unlisted);
        self.total = self.total.saturating_add(later.total);
        self.partitions = sums.into_iter().take(PARTITIONS).collect();
    }

    fn shown(&self) -> HeatStep {
        let mut partitions: Vec<HotPartition> = self
            .partitions
            .iter()
            .map(|(partition, count)| HotPartition {
                table: partition.table.clone(),
                partition: partition.partition.clone(),
                entities: count.most,
                overestimate: count.over,
            })
            .collect();
        partitions.sort_by_key(|hot| std::cmp::Reverse(hot.entities));
        HeatStep { start: self.start, entities: self.total, partitions }
    }
}

impl History {
    /// Adds a minute that is over.
    pub(super) fn end(&mut self, minute: u64, sketch: &Sketch<Partition>) {
        let step = Step::of(minute, sketch);
        add_to_quarter(&mut self.quarters, &step);
        push(&mut self.minutes, step, HeatSpan::Hour);
    }

    /// Returns the steps until now, with the current minute.
    pub(super) fn steps(
        &self,
        span: HeatSpan,
        now: u64,
        current: Option<(u64, &Sketch<Partition>)>,
    ) -> Vec<HeatStep> {
        let current = current.map(|(minute, sketch)| Step::of(minute, sketch));
        let mut steps = match span {
            HeatSpan::Hour => self.minutes.clone(),
            HeatSpan::Day => self.quarters.clone(),
        };
        if let Some(current) = current {
            match span {
                HeatSpan::Hour => steps.push_back(current),
                HeatSpan::Day => add_to_quarter(&mut steps, &current),
            }
        }
        let age = span.steps() * span.step_minutes();
        steps.iter().filter(|step| step.start + age > now).map(Step::shown).collect()
    }
}

/// Adds a minute to its quarter of an hour.
fn add_to_quarter(quarters: &mut VecDeque<Step>, minute: &Step) {
    let start = minute.start - minute.start % HeatSpan::Day.step_minutes();
    match quarters.back_mut().filter(|last| last.start == start) {
        Some(last) => last.add(minute),
        None => push(quarters, Step { start, ..minute.clone() }, HeatSpan::Day),
    }
}

fn push(steps: &mut VecDeque<Step>, step: Step, span: HeatSpan) {
    if steps.len() as u64 >= span.steps() {
        steps.pop_front();
    }
    steps.push_back(step);
}

/// Returns a partition with a key of bounded size.
fn cut(partition: &Partition) -> Partition {
    let mut partition = partition.clone();
    if partition.partition.len() > MOST_KEY {
        let mut end = MOST_KEY;
        while !partition.partition.is_char_boundary(end) {
            end -= 1;
        }
        partition.partition.truncate(end);
        partition.partition.push('…');
    }
    partition
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(counts: &[(&str, u64)]) -> Sketch<Partition> {
        let mut sketch = Sketch::default();
        for (partition, count) in counts {
            sketch.add(Partition { table: "t".to_owned(), partition: (*partition).to_owned() }, *count);
        }
        sketch
    }

    /// The start and the entities of a step, and its partitions with their counts and errors.
    type Shown<'s> = (u64, u64, Vec<(&'s str, u64, u64)>);

    fn shown(steps: &[HeatStep]) -> Vec<Shown<'_>> {
        let shown = steps.iter().map(|step| {
            let partitions = step.partitions.iter();
            let partitions =
                partitions.map(|hot| (hot.partition.as_str(), hot.entities, hot.overestimate)).collect();
            (step.start, step.entities, partitions)
        });
        shown.collect()
    }

    #[test]
    fn minutes_become_quarters_of_an_hour() {
        let mut history = History::default();
        for (minute, counts) in [(28, vec![("a", 1)]), (29, vec![("a", 2), ("b", 9)]), (30, vec![("a", 5)])] {
            history.end(minute, &sketch(&counts));
        }
        let now = sketch(&[("b", 3)]);
        let day = history.steps(HeatSpan::Day, 31, Some((31, &now)));
        assert_eq!(
            shown(&day),
            [(15, 12, vec![("b", 9, 0), ("a", 3, 0)]), (30, 8, vec![("a", 5, 0), ("b", 3, 0)])]
        );
        let hour = history.steps(HeatSpan::Hour, 89, Some((31, &now)));
        assert_eq!(shown(&hour), [(30, 5, vec![("a", 5, 0)]), (31, 3, vec![("b", 3, 0)])]);
    }

    #[test]
    fn memory_is_bounded_and_the_error_is_known() {
        let mut history = History::default();
        for minute in 0..3_000 {
            let names: Vec<String> = (0..100).map(|number| format!("{number}_{}", "x".repeat(900))).collect();
            let counts: Vec<(&str, u64)> =
                names.iter().zip(1..).map(|(name, count)| (name.as_str(), count)).collect();
            history.end(minute, &sketch(&counts));
        }
        assert_eq!((history.minutes.len(), history.quarters.len()), (60, 96));
        for step in history.minutes.iter().chain(&history.quarters) {
            assert!(step.partitions.len() <= PARTITIONS);
            assert!(step.partitions.keys().all(|key| key.partition.len() <= MOST_KEY + 3));
        }
        let last = history.quarters.back().unwrap();
        // The 33rd partition of each minute has a count of 68.
        assert_eq!((last.least, last.partitions.values().map(|count| count.over).max()), (15 * 68, Some(0)));
    }
}

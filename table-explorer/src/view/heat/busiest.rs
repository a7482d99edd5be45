//! The partitions of a period of time, the busiest first.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::{
    HeatSpan, HeatStep,
    show::{grouped, ratio},
};

/// A partition over time.
pub(in crate::view) struct Line {
    pub(in crate::view) table: String,
    pub(in crate::view) partition: String,
    pub(in crate::view) entities: u64,
    pub(in crate::view) overestimate: u64,
    /// Entities per second of each step.
    pub(super) rates: Vec<u64>,
    /// Entities of the busiest step, and the seconds of a step.
    most: u64,
    seconds: u64,
}

impl Line {
    /// Returns the entities per second of the busiest step.
    pub(in crate::view) fn most_per_second(&self) -> String {
        match ratio(self.most, self.seconds) {
            rate if rate == "0.0" && self.most > 0 => "< 0.1/s".to_owned(),
            rate => rate + "/s",
        }
    }

    /// Returns the error of the count.
    pub(in crate::view) fn error(&self) -> String {
        match self.overestimate {
            0 => "exact".to_owned(),
            most => format!("≤ {}", grouped(most)),
        }
    }
}

/// Returns the partitions of the steps, the busiest first.
pub(in crate::view) fn busiest(steps: &[HeatStep], span: HeatSpan) -> Vec<Line> {
    let minutes = span.step_minutes();
    let from = start(steps, span);
    let count = usize::try_from(span.steps()).unwrap_or(0);
    let mut lines: BTreeMap<(&str, &str), Line> = BTreeMap::new();
    for step in steps.iter().filter(|step| step.start >= from) {
        let at = usize::try_from((step.start - from) / minutes).unwrap_or(usize::MAX);
        for hot in &step.partitions {
            let line = lines.entry((&hot.table, &hot.partition)).or_insert_with(|| Line {
                table: hot.table.clone(),
                partition: hot.partition.clone(),
                entities: 0,
                overestimate: 0,
                rates: vec![0; count],
                most: 0,
                seconds: 60 * minutes,
            });
            line.entities = line.entities.saturating_add(hot.entities);
            line.overestimate = line.overestimate.saturating_add(hot.overestimate);
            line.most = line.most.max(hot.entities);
            if let Some(rate) = line.rates.get_mut(at) {
                *rate = hot.entities.div_ceil(60 * minutes);
            }
        }
    }
    let mut lines: Vec<Line> = lines.into_values().collect();
    lines.sort_by_key(|line| Reverse(line.entities));
    lines
}

/// Returns the start of the first step of the picture in minutes since 1970. The last step is the last one with requests.
pub(super) fn start(steps: &[HeatStep], span: HeatSpan) -> u64 {
    let last = steps.last().map_or(0, |step| step.start);
    last.saturating_sub((span.steps() - 1) * span.step_minutes())
}

//! The checks at the end: of the observations, and of what is stored.

use std::collections::{BTreeMap, BTreeSet};

use pollster::block_on;
use table_store::{Query, Row, TableName, Value};

use crate::{
    durable::{
        history::{Event, History},
        hub::Hub,
        journal::{Entries, Ownership},
        orchestration::{Decision, Orchestration},
    },
    faults::connect::Failure,
};

/// Returns the violations of a run whose queues are empty.
///
/// # Errors
///
/// Returns an error if the tables cannot be read.
pub fn judge(hub: &Hub, entries: &Entries) -> Result<Vec<String>, Failure> {
    let mut wrong = entries.violations.clone();
    wrong.extend(owners(&entries.ownerships));
    wrong.extend(lost_messages(entries));

    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in all(hub, &hub.history)? {
        rows.entry(row.partition_key.clone().unwrap_or_default()).or_default().push(row);
    }
    let histories: BTreeMap<&str, History> =
        rows.iter().map(|(instance, rows)| (instance.as_str(), History::of(rows))).collect();
    for ((instance, number), event) in &entries.events {
        let stored = histories.get(instance.as_str()).and_then(|history| history.events.get(*number));
        if stored != Some(event) {
            wrong.push(format!("lost row: event {number} of {instance} is {stored:?}, not {event:?}"));
        }
    }
    for instance in &entries.started {
        if !histories.contains_key(instance.as_str()) {
            wrong.push(format!("{instance} was started, and has no history"));
        }
    }
    for (instance, history) in &histories {
        wrong.extend(of_history(instance, history));
    }
    let completed = completed(&all(hub, &hub.instances)?);
    for instance in &entries.started {
        let output = Orchestration::of(instance).map(|orchestration| orchestration.output());
        let stored = completed.get(instance).copied();
        if stored.is_none() || stored != output {
            wrong.push(format!("the row of {instance} has the output {stored:?}, not {output:?}"));
        }
    }
    Ok(wrong)
}

/// Returns the pairs of workers that owned a partition at the same time.
fn owners(ownerships: &[Ownership]) -> Vec<String> {
    let mut sorted: Vec<&Ownership> = ownerships.iter().filter(|one| one.from < one.until).collect();
    sorted.sort_by_key(|one| (one.partition, one.from));
    let pairs = sorted.windows(2).filter_map(|pair| match pair {
        [one, next] if one.partition == next.partition && next.from < one.until => Some(format!(
            "two owners of partition {}: worker {} for {:?} more when worker {} acquired it",
            one.partition,
            one.worker,
            one.until.duration_since(next.from),
            next.worker
        )),
        _ => None,
    });
    pairs.collect()
}

fn lost_messages(entries: &Entries) -> Vec<String> {
    let lost = entries.sent.iter().filter(|(id, _)| !entries.received.contains_key(id));
    lost.map(|(id, text)| format!("lost message: {id} `{text}`")).collect()
}

/// Checks that a history is the complete course of its orchestration.
fn of_history(instance: &str, history: &History) -> Vec<String> {
    let Some(orchestration) = Orchestration::of(instance) else {
        return vec![format!("a history of {instance}, which nobody has started")];
    };
    let mut wrong: Vec<String> =
        history.problem.iter().map(|problem| format!("history of {instance}: {problem}")).collect();
    let events = &history.events;
    if events.first() != Some(&Event::Started) || orchestration.decide(events) != Decision::Finished {
        wrong.push(format!("{instance} has not completed: {events:?}"));
    }
    let completed = events.iter().filter(|event| matches!(event, Event::Completed(..))).count();
    if u32::try_from(completed) != Ok(orchestration.tasks()) {
        wrong.push(format!("{instance} has {completed} of {} results: {events:?}", orchestration.tasks()));
    }
    let finished: Vec<usize> =
        (0..events.len()).filter(|at| matches!(events.get(*at), Some(Event::Finished(_)))).collect();
    if finished.len() > 1 || finished.first().is_some_and(|at| at + 1 != events.len()) {
        wrong.push(format!("{instance} has completed more than once, or continued: {events:?}"));
    }
    let distinct: BTreeSet<String> = events
        .iter()
        .map(|event| match event {
            Event::Completed(task, _) => format!("completed {task}"),
            other => format!("{other:?}"),
        })
        .collect();
    if distinct.len() != events.len() {
        wrong.push(format!("{instance} has an event twice: {events:?}"));
    }
    for (at, event) in events.iter().enumerate() {
        let expected = match event {
            Event::Completed(task, result) => {
                let was_scheduled = events.iter().take(at).any(|earlier| *earlier == Event::Scheduled(*task));
                was_scheduled && *result == orchestration.result(*task)
            }
            Event::Finished(output) => *output == orchestration.output(),
            Event::Started => at == 0,
            Event::Scheduled(task) => *task < orchestration.tasks(),
        };
        if !expected {
            wrong.push(format!("{instance} has an unexpected event {at}: {events:?}"));
        }
    }
    wrong
}

fn completed(rows: &[Row]) -> BTreeMap<String, i64> {
    let output = |row: &Row| match (row.properties.get("Status"), row.properties.get("Output")) {
        (Some(Value::String(status)), Some(Value::Int64(output))) if status == "Completed" => Some(*output),
        _ => None,
    };
    rows.iter().filter_map(|row| Some((row.partition_key.clone()?, output(row)?))).collect()
}

fn all(hub: &Hub, table: &TableName) -> Result<Vec<Row>, Failure> {
    let (mut rows, mut query) = (Vec::new(), Query::new());
    loop {
        let segment = block_on(hub.services.tables.query(table, query.clone()))?;
        rows.extend(segment.rows);
        match segment.continuation {
            Some(token) => query = query.continuation(token),
            None => return Ok(rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn owned(partition: usize, worker: usize, from: u64, until: u64, zero: Instant) -> Ownership {
        let at = |seconds| zero + Duration::from_secs(seconds);
        Ownership { partition, worker, from: at(from), until: at(until) }
    }

    #[test]
    fn overlapping_ownerships_are_found() {
        let zero = Instant::now();
        let apart = [owned(0, 1, 0, 5, zero), owned(1, 2, 3, 9, zero), owned(0, 2, 5, 9, zero)];
        assert_eq!(owners(&apart), [""; 0]);
        let overlapping = [owned(0, 2, 3, 9, zero), owned(0, 1, 0, 5, zero)];
        assert_eq!(owners(&overlapping).len(), 1);
    }

    fn history(events: &[Event]) -> History {
        History { events: events.to_vec(), ..History::default() }
    }

    /// Returns the history of an orchestration with a single phase.
    fn complete() -> (String, Vec<Event>) {
        let single = (0..1_000).map(Orchestration::new).find(|orchestration| orchestration.tasks() == 1);
        let orchestration = single.unwrap();
        let events = vec![
            Event::Started,
            Event::Scheduled(0),
            Event::Completed(0, orchestration.result(0)),
            Event::Finished(orchestration.output()),
        ];
        (orchestration.instance(), events)
    }

    #[test]
    fn a_complete_history_is_right() {
        let (instance, events) = complete();
        assert_eq!(of_history(&instance, &history(&events)), [""; 0]);
    }

    #[test]
    fn a_history_that_ends_early_or_has_an_event_twice_is_wrong() {
        let (instance, events) = complete();
        for at in 0..events.len() {
            let mut shorter = events.clone();
            shorter.remove(at);
            assert!(!of_history(&instance, &history(&shorter)).is_empty(), "without event {at}");
            let mut longer = events.clone();
            longer.insert(at, events[at]);
            assert!(!of_history(&instance, &history(&longer)).is_empty(), "event {at} twice");
        }
        let mut other = events;
        other[2] = Event::Completed(0, -1);
        assert!(!of_history(&instance, &history(&other)).is_empty());
    }

    #[test]
    fn a_message_that_was_never_received_is_lost() {
        let mut entries = Entries::default();
        let id = table_store::Uuid::from_u128(3);
        entries.sent.insert(id, "start i-1".to_owned());
        assert_eq!(lost_messages(&entries).len(), 1);
        entries.received.insert(id, 1);
        assert_eq!(lost_messages(&entries), [""; 0]);
    }
}

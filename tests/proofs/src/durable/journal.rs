//! What workers and clients observed: the evidence for the checks at the end.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use table_store::Uuid;

use crate::durable::history::Event;

/// The time in which a worker was sure to own a partition: from the response to its request for the lease, until the lease
/// could have ended, counted from before the last renewal was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ownership {
    pub partition: usize,
    pub worker: usize,
    pub from: Instant,
    pub until: Instant,
}

/// The observations.
#[derive(Debug, Default)]
pub struct Entries {
    pub ownerships: Vec<Ownership>,
    /// Acknowledged events, by instance and number.
    pub events: BTreeMap<(String, usize), Event>,
    /// Instances whose first message was acknowledged.
    pub started: BTreeSet<String>,
    /// Instances whose row was acknowledged as completed.
    pub completed: BTreeSet<String>,
    /// Acknowledged messages.
    pub sent: BTreeMap<Uuid, String>,
    /// Number of times that a message was received.
    pub received: BTreeMap<Uuid, u32>,
    /// Times at which the deletion of a message was acknowledged.
    pub deleted: BTreeMap<Uuid, Instant>,
    /// Numbers for the report.
    pub counts: BTreeMap<String, u64>,
    pub violations: Vec<String>,
}

/// The observations of all threads.
#[derive(Debug, Default)]
pub struct Journal(Mutex<Entries>);

impl Journal {
    /// Locks the observations.
    pub fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an occurrence for the report.
    pub fn count(&self, what: &str) {
        *self.entries().counts.entry(what.to_owned()).or_default() += 1;
    }

    /// Records the start of an ownership. Returns its number.
    pub fn acquired(&self, ownership: Ownership) -> usize {
        let mut entries = self.entries();
        entries.ownerships.push(ownership);
        entries.ownerships.len() - 1
    }

    /// Sets the end of an ownership: later after a renewal, earlier after a release.
    pub fn owned_until(&self, number: usize, until: Instant) {
        if let Some(ownership) = self.entries().ownerships.get_mut(number) {
            ownership.until = until;
        }
    }

    /// Records an acknowledged message.
    pub fn sent(&self, id: Uuid, text: String) {
        self.entries().sent.insert(id, text);
    }

    /// Records a received message. `asked` is the time before the request was sent.
    pub fn received(&self, id: Uuid, text: &str, asked: Instant) {
        let mut entries = self.entries();
        *entries.received.entry(id).or_default() += 1;
        if entries.deleted.get(&id).is_some_and(|deleted| *deleted < asked) {
            entries.violations.push(format!("a deleted message was received: {id} `{text}`"));
        }
    }

    /// Records an acknowledged deletion of a message.
    pub fn deleted(&self, id: Uuid) {
        self.entries().deleted.entry(id).or_insert_with(Instant::now);
    }

    /// Records acknowledged events.
    pub fn appended(&self, instance: &str, first: usize, events: &[Event]) {
        let mut entries = self.entries();
        for (at, event) in events.iter().enumerate() {
            let known = entries.events.insert((instance.to_owned(), first + at), *event);
            if known.is_some() {
                entries.violations.push(format!("two commits of event {} of {instance}", first + at));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_message_that_returns_is_a_violation() {
        let (journal, id) = (Journal::default(), Uuid::from_u128(7));
        let before = Instant::now();
        journal.received(id, "start i-1", before);
        journal.deleted(id);
        // A request that was sent before the deletion may have received it.
        journal.received(id, "start i-1", before);
        assert_eq!(journal.entries().violations, [""; 0]);
        journal.received(id, "start i-1", Instant::now() + Duration::from_nanos(1));
        assert_eq!(journal.entries().violations.len(), 1);
    }

    #[test]
    fn an_event_that_is_written_twice_is_a_violation() {
        let journal = Journal::default();
        journal.appended("i-1", 0, &[Event::Started, Event::Scheduled(0)]);
        journal.appended("i-1", 1, &[Event::Scheduled(0)]);
        assert_eq!(journal.entries().violations.len(), 1);
    }
}

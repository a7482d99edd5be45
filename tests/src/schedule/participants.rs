use std::{
    fmt,
    task::{Context, Poll, Waker},
};

use super::Client;

/// Participants on one thread. In each step, one of them advances to its next wait.
#[derive(Default)]
pub struct Participants<'c> {
    parts: Vec<Part<'c>>,
}

struct Part<'c> {
    /// Its index in the order of creation.
    number: usize,
    work: Client<'c>,
    /// The run waits for this participant to complete.
    is_client: bool,
    /// Relative frequency with which this participant is selected.
    weight: usize,
}

impl<'c> Participants<'c> {
    /// Creates a run without participants.
    #[must_use]
    pub const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    /// Adds a participant that the run waits for.
    pub fn client(&mut self, work: Client<'c>) {
        self.add(work, true);
    }

    /// Adds a participant that stops at the end of the run.
    pub fn worker(&mut self, work: Client<'c>) {
        self.add(work, false);
    }

    fn add(&mut self, work: Client<'c>, is_client: bool) {
        self.parts.push(Part { number: self.parts.len(), work, is_client, weight: 1 });
    }

    /// Returns whether any client has neither completed nor been removed.
    #[must_use]
    pub fn has_clients(&self) -> bool {
        self.parts.iter().any(|part| part.is_client)
    }

    /// Sets the weights of all participants, which are 1 at first.
    pub fn set_weights(&mut self, mut weight: impl FnMut() -> usize) {
        self.parts.iter_mut().for_each(|part| part.weight = weight());
    }

    /// Returns the sum of the weights.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.parts.iter().map(|part| part.weight).sum()
    }

    /// Returns the place of the participant that a number below the sum of the weights selects.
    #[must_use]
    pub fn select(&self, mut drawn: usize) -> usize {
        for (at, part) in self.parts.iter().enumerate() {
            match drawn.checked_sub(part.weight) {
                Some(rest) => drawn = rest,
                None => return at,
            }
        }
        0
    }

    /// Advances the participant at a place by one step, and removes it if it completes.
    pub fn advance(&mut self, at: usize) -> Poll<()> {
        let Some(part) = self.parts.get_mut(at) else { return Poll::Ready(()) };
        let polled = part.work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if polled.is_ready() {
            self.remove(at);
        }
        polled
    }

    /// Replaces the work of the participant at a place, which `begin` creates from its number.
    pub fn restart(&mut self, at: usize, begin: impl FnOnce(usize) -> Client<'c>) {
        if let Some(part) = self.parts.get_mut(at) {
            part.work = begin(part.number);
        }
    }

    /// Removes the participant at a place.
    pub fn remove(&mut self, at: usize) {
        if at < self.parts.len() {
            drop(self.parts.swap_remove(at));
        }
    }
}

impl fmt::Debug for Participants<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Participants").field("parts", &self.parts.len()).finish()
    }
}

//! What a model is: first states, steps, and what must hold.

use std::{fmt::Debug, hash::Hash};

/// A protocol as a state machine with bounds of its own.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// All that the store, the queue and the processes hold. Two states that differ only in the names of
    /// `ETag`s or in which of two equal workers does what should be equal: see [`Protocol::canonical`].
    type State: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// The first states.
    fn first(&self) -> Vec<Self::State>;

    /// All that may happen next.
    fn steps(&self, state: &Self::State, steps: &mut Steps<Self::State>);

    /// Picks one of all states that mean the same.
    fn canonical(&self, state: &mut Self::State);

    /// What holds in every state.
    fn safe(&self, state: &Self::State) -> bool;

    /// Nobody has anything left to do: no messages, no requests under way, no process in the middle.
    fn quiet(&self, state: &Self::State) -> bool;

    /// What holds in quiet states.
    fn good(&self, state: &Self::State) -> bool;

    /// A state that must be reached, or the model has proved nothing.
    fn witness(&self, state: &Self::State) -> bool;
}

/// Something that one actor does at once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step<S> {
    /// Who: a letter and a number.
    pub(crate) actor: (char, usize),
    /// What it does.
    pub(crate) what: &'static str,
    /// The state afterwards.
    pub(crate) after: S,
}

/// The steps out of one state.
#[derive(Debug)]
pub(crate) struct Steps<S> {
    from: S,
    found: Vec<Step<S>>,
    count: usize,
    only_count: bool,
}

impl<S: Clone> Steps<S> {
    /// No steps yet out of `from`.
    pub(crate) fn from(from: &S) -> Self {
        Self { from: from.clone(), found: Vec::new(), count: 0, only_count: false }
    }

    /// Whether any step leads out of `from`; cheaper than to make them.
    pub(crate) fn any(from: &S, steps: impl FnOnce(&mut Self)) -> bool {
        let mut any = Self { only_count: true, ..Self::from(from) };
        steps(&mut any);
        any.count > 0
    }

    /// The actor may change the state like this.
    pub(crate) fn add(&mut self, actor: (char, usize), what: &'static str, change: impl FnOnce(&mut S)) {
        self.count += 1;
        if self.only_count {
            return;
        }
        let mut after = self.from.clone();
        change(&mut after);
        self.found.push(Step { actor, what, after });
    }

    /// All steps, their states made canonical.
    pub(crate) fn into_canonical(mut self, canonical: impl Fn(&mut S)) -> Vec<Step<S>> {
        for step in &mut self.found {
            canonical(&mut step.after);
        }
        self.found
    }
}

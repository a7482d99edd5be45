//! The interface of a model: initial states, steps, and invariants.

use std::{fmt::Debug, hash::Hash};

/// A protocol as a state machine with bounds.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// The complete state of the store, the queue and the processes. Two states that differ only in the names of
    /// `ETag`s, or in the assignment of steps to equal workers, should be equal: see [`Protocol::canonical`].
    type State: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// Returns the initial states.
    fn first(&self) -> Vec<Self::State>;

    /// Adds all possible next steps.
    fn steps(&self, state: &Self::State, steps: &mut Steps<Self::State>);

    /// Selects one representative of all equivalent states.
    fn canonical(&self, state: &mut Self::State);

    /// Returns whether the invariant for every state is met.
    fn safe(&self, state: &Self::State) -> bool;

    /// Returns whether the state is quiescent: no messages, no requests in flight, no process in the middle of an
    /// operation.
    fn quiet(&self, state: &Self::State) -> bool;

    /// Returns whether the invariant for quiescent states is met.
    fn good(&self, state: &Self::State) -> bool;

    /// Returns `true` for a state that must be reached; otherwise the model proves nothing.
    fn witness(&self, state: &Self::State) -> bool;
}

/// An atomic step of one actor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step<S> {
    /// The actor: a letter and a number.
    pub(crate) actor: (char, usize),
    /// Description of the step.
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
    /// Creates an empty list of steps from `from`.
    pub(crate) fn from(from: &S) -> Self {
        Self { from: from.clone(), found: Vec::new(), count: 0, only_count: false }
    }

    /// Returns whether any step leads out of `from`; cheaper than creating the steps.
    pub(crate) fn any(from: &S, steps: impl FnOnce(&mut Self)) -> bool {
        let mut any = Self { only_count: true, ..Self::from(from) };
        steps(&mut any);
        any.count > 0
    }

    /// Adds a step of the actor that changes the state.
    pub(crate) fn add(&mut self, actor: (char, usize), what: &'static str, change: impl FnOnce(&mut S)) {
        self.count += 1;
        if self.only_count {
            return;
        }
        let mut after = self.from.clone();
        change(&mut after);
        self.found.push(Step { actor, what, after });
    }

    /// Returns all steps with canonical states.
    pub(crate) fn into_canonical(mut self, canonical: impl Fn(&mut S)) -> Vec<Step<S>> {
        for step in &mut self.found {
            canonical(&mut step.after);
        }
        self.found
    }
}

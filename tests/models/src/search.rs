//! Searches a model whole, breadth first, and says what was found.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use stateright::{Checker, HasDiscoveries, Model, Property};

use crate::protocol::{Protocol, Step, Steps};

/// Says what the model checker asks of a protocol.
#[derive(Debug)]
struct Machine<P> {
    protocol: P,
    /// What was found not to hold. The model checker goes on for a while, and would take a later state in its place: so only
    /// the first is shown to it, which is one of the nearest.
    broken: Mutex<BTreeSet<&'static str>>,
}

impl<P: Protocol> Machine<P> {
    /// Whether it holds, or was found not to hold in another state before.
    fn passes(&self, property: &'static str, holds: bool) -> bool {
        holds || !self.broken.lock().unwrap_or_else(PoisonError::into_inner).insert(property)
    }

    fn found(&self, state: &P::State) -> Vec<Step<P::State>> {
        let mut steps = Steps::from(state);
        self.protocol.steps(state, &mut steps);
        steps.into_canonical(|state| self.protocol.canonical(state))
    }
}

impl<P: Protocol> Model for Machine<P> {
    type State = P::State;
    type Action = Step<P::State>;

    fn init_states(&self) -> Vec<P::State> {
        let mut first = self.protocol.first();
        for state in &mut first {
            self.protocol.canonical(state);
        }
        first
    }

    fn actions(&self, state: &P::State, actions: &mut Vec<Self::Action>) {
        actions.append(&mut self.found(state));
    }

    fn next_state(&self, _: &P::State, step: Self::Action) -> Option<P::State> {
        Some(step.after)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(SAFE, |machine, state| machine.passes(SAFE, machine.protocol.safe(state))),
            Property::always(GOOD, |machine, state| {
                machine.passes(GOOD, !machine.protocol.quiet(state) || machine.protocol.good(state))
            }),
            Property::always(NO_DEAD_END, |machine, state| {
                let goes_on = || Steps::any(state, |steps| machine.protocol.steps(state, steps));
                machine.passes(NO_DEAD_END, machine.protocol.quiet(state) || goes_on())
            }),
            Property::sometimes(WITNESS, |machine, state| machine.protocol.witness(state)),
        ]
    }
}

const SAFE: &str = "safe in every state";
const GOOD: &str = "good when quiet";
const NO_DEAD_END: &str = "no dead end";
const WITNESS: &str = "witness";

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every state that can be reached was visited; all is as it must be, and the witness was seen.
    Holds,
    /// Every state was visited, and none is the witness: the model proves nothing.
    NoWitness,
    /// A state is not as it must be.
    Refuted {
        /// What does not hold.
        property: &'static str,
        /// A way there, each step on a line.
        trace: Vec<String>,
    },
    /// More states than were allowed.
    TooLarge,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds => f.write_str("holds"),
            Self::NoWitness => f.write_str("NO WITNESS"),
            Self::Refuted { property, trace } => write!(f, "refuted in {} steps: {property}", trace.len()),
            Self::TooLarge => f.write_str("NOT EXHAUSTED"),
        }
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Different states visited.
    pub unique: usize,
    /// States made by steps, with repetitions.
    pub generated: usize,
    /// The longest of the shortest ways to a state; may differ by a few with several threads.
    pub depth: usize,
    /// How it ended.
    pub verdict: Verdict,
    /// How long it took.
    pub time: Duration,
}

/// Searches on so many threads, and gives up when `at_most` states were generated.
pub(crate) fn search<P: Protocol>(protocol: P, threads: usize, at_most: usize) -> Found {
    let start = Instant::now();
    let checker = Machine { protocol, broken: Mutex::default() }
        .checker()
        .threads(threads)
        .finish_when(HasDiscoveries::AnyFailures)
        .target_state_count(at_most)
        .spawn_bfs()
        .join();
    let discoveries = checker.discoveries();
    let refuted = discoveries.iter().filter(|(name, _)| **name != WITNESS);
    let ways = refuted.map(|(name, path)| (path.clone().into_actions(), *name));
    let verdict = if let Some((steps, property)) = ways.min_by_key(|(steps, name)| (steps.len(), *name)) {
        let trace = steps.iter().map(|step| format!("{}{} {}", step.actor.0, step.actor.1, step.what));
        Verdict::Refuted { property, trace: trace.collect() }
    } else if checker.state_count() >= at_most {
        Verdict::TooLarge
    } else if discoveries.contains_key(WITNESS) {
        Verdict::Holds
    } else {
        Verdict::NoWitness
    };
    Found {
        unique: checker.unique_state_count(),
        generated: checker.state_count(),
        depth: checker.max_depth(),
        verdict,
        time: start.elapsed(),
    }
}

//! Searches a model whole, breadth first, and says what was found.

use std::{
    fmt,
    time::{Duration, Instant},
};

use stateright::{Checker, HasDiscoveries, Model, Property};

use crate::protocol::{Protocol, Step, Steps};

/// Says what the model checker asks of a protocol.
#[derive(Debug)]
struct Machine<P>(P);

impl<P: Protocol> Machine<P> {
    fn found(&self, state: &P::State) -> Vec<Step<P::State>> {
        let mut steps = Steps::from(state);
        self.0.steps(state, &mut steps);
        steps.into_canonical(|state| self.0.canonical(state))
    }
}

impl<P: Protocol> Model for Machine<P> {
    type State = P::State;
    type Action = Step<P::State>;

    fn init_states(&self) -> Vec<P::State> {
        let mut first = self.0.first();
        for state in &mut first {
            self.0.canonical(state);
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
            Property::always("safe in every state", |machine, state| machine.0.safe(state)),
            Property::always("good when quiet", |machine, state| {
                !machine.0.quiet(state) || machine.0.good(state)
            }),
            Property::always("no dead end", |machine, state| {
                machine.0.quiet(state) || Steps::any(state, |steps| machine.0.steps(state, steps))
            }),
            Property::sometimes(WITNESS, |machine, state| machine.0.witness(state)),
        ]
    }
}

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
    let checker = Machine(protocol)
        .checker()
        .threads(threads)
        .finish_when(HasDiscoveries::AnyFailures)
        .target_state_count(at_most)
        .spawn_bfs()
        .join();
    let discoveries = checker.discoveries();
    let refuted = discoveries.iter().filter(|(name, _)| **name != WITNESS);
    let verdict = if let Some((property, path)) = refuted.min_by_key(|(name, _)| **name) {
        let steps = path.clone().into_actions();
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

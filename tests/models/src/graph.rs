//! A second search, by other means: it keeps the whole graph and asks whether every state leads to a quiet
//! one. A process that goes round for ever without a way out shows here, and the number of states must be
//! the one the model checker counted.

use std::collections::HashMap;

use crate::protocol::{Protocol, Steps};

/// What the graph says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph {
    /// How many states can be reached.
    pub states: usize,
    /// How many of them lead to no quiet state.
    pub lost: usize,
}

/// Makes the whole graph. For small bounds: each state is kept.
pub(crate) fn graph<P: Protocol>(protocol: &P) -> Graph {
    let mut numbers: HashMap<P::State, usize> = HashMap::new();
    let mut open: Vec<P::State> = Vec::new();
    let mut before: Vec<Vec<usize>> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    let mut number = |state: P::State, open: &mut Vec<P::State>, before: &mut Vec<Vec<usize>>| {
        let next = numbers.len();
        *numbers.entry(state).or_insert_with_key(|state| {
            open.push(state.clone());
            before.push(Vec::new());
            next
        })
    };
    for mut state in protocol.first() {
        protocol.canonical(&mut state);
        number(state, &mut open, &mut before);
    }
    let mut at = 0;
    while let Some(state) = open.get(at).cloned() {
        if protocol.quiet(&state) {
            ends.push(at);
        }
        let mut steps = Steps::from(&state);
        protocol.steps(&state, &mut steps);
        for step in steps.into_canonical(|state| protocol.canonical(state)) {
            let to = number(step.after, &mut open, &mut before);
            if let Some(before) = before.get_mut(to) {
                before.push(at);
            }
        }
        at += 1;
    }
    let mut reached = vec![false; before.len()];
    let mut left = before.len();
    while let Some(at) = ends.pop() {
        if let Some(reached) = reached.get_mut(at).filter(|reached| !**reached) {
            *reached = true;
            left -= 1;
            ends.extend(before.get(at).into_iter().flatten());
        }
    }
    Graph { states: before.len(), lost: left }
}

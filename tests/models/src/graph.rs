//! A second, independent search: it stores the complete graph and checks that every state leads to a quiescent state.
//! It detects processes that loop forever, and its number of states must equal the count of the model checker.

use std::collections::HashMap;

use crate::protocol::{Protocol, Steps};

/// Result of building a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Number of reachable states.
    pub states: usize,
    /// Number of states that lead to no quiescent state.
    pub lost: usize,
}

/// Builds the complete graph. For small bounds, because each state is stored.
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

//! A sum next to its sources, whose row can exist without its entity, and a sweep that deletes placeholders. The model
//! contains one member in another partition with its contribution row, one member in the sum's own partition, and the
//! entity that has the sum.

mod state;
mod worker;

use state::{Request, State, Target};

use crate::{
    budget::Budget,
    cell::{Tag, renumber},
    protocol::{Protocol, Steps},
};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// The row of a sum without its entity has the mark of a placeholder.
    OneMarker,
    /// The sweep deletes a placeholder regardless of its current `ETag`.
    BlindSweep,
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) budget: Budget,
}

impl Model {
    /// Adds the steps of clients: members join and leave; the entity of the sum is inserted and deleted. Each client
    /// reads and writes by If-Match.
    fn clients(state: &State, steps: &mut Steps<State>) {
        if state.left.ops == 0 {
            return;
        }
        let sum = state.sum.tag;
        let mut requests = vec![
            ("a member here joins or leaves", Request::Here { sum }),
            ("the entity comes or goes", Request::Owner { sum }),
        ];
        if let Some(row) = state.rows.iter().position(|row| !row.is_used) {
            let guard = state.primary.tag;
            requests.push(("a member elsewhere joins or leaves", Request::Elsewhere { row, guard }));
        }
        for (what, request) in requests {
            let begin = |state: &mut State| {
                state.left.ops -= 1;
                if let Request::Elsewhere { row, .. } = request {
                    state.rows[row].is_used = true;
                }
            };
            steps.add(('C', 0), what, |state| {
                begin(state);
                state.take_effect(request);
            });
            if state.may_lose() {
                steps.add(('C', 0), "loses a reply", |state| {
                    begin(state);
                    state.lose(request);
                });
            }
        }
    }

    /// Adds the steps of the sweep: it finds a placeholder, and deletes it later.
    fn sweep(self, state: &State, steps: &mut Steps<State>) {
        let Some((target, guard)) = state.sweeps else {
            let contribution = state.contribution;
            if contribution.exists() && !contribution.value.counts {
                steps.add(('S', 0), "finds a placeholder", |state| {
                    state.sweeps = Some((Target::Contribution, contribution.tag));
                });
            }
            let sum = state.sum;
            if self.variant == Variant::OneMarker && sum.exists() && !sum.value.has_entity {
                steps.add(('S', 0), "finds a row without its entity", |state| {
                    state.sweeps = Some((Target::Sum, sum.tag));
                });
            }
            return;
        };
        steps.add(('S', 0), "deletes it", |state| {
            state.sweeps = None;
            match target {
                Target::Contribution if self.variant == Variant::BlindSweep => state.contribution.remove(),
                Target::Contribution => drop(state.contribution.replace(guard, None)),
                Target::Sum => drop(state.sum.replace(guard, None)),
            }
        });
    }
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        vec![State { left: self.budget, ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        Self::clients(state, steps);
        self.sweep(state, steps);
        for number in 0..usize::from(self.budget.workers) {
            worker::steps(state, number, steps);
        }
        if let Some(request) = state.lost {
            steps.add(('L', 0), "lands", |state| {
                state.lost = None;
                state.take_effect(request);
            });
            steps.add(('L', 0), "never lands", |state| state.lost = None);
        }
    }

    fn canonical(&self, state: &mut State) {
        let (primary, contribution, sum) = (state.primary.tag, state.contribution.tag, state.sum.tag);
        for worker in &mut state.workers {
            worker.forget(contribution, sum);
        }
        if let Some((target, guard)) = &mut state.sweeps {
            guard.only_compared_with(if *target == Target::Sum { sum } else { contribution });
        }
        match &mut state.lost {
            Some(Request::Here { sum: guard } | Request::Owner { sum: guard }) => {
                guard.only_compared_with(sum);
            }
            Some(Request::Elsewhere { guard, .. }) => guard.only_compared_with(primary),
            Some(Request::Contribute { guard, sum: guard_of_sum, .. }) => {
                guard.only_compared_with(contribution);
                guard_of_sum.only_compared_with(sum);
            }
            Some(Request::InsertZero | Request::DropRow { .. }) | None => {}
        }
        renumber::<3, _>(state, State::tags);
        state.workers.sort_unstable();
    }

    /// The sum equals the contribution plus the member in the same partition; its row exists exactly while it has an
    /// entity or values.
    fn safe(&self, state: &State) -> bool {
        let added = i8::from(state.contribution.value.counts) + i8::from(state.here);
        let sum = state.sum;
        sum.value.value == added && sum.exists() == (sum.value.has_entity || sum.value.value != 0)
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost.is_none()
            && state.sweeps.is_none()
            && state.rows.iter().all(|row| row.joined.is_none())
            && state.workers.iter().all(worker::Worker::is_idle)
    }

    /// The member in the other partition is counted while it is a member.
    fn good(&self, state: &State) -> bool {
        state.primary.value == state.contribution.value.counts
    }

    fn witness(&self, state: &State) -> bool {
        state.sum.value.value == 2 && !state.sum.value.has_entity && self.quiet(state)
    }
}

impl State {
    /// Rows: the member in the other partition, its contribution, the sum.
    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.primary.tag);
        visit(1, &mut self.contribution.tag);
        visit(0, &mut self.contribution.value.shows);
        visit(2, &mut self.sum.tag);
        for worker in &mut self.workers {
            worker.tags(visit);
        }
        match &mut self.sweeps {
            Some((Target::Contribution, guard)) => visit(1, guard),
            Some((Target::Sum, guard)) => visit(2, guard),
            None => {}
        }
        match &mut self.lost {
            Some(Request::Here { sum } | Request::Owner { sum }) => visit(2, sum),
            Some(Request::Elsewhere { guard, .. }) => visit(0, guard),
            Some(Request::Contribute { guard, row, sum }) => {
                visit(1, guard);
                visit(0, &mut row.shows);
                visit(2, sum);
            }
            Some(Request::InsertZero | Request::DropRow { .. }) | None => {}
        }
    }
}

//! Sums across partitions: a contribution row for each member and one aggregate in the same partition. The aggregate is
//! written in one transaction with the contribution, whose stored value determines the difference.

mod state;
mod worker;

use state::{Lost, Phase, Request, State};
use worker::Worker;

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
    /// The outbox row contains the difference, and the worker adds it.
    DeltaInMessage,
    /// A missing contribution is inserted without a zero row before the primary is read.
    NoZeroRow,
    /// A contribution with the correct value is not rewritten, regardless of its `ETag`.
    NoTouch,
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
    /// The bounds.
    pub(crate) budget: Budget,
}

/// Number of concurrent clients.
const CLIENTS: usize = 2;

impl Model {
    /// Adds the steps of clients: a wake-up message, then the transaction in which a member joins or leaves.
    fn clients(state: &State, steps: &mut Steps<State>) {
        let open = state.attempts.iter().filter(|attempt| attempt.phase == Phase::Open).count();
        let unused = state.attempts.iter().position(|attempt| attempt.phase == Phase::Unused);
        if let Some(number) = unused.filter(|_| state.left.ops > 0 && open < CLIENTS) {
            for member in 0..state.primaries.len() {
                steps.add(('C', number), "puts a hint", |state| {
                    state.left.ops -= 1;
                    let attempt = &mut state.attempts[number];
                    (attempt.phase, attempt.member, attempt.hint) = (Phase::Open, member, true);
                });
            }
        }
        for (number, attempt) in state.attempts.iter().enumerate() {
            if attempt.phase != Phase::Open {
                continue;
            }
            let request = Request::Toggle { attempt: number, guard: state.primaries[attempt.member].tag };
            steps.add(('C', number), "gives up", |state| state.attempts[number].phase = Phase::Over);
            steps.add(('C', number), "commits", |state| {
                state.take_effect(request);
                state.attempts[number].phase = Phase::Over;
            });
            if state.may_lose() {
                steps.add(('C', number), "commits, reply lost", |state| {
                    state.lose(request);
                    state.attempts[number].phase = Phase::Over;
                });
            }
        }
    }
}

impl Protocol for Model {
    type State = State;

    fn first(&self) -> Vec<State> {
        vec![State { left: self.budget, ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        Self::clients(state, steps);
        for number in 0..usize::from(self.budget.workers) {
            worker::steps(self.variant, state, number, steps);
        }
        if let Lost(Some(request)) = state.lost {
            steps.add(('L', 0), "lands", |state| {
                state.lost = Lost(None);
                state.take_effect(request);
            });
            steps.add(('L', 0), "never lands", |state| state.lost = Lost(None));
        }
    }

    fn canonical(&self, state: &mut State) {
        let (contributions, sum) = (state.contributions.map(|row| row.tag), state.sum.tag);
        for worker in &mut state.workers {
            worker.forget(contributions, sum);
        }
        if let Lost(Some(Request::Contribute { member, guard, sum: guard_of_sum, .. })) = &mut state.lost {
            guard.only_compared_with(contributions[*member]);
            guard_of_sum.only_compared_with(sum);
        }
        renumber::<5, _>(state, State::tags);
        state.workers.sort_unstable();
    }

    /// The sum equals the sum of the contributions.
    fn safe(&self, state: &State) -> bool {
        state.sum.value == state.contributions.iter().map(|row| i8::from(row.value.counts)).sum::<i8>()
    }

    fn quiet(&self, state: &State) -> bool {
        state.lost == Lost(None)
            && state.attempts.iter().all(|attempt| attempt.phase != Phase::Open && !attempt.hint)
            && state.workers.iter().all(Worker::is_idle)
    }

    /// Members are counted, other entities are not. Zero rows may be left: they do not change a sum.
    fn good(&self, state: &State) -> bool {
        let rows = state.primaries.iter().zip(&state.contributions);
        state.attempts.iter().all(|attempt| attempt.row.is_none())
            && rows.into_iter().all(|(primary, row)| primary.value == row.value.counts)
    }

    fn witness(&self, state: &State) -> bool {
        state.left.ops == 0 && state.sum.value == 2 && self.quiet(state) && self.good(state)
    }
}

impl State {
    /// Rows: two primaries, two contributions, the sum.
    fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        for (member, primary) in self.primaries.iter_mut().enumerate() {
            visit(member, &mut primary.tag);
        }
        for (member, row) in self.contributions.iter_mut().enumerate() {
            visit(2 + member, &mut row.tag);
            visit(member, &mut row.value.shows);
        }
        visit(4, &mut self.sum.tag);
        for worker in &mut self.workers {
            worker.tags(visit);
        }
        match &mut self.lost {
            Lost(Some(Request::Toggle { attempt, guard })) => visit(self.attempts[*attempt].member, guard),
            Lost(Some(Request::Contribute { member, guard, row, sum })) => {
                visit(2 + *member, guard);
                visit(*member, &mut row.shows);
                visit(4, sum);
            }
            Lost(Some(Request::InsertZero { .. } | Request::DropRow { .. }) | None) => {}
        }
    }
}

use table_store::Durability;

use super::{act::Act, state::State};
use crate::reliability::{Seed, SimClock, SimDisk, Step, Violation, disk::Image, history::options};

/// One run of a program on an intact disk.
#[derive(Debug)]
pub(super) struct History {
    /// The disk before the first step.
    pub(super) base: Image,
    /// All steps.
    pub(super) steps: Vec<Step>,
    /// The contents of the store after each number of acts.
    states: Vec<State>,
    /// For each act, the number of disk steps before its request, and before its response.
    marks: Vec<(usize, usize)>,
}

impl History {
    /// Runs a program with this number of acts.
    pub(super) fn record(acts: usize, seed: &mut Seed) -> Result<Self, Violation> {
        let disk = SimDisk::default();
        let store = options(&SimClock::default(), Durability::Full).open_disk(disk.clone())?.blocking();
        disk.forget();
        let mut state = State::default();
        let mut history =
            Self { base: disk.image(), steps: Vec::new(), states: vec![state.clone()], marks: Vec::new() };
        for number in 0..acts {
            let act = Act::next(seed, &state, number as u64);
            let asked = disk.steps_done();
            act.perform(&store, &state).map_err(Violation::failed("changing blobs"))?;
            history.marks.push((asked, disk.steps_done()));
            state = state.after(&act);
            history.states.push(state.clone());
            // The store is idle when the next one starts.
            store.swept().map_err(Violation::failed("sweeping"))?;
            if State::of(&store)? != state.shows() {
                return Err(Violation::Visible { what: format!("{act:.200?} did something else") });
            }
        }
        store.close().map_err(Violation::failed("closing"))?;
        history.steps = disk.steps();
        Ok(history)
    }

    /// Returns the allowed contents after a crash in the middle of step `point`: all acknowledged acts, and optionally
    /// the acts in flight.
    pub(super) fn allowed_at(&self, point: usize) -> &[State] {
        let guaranteed = self.marks.iter().take_while(|(_, answered)| *answered <= point).count();
        let begun = self.marks.iter().take_while(|(asked, _)| *asked <= point).count();
        self.states.get(guaranteed..=begun).unwrap_or_default()
    }
}

//! Programs of the queue service, and a crash at every step of their disks: acknowledged messages exist, deleted
//! messages stay deleted, and every returned receipt is still valid.

mod act;
mod history;
mod state;

use table_store::{Durability, OpenOptions};

use crate::reliability::{
    Platter, Seed, SimClock, SimDisk, Violation, disk::Image, platter::Medium, proof::Counts,
    violation::without_panic,
};

use self::{history::History, state::State};

/// Number of actions per program.
const ACTIONS: usize = 25;

fn options(clock: &SimClock) -> OpenOptions {
    crate::reliability::history::options(clock, Durability::Full)
}

/// Crashes at each step of program `number`, and passes each violation to `broken`. The search continues if `broken`
/// returns `Ok`.
///
/// # Errors
/// Returns the error of `broken`, and a violation if the program fails without a crash.
pub fn search(
    number: u64,
    medium: Medium,
    broken: &mut dyn FnMut(Violation) -> Result<(), Violation>,
) -> Result<Counts, Violation> {
    let mut seed = Seed::new(number);
    let history = History::record(ACTIONS, &mut seed)?;
    let mut platter = Platter::new(history.base.clone(), medium);
    let (mut nested, mut failed) = (0, 0);
    for point in 0..=history.steps.len() {
        let mut seed = seed.fork(point as u64);
        let during = history.steps.get(point);
        let image = platter.crash(during, &mut seed);
        match inspect(image, history.allowed_at(point), medium, 2, &mut seed) {
            Ok(deeper) => nested += deeper,
            Err(violation) => {
                failed += 1;
                broken(violation)?;
            }
        }
        if let Some(step) = during {
            platter.advance(step, &mut seed);
        }
    }
    Ok(Counts::of([
        ("crashes", history.steps.len() as u64 + 1 + nested),
        ("of them inside a recovery", nested),
        ("with a promise broken", failed),
        ("programs", 1),
    ]))
}

/// Checks an image; sometimes crashes again during recovery, up to `nested` times. Returns the number of these crashes.
fn inspect(
    image: Image,
    allowed: &[State],
    medium: Medium,
    nested: usize,
    seed: &mut Seed,
) -> Result<u64, Violation> {
    let disk = SimDisk::holding(image.clone());
    without_panic("recovering", || recover(&disk, allowed))?;
    if nested == 0 || !seed.chance(1, 4) {
        return Ok(0);
    }
    let steps = disk.steps();
    let point = seed.below(steps.len() + 1);
    let mut platter = Platter::new(image, medium);
    for step in steps.iter().take(point) {
        platter.advance(step, seed);
    }
    let again = platter.crash(steps.get(point), seed);
    inspect(again, allowed, medium, nested - 1, seed).map(|deeper| deeper + 1)
}

/// Opens, sweeps, compares, and uses every receipt. Afterwards the disk's steps contain only the recovery.
fn recover(disk: &SimDisk, allowed: &[State]) -> Result<(), Violation> {
    let clock = SimClock::default();
    clock.jump(act::ALL_VISIBLE);
    let store = options(&clock).open_disk(disk.clone())?.blocking();
    store.swept().map_err(Violation::failed("sweeping after a crash"))?;
    let recovery = disk.steps();
    let found = State::shown_by(&store)?;
    // Some changes are not visible, so several states may match.
    let same: Vec<&State> = allowed.iter().filter(|state| state.shows() == found).collect();
    let Some(state) = same.first() else {
        let expected = allowed.iter().map(|state| format!("{:?}", state.shows())).collect::<Vec<_>>();
        return Err(Violation::Visible { what: format!("{found:?} is none of {}", expected.join(" or ")) });
    };
    let report = store.scrub().map_err(Violation::failed("scrubbing after a crash"))?;
    if !report.is_sound() || report.messages != state.messages() || report.deleted > 0 {
        return Err(Violation::Visible {
            what: format!("{} messages, and there are: {report}", state.messages()),
        });
    }
    State::delete_all(&same, &store)?;
    disk.unplug();
    drop(store);
    disk.put_back(recovery);
    Ok(())
}

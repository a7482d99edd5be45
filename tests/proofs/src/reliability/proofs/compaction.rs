use table_store::{Compaction as Compacted, Durability, LogMode, OpenError};

use crate::reliability::{
    Contents, Fault, History, Platter, Seed, SimClock, SimDisk, Violation,
    disk::Image,
    faults, history,
    inspection::Inspection,
    platter::Medium,
    program::{Program, Style},
    proof::{Counts, Depth, Proof, Refutation},
    violation::without_panic,
};

/// Number of actions of the program that creates the store.
const ACTIONS: usize = 20;

/// Number of sampled failures per kind and store.
const SAMPLED: u64 = 3;

/// Power cuts and disk errors during compaction.
#[derive(Debug)]
pub(super) struct Compaction;

impl Proof for Compaction {
    fn name(&self) -> &'static str {
        "compaction"
    }

    fn promise(&self) -> &'static str {
        "a compaction that is cut short changes nothing of what the store holds"
    }

    fn cases_with_every_change(&self) -> u64 {
        3
    }

    fn try_case(&self, seed: u64, depth: Depth) -> Result<Counts, Refutation> {
        let mut seed = Seed::new(seed);
        let program = Program::new(Style::Single).map_err(Violation::failed("naming tables"))?;
        let made = History::record(&program, Durability::Full, LogMode::Inline, ACTIONS, &mut seed)?;
        let image = whole(&made, &mut seed);
        let mut counts = Counts::default();
        for medium in [Medium::Tearing, Medium::Garbling] {
            counts += cut_power(&program, &made, &image, medium, &mut seed)?;
        }
        for (on, kind) in faults::KINDS {
            counts += fail(&made, &image, Fault { on, after: 0, lasting: seed.chance(1, 2), kind }, depth)?;
        }
        Ok(counts)
    }

    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        if counts.get("bytes given back") > 0 { Ok(()) } else { Err("no file got shorter".into()) }
    }
}

/// Returns the image after the run.
fn whole(made: &History, seed: &mut Seed) -> Image {
    let mut platter = Platter::new(made.base.clone(), Medium::Tearing);
    for step in &made.steps {
        platter.advance(step, seed);
    }
    platter.only_stable()
}

fn compact(disk: &SimDisk) -> Result<Compacted, OpenError> {
    history::options(&SimClock::default(), Durability::Full).compact_disk(disk.clone())
}

/// Cuts the power at each step of a compaction.
fn cut_power(
    program: &Program,
    made: &History,
    image: &Image,
    medium: Medium,
    seed: &mut Seed,
) -> Result<Counts, Violation> {
    let disk = SimDisk::holding(image.clone());
    let compacted = compact(&disk)?;
    let steps = disk.steps();
    let allowed = made.allowed_at(made.steps.len());
    let inspection = Inspection { program, log: made.log, allowed, medium };
    let mut platter = Platter::new(image.clone(), medium);
    let mut nested = 0;
    for point in 0..=steps.len() {
        let during = steps.get(point);
        nested += inspection.of(platter.crash(during, seed), 2, seed)?;
        if let Some(step) = during {
            platter.advance(step, seed);
        }
    }
    let given_back = compacted.bytes_before.saturating_sub(compacted.bytes_after);
    Ok(Counts::of([
        ("crashes and failures", steps.len() as u64 + 1 + nested),
        ("bytes given back", given_back),
    ]))
}

/// Fails disk calls in turn, until a compaction runs without a failure.
fn fail(made: &History, image: &Image, first: Fault, depth: Depth) -> Result<Counts, String> {
    let mut counts = Counts::default();
    let mut after = 0;
    loop {
        let fault = Fault { after, ..first };
        let ended = without_panic("compacting a store", || fail_once(made, image, fault));
        if !ended.map_err(|violation| format!("a disk with {fault:?}: {violation}"))? {
            return Ok(counts);
        }
        counts += Counts::of([("crashes and failures", 1)]);
        // The distance increases, because the later steps of a compaction are similar.
        after += if depth == Depth::Full { 1 } else { 1 + after * 2 / SAMPLED };
    }
}

/// Returns whether the disk failed. If it did, the error must be reported, and all data must exist.
fn fail_once(made: &History, image: &Image, fault: Fault) -> Result<bool, Violation> {
    let disk = SimDisk::holding(image.clone());
    disk.fail(fault);
    let compacted = compact(&disk);
    let failed = disk.heal() > 0;
    match &compacted {
        Err(error) if !faults::refusal_tells(error, fault.kind) => {
            return Err(Violation::Visible { what: format!("it is reported as: {error}") });
        }
        Err(_) if !failed => {
            return Err(Violation::Visible { what: "it failed on a sound disk".to_owned() });
        }
        _ => {}
    }
    let store = history::options(&SimClock::default(), Durability::Full).open_disk(disk)?.blocking();
    let found = Contents::of(&store).map_err(Violation::failed("reading"))?;
    let allowed = made.allowed_at(made.steps.len());
    if !allowed.contents.contains(&found) {
        return Err(Violation::Visible { what: "the store holds something else".to_owned() });
    }
    Ok(failed)
}

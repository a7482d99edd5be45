use table_store::{Durability, OpenError, Store};

use crate::reliability::{
    Contents, Fault, Platter, Seed, SimClock, SimDisk, Violation,
    disk::Image,
    faults, history,
    platter::Medium,
    proof::{Counts, Depth, Proof, Refutation},
    violation::without_panic,
};

/// Power cuts and disk errors while a store is created on an empty disk.
#[derive(Debug)]
pub(super) struct Creation;

impl Proof for Creation {
    fn name(&self) -> &'static str {
        "creation"
    }

    fn promise(&self) -> &'static str {
        "where the making of a store was cut short there is none, or a sound one"
    }

    fn cases_with_every_change(&self) -> u64 {
        2
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let mut seed = Seed::new(seed);
        let mut counts = Counts::default();
        for medium in [Medium::Tearing, Medium::Garbling] {
            counts += cut_power(medium, &mut seed)?;
        }
        for (on, kind) in faults::KINDS {
            for lasting in [false, true] {
                counts += fail(Fault { on, after: 0, lasting, kind }, &mut seed)?;
            }
        }
        Ok(counts)
    }
}

fn make(disk: &SimDisk) -> Result<Store, OpenError> {
    history::options(&SimClock::default(), Durability::Full).open_disk(disk.clone())
}

/// Cuts the power at each step of a creation.
fn cut_power(medium: Medium, seed: &mut Seed) -> Result<Counts, Violation> {
    let disk = SimDisk::default();
    let store = make(&disk)?;
    let steps = disk.steps();
    drop(store);
    let mut platter = Platter::new(Image::default(), medium);
    let mut stores = 0;
    for point in 0..=steps.len() {
        let during = steps.get(point);
        let made = inspect(&platter.crash(during, seed))?;
        // The creation was acknowledged after all steps.
        if during.is_none() && !made {
            return Err(Violation::Visible { what: "a store that was made is not there".to_owned() });
        }
        stores += u64::from(made);
        if let Some(step) = during {
            platter.advance(step, seed);
        }
    }
    Ok(Counts::of([("crashes and failures", steps.len() as u64 + 1), ("with a store afterwards", stores)]))
}

/// Fails each disk call in turn, until a creation runs without a failure.
fn fail(first: Fault, seed: &mut Seed) -> Result<Counts, String> {
    let mut counts = Counts::default();
    for after in 0.. {
        let fault = Fault { after, ..first };
        let ended = without_panic("making a store", || fail_once(fault, seed));
        match ended.map_err(|violation| format!("a disk with {fault:?}: {violation}"))? {
            None => break,
            Some(made) => {
                counts +=
                    Counts::of([("crashes and failures", 1), ("with a store afterwards", u64::from(made))]);
            }
        }
    }
    Ok(counts)
}

/// Returns `None` if the disk did not fail, otherwise whether a store exists afterwards.
fn fail_once(fault: Fault, seed: &mut Seed) -> Result<Option<bool>, Violation> {
    let disk = SimDisk::default();
    disk.fail(fault);
    let made = make(&disk);
    let failed = disk.heal() > 0;
    let acknowledged = made.is_ok();
    if let Err(error) = &made
        && !faults::refusal_tells(error, fault.kind)
    {
        return Err(Violation::Visible { what: format!("it is reported as: {error}") });
    }
    let steps = disk.steps();
    drop(made);
    let mut platter = Platter::new(Image::default(), Medium::Tearing);
    for step in &steps {
        platter.advance(step, seed);
    }
    let mut there = false;
    for image in [disk.image(), platter.only_stable(), platter.crash(None, seed)] {
        there = inspect(&image)?;
        if acknowledged && !there {
            return Err(Violation::Visible { what: "a store that was made is not there".to_owned() });
        }
    }
    Ok(failed.then_some(there))
}

/// Returns whether a store exists. If it exists, it must be empty and usable; otherwise the error must report this, and
/// nothing may change.
fn inspect(image: &Image) -> Result<bool, Violation> {
    without_panic("opening what was left", || {
        if image.is_empty() {
            return Ok(false);
        }
        let disk = SimDisk::holding(image.clone());
        let store = match make(&disk) {
            Ok(store) => store.blocking(),
            Err(OpenError::NotOurs { .. } | OpenError::Damaged { .. }) if disk.image() == *image => {
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        };
        let found = Contents::of(&store).map_err(Violation::failed("reading"))?;
        if found != Contents::default() {
            return Err(Violation::Visible { what: "a new store is not empty".to_owned() });
        }
        let table = "Fresh".parse().map_err(Violation::failed("naming"))?;
        store.create_table(&table).map_err(Violation::failed("creating a table"))?;
        store.close().map_err(Violation::failed("closing"))?;
        Ok(true)
    })
}

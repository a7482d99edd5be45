//! Recording and checking of one history.

use std::path::PathBuf;

use table_store::{BlockingStore, MapStorage, MemoryDisk, OpenError, OpenOptions};

use super::{
    Bug, Call, Recording, Verdict,
    client::Habit,
    file, linearize,
    planted::Planted,
    service::{Service, Sound},
    shrink::shrink,
    witness,
};
use crate::reliability::{Seed, Violation, proof::Counts};

/// The kind of history, and its checker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trial {
    /// Number of calls per client if the writes are [timed](Habit::Timed) and [`witness`] checks them; `None` for small
    /// histories, which [`linearize`] checks.
    pub timed: Option<usize>,
    /// A bug between clients and store.
    pub bug: Option<Bug>,
}

/// A history without an explanation, or a call that failed.
#[derive(Debug, thiserror::Error)]
#[error("{reason}\nthis history is in {0}; to judge it again: cargo run -p table-proofs --bin recheck_history {0}",
        file.display())]
pub struct Failure {
    /// The violation.
    pub reason: Why,
    /// The file with the smallest failing part.
    pub file: PathBuf,
}

/// The violation in a history.
#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// A call failed unexpectedly.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// The search found no order.
    #[error("no order explains these {} calls:\n{}", .0.len(), lines(.0))]
    Refuted(Vec<Call>),
    /// The order of the timestamps does not explain the history.
    #[error(transparent)]
    Objection(#[from] witness::Objection),
}

fn lines(calls: &[Call]) -> String {
    let lines = calls.iter().map(|call| {
        let answer = call.reply.as_ref().map(|reply| format!("{}: {:?}", reply.at, reply.answer));
        let answer = answer.unwrap_or_else(|| "no answer".to_owned());
        format!("  client {} at {}: {:?}\n    {answer}", call.client, call.asked, call.ask)
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Trial {
    /// Records a history and checks it. The same seed produces the same calls, but another interleaving each time.
    ///
    /// # Errors
    /// Returns the failure if no order of the calls explains the history.
    pub fn run(&self, seed: u64) -> Result<Counts, Box<Failure>> {
        let mut calls = Vec::new();
        let judged = self.record(seed, &mut calls).and_then(|()| self.judge(&mut calls));
        let unsure = judged.map_err(|reason| Box::new(self.failure(seed, reason, &calls)))?;
        let open = calls.iter().filter(|call| call.reply.is_none());
        Ok(Counts::of([
            ("histories", 1),
            ("calls", calls.len() as u64),
            ("not waited for", open.count() as u64),
            ("histories too long to tell", u64::from(unsure)),
        ]))
    }

    fn record(&self, number: u64, calls: &mut Vec<Call>) -> Result<(), Why> {
        let mut seed = Seed::new(number);
        let recording = match self.timed {
            None => Recording::draw(&mut seed),
            Some(calls) => Recording { calls, habit: Habit::Timed, ..Recording::draw(&mut seed) },
        };
        let store = open(number).map_err(Violation::from)?;
        let sound = Sound::new(&store, recording.tables)?;
        let planted = self.bug.map(|bug| Planted::new(sound.clone(), bug));
        let service: &dyn Service = planted.as_ref().map_or(&sound, |planted| planted);
        *calls = recording.run(service, &seed)?;
        store.close().map_err(Violation::failed("closing"))?;
        Ok(())
    }

    /// Checks the calls, and reduces a refuted history. Returns whether the search was stopped.
    fn judge(&self, calls: &mut Vec<Call>) -> Result<bool, Why> {
        if self.timed.is_some() {
            witness::judge(calls)?;
            return Ok(false);
        }
        match linearize::judge(calls) {
            Verdict::Refuted { .. } => Err(Why::Refuted(shrink(std::mem::take(calls)))),
            verdict => Ok(verdict == Verdict::Unsure),
        }
    }

    /// Stores the history for later analysis.
    fn failure(&self, seed: u64, reason: Why, calls: &[Call]) -> Failure {
        let planted = self.bug.map(|bug| format!("{bug:?}-")).unwrap_or_default();
        let file = file::folder().join(format!("{planted}seed-{seed}.jsonl"));
        let calls = if let Why::Refuted(calls) = &reason { calls } else { calls };
        let file = match file::write(&file, calls) {
            Ok(()) => file,
            Err(error) => PathBuf::from(format!("(it could not be written: {error})")),
        };
        Failure { reason, file }
    }
}

/// Opens a store; every second history uses the second engine.
fn open(number: u64) -> Result<BlockingStore, OpenError> {
    let options = OpenOptions::new().cache_bytes(8 << 20);
    let store = match number % 2 {
        0 => options.open_map(MapStorage::default()),
        _ => options.open_disk(MemoryDisk::new()),
    };
    Ok(store?.blocking())
}

//! Many histories, each judged.

use std::{
    fmt,
    path::PathBuf,
    time::{Duration, Instant},
};

use table_store::embedded::{BlockingStore, MapStorage, MemoryDisk, OpenError, OpenOptions};

use super::{
    Bug, Call, Recording, Verdict,
    client::Habit,
    file, linearize,
    planted::Planted,
    service::{Service, Sound},
    shrink::shrink,
    witness,
};
use crate::{Seed, Violation};

/// A search for a history that should not be.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// The seed of the first history; each further one has the next.
    pub seed: u64,
    /// Most histories.
    pub histories: u64,
    /// Calls of each client where the writes are [timed](Habit::Timed) and the [`witness`] judges; none for small
    /// histories, which [`linearize`] judges.
    pub timed: Option<usize>,
    /// A bug between clients and store.
    pub bug: Option<Bug>,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// The seed of the first history.
    pub seed: u64,
    /// Histories that were explained.
    pub histories: u64,
    /// Calls in them.
    pub calls: u64,
    /// Calls of these that nobody waited for.
    pub given_up: u64,
    /// Histories for which it would have taken too long to tell.
    pub unsure: u64,
    /// Time that recording took.
    pub recording: Duration,
    /// Time that judging took.
    pub judging: Duration,
}

/// A history that nothing explains, or a call that failed.
#[derive(Debug, thiserror::Error)]
#[error("seed {seed}: {why}\nthe history is in {}; judge it again: cargo run -p table-reliability --bin \
         recheck_history {}", file.display(), file.display())]
pub struct Failure {
    /// The seed of the history.
    pub seed: u64,
    /// What is wrong with it.
    pub why: Why,
    /// Where the smallest part of it that fails is kept.
    pub file: PathBuf,
}

/// What is wrong with a history.
#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// A call failed that must not fail.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// The search found no order.
    #[error("no order explains these {} calls:\n{}", .0.len(), lines(.0))]
    Refuted(Vec<Call>),
    /// The order of the timestamps does not explain it.
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

impl Search {
    /// Small histories from a seed on.
    #[must_use]
    pub const fn new(seed: u64, histories: u64) -> Self {
        Self { seed, histories, timed: None, bug: None }
    }

    /// Records and judges until one fails, or `go_on` says that it is enough.
    pub fn run(&self, go_on: &mut dyn FnMut(&Figures) -> bool) -> Result<Figures, Box<Failure>> {
        let mut figures = Figures { seed: self.seed, ..Figures::default() };
        while figures.histories < self.histories && go_on(&figures) {
            let seed = self.seed.wrapping_add(figures.histories);
            let mut calls = Vec::new();
            let judged = self.one(seed, &mut figures, &mut calls);
            judged.map_err(|why| Box::new(self.failure(seed, why, &calls)))?;
            figures.histories += 1;
        }
        Ok(figures)
    }

    fn one(&self, number: u64, figures: &mut Figures, calls: &mut Vec<Call>) -> Result<(), Why> {
        let began = Instant::now();
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
        figures.recording += began.elapsed();
        figures.calls += calls.len() as u64;
        figures.given_up += calls.iter().filter(|call| call.reply.is_none()).count() as u64;
        let began = Instant::now();
        let judged = match self.timed {
            Some(_) => witness::judge(calls).map_err(Why::from),
            None => match linearize::judge(calls) {
                Verdict::Refuted { .. } => Err(Why::Refuted(shrink(std::mem::take(calls)))),
                Verdict::Unsure => {
                    figures.unsure += 1;
                    Ok(())
                }
                Verdict::Linearizable => Ok(()),
            },
        };
        figures.judging += began.elapsed();
        judged
    }

    /// Keeps the history for a later look.
    fn failure(&self, seed: u64, why: Why, calls: &[Call]) -> Failure {
        let planted = self.bug.map(|bug| format!("{bug:?}-")).unwrap_or_default();
        let file = file::folder().join(format!("{planted}seed-{seed}.jsonl"));
        let calls = if let Why::Refuted(calls) = &why { calls } else { calls };
        let file = match file::write(&file, calls) {
            Ok(()) => file,
            Err(error) => PathBuf::from(format!("(it could not be written: {error})")),
        };
        Failure { seed, why, file }
    }
}

/// Every second history is on the second engine.
fn open(number: u64) -> Result<BlockingStore, OpenError> {
    let options = OpenOptions::new().cache_bytes(8 << 20);
    let store = match number % 2 {
        0 => options.open_map(MapStorage::default()),
        _ => options.open_disk(MemoryDisk::new()),
    };
    Ok(store?.blocking())
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, histories, calls, given_up, unsure, recording, judging } = self;
        let took = (*recording + *judging).as_millis().max(1);
        write!(
            f,
            "seeds {seed}.., {histories} histories of {calls} calls ({given_up} not waited for), recorded in {:.1} s and \
             judged in {:.1} s ({}/s): {unsure} unsure, all others explained",
            recording.as_secs_f64(),
            judging.as_secs_f64(),
            u128::from(*histories) * 1_000 / took,
        )
    }
}

//! One run of a program on an intact disk: every disk step, the times of requests and responses, and the expected
//! contents of the store after each request.

use std::time::Duration;

use table_store::{BlockingStore, Durability, LogMode, OpenOptions, Timestamp};

use crate::reliability::{
    Contents, Request, Seed, SimClock, SimDisk, Step, Violation,
    clock::Counting,
    disk::Image,
    flight::{self, Landed},
    model::Model,
    program::{Action, Program},
};

/// A run.
#[derive(Debug)]
pub struct History {
    /// The log of the store.
    pub log: LogMode,
    /// The disk before the first step.
    pub base: Image,
    /// All steps.
    pub steps: Vec<Step>,
    /// The contents of the store after each number of requests.
    contents: Vec<Contents>,
    marks: Vec<Mark>,
}

/// The times of a request and its response, in numbers of disk steps.
#[derive(Clone, Copy, Debug)]
struct Mark {
    asked: usize,
    answered: usize,
    /// The step from which it must survive a crash.
    guaranteed: Option<usize>,
    /// The time in the response.
    time: Option<Timestamp>,
}

/// The allowed contents after a crash.
#[derive(Clone, Copy, Debug)]
pub struct Allowed<'h> {
    /// The allowed contents: after the guaranteed requests, and after each request that was started since.
    pub contents: &'h [Contents],
    /// Number of guaranteed requests.
    pub guaranteed: usize,
    /// Number of started requests.
    pub begun: usize,
    /// The latest assigned time.
    pub latest: Timestamp,
}

impl History {
    /// Runs a program with this number of actions.
    ///
    /// # Errors
    /// Returns a violation if a response does not match the model.
    pub fn record(
        program: &Program,
        durability: Durability,
        log: LogMode,
        actions: usize,
        seed: &mut Seed,
    ) -> Result<Self, Violation> {
        let mut recorder = Recorder::start(program, durability, log)?;
        for _ in 0..actions {
            let action = program.next(seed, recorder.model.contents());
            recorder.act(action)?;
        }
        recorder.finish()
    }

    /// Returns the allowed contents after a crash in the middle of step `point`.
    #[must_use]
    pub fn allowed_at(&self, point: usize) -> Allowed<'_> {
        let holds = |mark: &&Mark| mark.guaranteed.is_some_and(|step| step <= point);
        let guaranteed = self.marks.iter().take_while(holds).count();
        let begun = self.marks.iter().take_while(|mark| mark.asked <= point).count();
        let answered = self.marks.iter().filter(|mark| mark.answered <= point);
        let latest = answered.filter_map(|mark| mark.time).max().unwrap_or(Timestamp::MIN);
        let contents = self.contents.get(guaranteed..=begun).unwrap_or_default();
        Allowed { contents, guaranteed, begun, latest }
    }

    /// Returns the number of requests in the run.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.marks.len()
    }
}

/// A durability that syncs only on request.
pub const RELAXED: Durability = Durability::Relaxed { at_most: Duration::from_secs(3_600) };

/// Returns settings for reproducible runs, with a small log.
#[must_use]
pub fn options(clock: &SimClock, durability: Durability) -> OpenOptions {
    OpenOptions::new()
        .cache_bytes(8 << 20)
        .clock(clock.clone())
        .random(Counting::default())
        .log_mode(LogMode::Inline)
        .durability(durability)
}

struct Recorder {
    disk: SimDisk,
    clock: SimClock,
    options: OpenOptions,
    durability: Durability,
    store: BlockingStore,
    model: Model,
    history: History,
}

impl Recorder {
    fn start(program: &Program, durability: Durability, log: LogMode) -> Result<Self, Violation> {
        let (disk, clock) = (SimDisk::default(), SimClock::default());
        let options = options(&clock, durability).log_mode(log);
        let store = options.open_disk(disk.clone())?.blocking();
        let (mut model, base) = (Model::default(), Request::Create(program.base().clone()));
        for landed in flight::fly(store.store(), &disk, std::slice::from_ref(&base)) {
            model.answered(&base, &landed.answer)?;
        }
        store.flush().map_err(Violation::failed("flushing"))?;
        disk.forget();
        let history = History {
            log,
            base: disk.image(),
            steps: Vec::new(),
            contents: vec![model.contents().clone()],
            marks: Vec::new(),
        };
        Ok(Self { disk, clock, options, durability, store, model, history })
    }

    fn act(&mut self, action: Action) -> Result<(), Violation> {
        match action {
            Action::Ask(requests) if self.durability == Durability::Full => self.ask(&requests),
            // A write that is acknowledged before its sync is not blocked at the disk, so no write can wait behind it.
            Action::Ask(requests) => requests.chunks(1).try_for_each(|request| self.ask(request)),
            Action::Jump(ticks) => {
                self.clock.jump(ticks);
                Ok(())
            }
            Action::Flush => {
                self.store.flush().map_err(Violation::failed("flushing"))?;
                self.all_hold();
                Ok(())
            }
            Action::Reopen(ticks) => {
                self.store.close().map_err(Violation::failed("closing"))?;
                self.all_hold();
                self.clock.jump(ticks);
                self.store = self.options.open_disk(self.disk.clone())?.blocking();
                self.compare()
            }
        }
    }

    fn ask(&mut self, requests: &[Request]) -> Result<(), Violation> {
        let asked = self.disk.steps_done();
        let landed = flight::fly(self.store.store(), &self.disk, requests);
        for (request, Landed { answer, at }) in requests.iter().zip(landed) {
            self.model.answered(request, &answer)?;
            let time = answer.iter().flatten().filter_map(table_store::Written::timestamp).max();
            let guaranteed = (self.durability == Durability::Full).then_some(at);
            self.history.marks.push(Mark { asked, answered: at, guaranteed, time });
            self.history.contents.push(self.model.contents().clone());
        }
        // The store is idle when the next action starts.
        self.store.swept().map_err(Violation::failed("sweeping"))?;
        Ok(())
    }

    /// Marks all requests so far as guaranteed.
    fn all_hold(&mut self) {
        let now = self.disk.steps_done();
        for mark in &mut self.history.marks {
            mark.guaranteed.get_or_insert(now);
        }
    }

    /// Checks that the store has the contents of the model.
    fn compare(&self) -> Result<(), Violation> {
        let found = Contents::of(&self.store).map_err(Violation::failed("reading"))?;
        if found == *self.model.contents() {
            return Ok(());
        }
        Err(Violation::Visible { what: found.difference(self.model.contents()) })
    }

    fn finish(mut self) -> Result<History, Violation> {
        self.compare()?;
        self.store.close().map_err(Violation::failed("closing"))?;
        self.all_hold();
        self.history.steps = self.disk.steps();
        Ok(self.history)
    }
}

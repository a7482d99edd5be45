//! One run: starts the server and the threads, kills the server, and checks the result at the end.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use pollster::block_on;
use table_store::OpenOptions;
use table_tests::seed::Seed;

use crate::{
    durable::{
        hub::{Hub, PARTITIONS},
        journal::{Entries, Journal},
        oracle,
        report::Report,
        starter,
        worker::{Shared, Worker},
    },
    faults::{
        connect::{Failure, Services},
        proxy::{Proxy, Rates},
        serve::connection,
        server::{Program, Server},
    },
};

/// Maximum time until all instances have completed after the faults have stopped. Leases of workers that crashed end
/// after 15 s, and messages become visible again after seconds.
const DRAIN: Duration = Duration::from_secs(120);

/// The configuration of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    pub time: Duration,
    pub workers: usize,
    /// Number of faulty requests per thousand.
    pub faults: usize,
    pub crashes: bool,
    pub two_owners: bool,
    pub program: Program,
    /// Parent of the run's directory. The directory is kept after a violation.
    pub parent: PathBuf,
}

impl Plan {
    /// Executes the run.
    ///
    /// # Errors
    ///
    /// Returns an error if the run cannot be checked.
    pub fn run(&self) -> Result<Report, Failure> {
        fs::create_dir_all(&self.parent)?;
        let folder =
            tempfile::Builder::new().prefix(&format!("seed-{}-", self.seed)).tempdir_in(&self.parent)?;
        let report = self.run_in(folder.path())?;
        if !report.violations.is_empty() && !self.two_owners {
            eprintln!("the files are kept in {}", folder.keep().display());
        }
        Ok(report)
    }

    fn run_in(&self, folder: &Path) -> Result<Report, Failure> {
        let (began, mut seed) = (Instant::now(), Seed::new(self.seed));
        let longest = (self.time / 20).clamp(Duration::from_millis(50), Duration::from_secs(5));
        let rates = Rates { of_a_thousand: self.faults, longest };
        let proxy = Proxy::start(seed.fork(1_000), rates)?;
        let mut server = Some(self.start(folder, &proxy)?);
        let ports = server.as_ref().map_or([0; 3], |server| server.ports);
        Hub::new(Services::connect(&connection(ports), longest)?)?.create()?;

        let shared = Arc::new(self.shared());
        let through = connection(proxy.ports());
        let hub = || Services::connect(&through, Duration::from_millis(200)).and_then(Hub::new);
        let mut threads = Vec::new();
        for number in 0..self.workers {
            let worker = Worker::new(number, hub()?, Arc::clone(&shared), seed.fork(number as u64));
            threads.push(thread::spawn(move || worker.run()));
        }
        let (client, of_client) = (hub()?, Arc::clone(&shared));
        let starting = thread::spawn(move || starter::run(&client, &of_client, 0));

        let mut report = Report { seed: self.seed, ..Report::default() };
        while !self.wait(began, &mut seed, || has_worked(&shared.journal, report.kills)) {
            proxy.lead_to(None);
            server.take().map_or(Ok(()), Server::kill)?;
            report.kills += 1;
            server = Some(self.start(folder, &proxy)?);
        }
        shared.is_ending.store(true, Ordering::Release);
        proxy.calm(longest + Duration::from_secs(1));
        report.requests = proxy.counts();
        starting.join().map_err(|_| "the client panicked")?;

        let ports = server.as_ref().map_or([0; 3], |server| server.ports);
        let direct = Hub::new(Services::connect(&connection(ports), Duration::from_secs(10))?)?;
        let drained = Instant::now();
        let is_drained = drain(&direct, &shared.journal)?;
        report.drained = drained.elapsed().as_secs_f64();
        shared.is_over.store(true, Ordering::Release);
        for thread in threads {
            thread.join().map_err(|_| "a worker panicked")?;
        }
        let entries = shared.journal.entries();
        report.add(&entries);
        if !is_drained {
            report.violations.push(unfinished(&direct, &entries)?);
        }
        report.violations.extend(oracle::judge(&direct, &entries)?);
        drop(entries);
        server.take().map_or(Ok(()), Server::end)?;
        let scrubbed = OpenOptions::new().scrub(folder.join("data/devstoreaccount1.tables"))?;
        if !scrubbed.is_sound() {
            report.violations.push(format!("scrub: {scrubbed:?}"));
        }
        report.seconds = began.elapsed().as_secs_f64();
        Ok(report)
    }

    fn shared(&self) -> Shared {
        let visibility = if self.time < Duration::from_secs(10) { 1 } else { 5 };
        Shared {
            journal: Journal::default(),
            is_ending: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            crashes: self.crashes,
            visibility: Duration::from_secs(visibility),
            two_owners: self.two_owners,
        }
    }

    fn start(&self, folder: &Path, proxy: &Proxy) -> Result<Server, Failure> {
        let store = ["--data".into(), folder.join("data").into()];
        let server = Server::start(&self.program, &store, &folder.join("server.log"))?;
        proxy.lead_to(Some(server.ports));
        Ok(server)
    }

    /// Waits for the next kill. Returns whether the run has ended: on a busy machine, a short run takes longer than its time,
    /// because it must have something to check.
    fn wait(&self, began: Instant, seed: &mut Seed, has_worked: impl Fn() -> bool) -> bool {
        let average = (self.time / 8).clamp(Duration::from_millis(50), Duration::from_secs(2));
        let wait = average.mul_f64(seed.below(1_000) as f64 / 500.0);
        let left = self.time.saturating_sub(began.elapsed());
        thread::sleep(if left.is_zero() { Duration::from_millis(300) } else { wait.min(left) });
        let is_late = began.elapsed() >= self.time + Duration::from_secs(20);
        is_late || (began.elapsed() >= self.time && has_worked())
    }
}

/// Returns whether a run has anything to check.
fn has_worked(journal: &Journal, kills: u64) -> bool {
    let entries = journal.entries();
    kills > 0 && entries.ownerships.len() > PARTITIONS && !entries.completed.is_empty()
}

/// Waits until all instances have completed and all queues are empty. Returns `false` if that takes too long.
fn drain(hub: &Hub, journal: &Journal) -> Result<bool, Failure> {
    let began = Instant::now();
    loop {
        let is_complete = {
            let entries = journal.entries();
            entries.started.is_subset(&entries.completed)
        };
        if is_complete && messages(hub)? == 0 {
            return Ok(true);
        }
        if began.elapsed() > DRAIN {
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Counts the messages of all queues.
fn messages(hub: &Hub) -> Result<u64, Failure> {
    let mut messages = 0;
    for queue in hub.queues() {
        messages += block_on(hub.services.queues.queue_properties(queue))?.approximate_messages;
    }
    Ok(messages)
}

fn unfinished(hub: &Hub, entries: &Entries) -> Result<String, Failure> {
    let open: Vec<&String> = entries.started.difference(&entries.completed).take(5).collect();
    Ok(format!("not finished after {DRAIN:?}: {} messages, instances {open:?}", messages(hub)?))
}

//! One run: starts processes, injects faults, and checks the result at the end.

mod embedded;
mod served;

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use table_tests::seed::Seed;

use crate::faults::{
    children::{Children, Orders, Role},
    client::Only,
    connect::{Failure, Services},
    drain::{self, Drain},
    history::History,
    oracle,
    proxy::Rates,
    report::Report,
    server::Program,
};

/// The location of the store.
#[derive(Clone, Debug)]
pub enum On {
    /// A server, behind a proxy.
    Server(Program),
    /// Two servers on one PostgreSQL database, each behind a proxy.
    Database(Program),
    /// A process that contains all clients.
    Embedded,
}

/// The configuration of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    pub time: Duration,
    pub on: On,
    /// Number of client processes, with two clients each.
    pub clients: usize,
    pub workers: usize,
    /// Number of faulty requests per thousand.
    pub faults: usize,
    pub kills: bool,
    pub skew: Duration,
    pub by_hints: bool,
    pub plant: Option<String>,
    pub only: Only,
    /// Parent of the run's directory. The directory is kept after a violation.
    pub parent: PathBuf,
    pub keep: bool,
}

impl Plan {
    /// Returns the maximum delay of a request.
    fn longest(&self) -> Duration {
        (self.time / 10).clamp(Duration::from_millis(200), Duration::from_secs(8))
    }

    /// Returns the maximum time during which a request is retried.
    fn patience(&self) -> Duration {
        (self.time / 4).clamp(Duration::from_secs(1), Duration::from_secs(30))
    }

    /// Returns the maximum time after which a request can take effect after its client abandoned it or ended.
    fn late(&self) -> Duration {
        match self.on {
            On::Server(_) | On::Database(_) => self.longest() + Duration::from_secs(2),
            // Requests within a process end with it.
            On::Embedded => Duration::ZERO,
        }
    }

    fn rates(&self) -> Rates {
        Rates { of_a_thousand: self.faults, longest: self.longest() }
    }

    /// Returns the average time between two kills.
    fn between_kills(&self) -> Duration {
        (self.time / 6).clamp(Duration::from_millis(250), Duration::from_secs(10))
    }

    fn orders(&self, role: Role, number: usize, folder: &Path, connection: Option<String>) -> Orders {
        let pause = (self.time / 100).clamp(Duration::from_millis(20), Duration::from_millis(500));
        Orders {
            role,
            number,
            life: 0,
            clients: self.clients * crate::faults::children::CLIENTS_EACH,
            workers: self.workers,
            seed: self.seed,
            folder: folder.to_owned(),
            connection,
            late: self.late(),
            patience: self.patience(),
            pause,
            skew: self.skew,
            plant: self.plant.clone(),
            only: self.only,
        }
    }

    /// Executes the run.
    ///
    /// # Errors
    ///
    /// Returns an error if the run cannot be checked.
    pub fn run(&self) -> Result<Report, Failure> {
        let (began, mut seed) = (Instant::now(), Seed::new(self.seed));
        fs::create_dir_all(&self.parent)?;
        let folder =
            tempfile::Builder::new().prefix(&format!("seed-{}-", self.seed)).tempdir_in(&self.parent)?;
        let path = folder.path().to_owned();
        fs::write(path.join("running"), "")?;
        let mut report = Report { seed: self.seed, ..Report::default() };
        let result = match &self.on {
            On::Server(program) | On::Database(program) => self.serve(program, &path, &mut seed, &mut report),
            On::Embedded => self.embed(&path, &mut seed, &mut report),
        };
        let _ = fs::remove_file(path.join("running"));
        if let Err(error) = result {
            report.violations.push(format!("the run cannot be judged: {error}"));
        }
        report.seconds = began.elapsed().as_secs_f64();
        if !report.violations.is_empty() || self.keep {
            let kept = folder.keep();
            report.violations.push(format!("journals and logs are kept in {}", kept.display()));
            if report.violations.len() == 1 {
                report.violations.clear();
            }
        }
        Ok(report)
    }

    /// Waits for the next kill. Returns whether the run has ended.
    fn wait(&self, began: Instant, seed: &mut Seed) -> bool {
        let wait = self.between_kills().mul_f64(seed.below(1_000) as f64 / 500.0);
        let left = self.time.saturating_sub(began.elapsed());
        thread::sleep(wait.min(left));
        began.elapsed() >= self.time
    }

    fn end(&self, folder: &Path, children: Children) -> Result<(), Failure> {
        fs::write(folder.join("over"), "")?;
        children.end(self.patience() + Duration::from_secs(10))?;
        Ok(())
    }

    /// Drains the backlog, and checks the stored data.
    fn judge(&self, services: &Services, folder: &Path, report: &mut Report) -> Result<(), Failure> {
        let history = History::read(folder, self.late(), self.patience())?;
        report.add_history(&history);
        let most = if self.by_hints { Duration::from_secs(900) } else { Duration::from_secs(60) };
        match (Drain { by_hints: self.by_hints, most }).run(services) {
            Ok(took) => report.drained_in_seconds = took.as_secs_f64(),
            Err(error) => report.violations.push(error.to_string()),
        }
        let before = oracle::judge(&drain::read(services)?, &history);
        report.leftovers = before.leftovers.clone();
        report.add_found(&before);
        if let Err(error) = drain::clean(services) {
            report.violations.push(format!("the last sweep failed: {error}"));
        }
        let after = oracle::judge(&drain::read(services)?, &history);
        report.leftovers_after_a_sweep = after.leftovers.clone();
        let known = report.violations.clone();
        let new = after.violations.into_iter().filter(|violation| !known.contains(violation));
        report.violations.extend(new.map(|violation| format!("after a sweep: {violation}")));
        for (kind, count) in &report.leftovers_after_a_sweep {
            if kind != "step record" {
                report.violations.push(format!("{count} left over after a sweep: {kind}"));
            }
        }
        match drain::typed(services) {
            Ok(wrong) => report.violations.extend(wrong),
            Err(error) => report.violations.push(format!("typed reads failed: {error}")),
        }
        Ok(())
    }
}

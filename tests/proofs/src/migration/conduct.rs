//! A run: fill the file, kill and restart the process, compare the file with the journals.

use std::{
    env, fmt, fs,
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use pollster::block_on;
use table_patterns::Tables;
use table_store::OpenOptions;
use table_tests::seed::Seed;

use crate::{
    faults::connect::Failure,
    migration::{
        clock::Fast,
        design::{NotedOrder, OldOrder, Order, SHARED},
        oracle::{self, Verdict},
        plan::{Plan, SHARED_COUNT},
        process::Orders,
        rates::Rates,
    },
};

/// Number of entities that are inserted by one bulk.
const FILL: usize = 10_000;
/// Maximum time between the start of the process and a kill that hits its start.
const START: usize = 300;

/// Result of a run.
#[derive(Debug)]
pub struct Report {
    pub kills: u32,
    /// Time from the first start of the process to its end.
    pub time: Duration,
    pub rates: Rates,
    pub verdict: Verdict,
}

/// The end of a life of the process.
enum End {
    Killed,
    Done,
}

impl Plan {
    /// Runs the plan.
    ///
    /// # Errors
    ///
    /// Returns an error if the run could not be completed.
    pub fn run(&self) -> Result<Report, Failure> {
        drop(fs::remove_dir_all(&self.folder));
        fs::create_dir_all(&self.folder)?;
        let clock = Fast::new(self.speed);
        self.fill(clock)?;
        let began = Instant::now();
        let (mut seed, mut rates, mut kills) = (Seed::new(self.seed), Rates::default(), 0);
        let mut orders = Orders { plan: self.clone(), clock, life: 0 };
        let mut state = "off".to_owned();
        loop {
            let kill = (kills < self.kills).then(|| self.moment(&mut seed));
            match orders.live(kill, &mut state, &mut rates)? {
                End::Done => break,
                End::Killed => kills += 1,
            }
            orders.life += 1;
        }
        if kills < self.kills {
            return Err(format!("the move ended after {kills} kills: use more entities").into());
        }
        let time = began.elapsed();
        Ok(Report { kills, time, rates, verdict: oracle::judge(self)? })
    }

    /// Inserts the entities.
    fn fill(&self, clock: Fast) -> Result<(), Failure> {
        let store = OpenOptions::new().clock(clock).open(self.file())?;
        let tables = Tables::new(store.clone());
        let all: Vec<u32> =
            (0..self.entities).chain((0..SHARED_COUNT).map(|number| SHARED + number)).collect();
        for numbers in all.chunks(FILL) {
            let orders: Vec<NotedOrder> = numbers.iter().map(|number| NotedOrder::first(*number)).collect();
            block_on(tables.bulk().insert_all(&orders).run())?.into_result()?;
        }
        block_on(tables.register::<OldOrder>())?;
        block_on(tables.register::<Order>())?;
        drop(tables);
        Ok(block_on(store.close())?)
    }

    /// Returns a random moment: a number of steps of the move, and a time after it.
    fn moment(&self, seed: &mut Seed) -> (usize, Duration) {
        if seed.chance(1, 8) {
            return (0, Duration::from_millis(seed.below(START) as u64));
        }
        // Three passes over all entities: move, search, delete the markers.
        let steps = 3 * (self.entities / self.page) as usize;
        let mean = steps * 8 / 10 / (self.kills.max(1) as usize);
        (1 + seed.below(2 * mean.max(1)), Duration::from_micros(seed.below(20_000) as u64))
    }
}

impl Orders {
    /// Starts the process, and reads its lines until it is killed or done.
    fn live(
        &self,
        kill: Option<(usize, Duration)>,
        state: &mut String,
        rates: &mut Rates,
    ) -> Result<End, Failure> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("process").arg(serde_json::to_string(self)?).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut lines = BufReader::new(child.stdout.take().ok_or("the process has no output")?).lines();
        let (mut steps, mut passes, mut is_done) = (0, false, false);
        loop {
            if let Some((after, rest)) = kill
                && steps >= after
            {
                thread::sleep(rest);
                child.kill()?;
                child.wait()?;
                return Ok(End::Killed);
            }
            let Some(line) = lines.next() else { break };
            let line = line?;
            let mut words = line.split(' ');
            match (words.next(), words.next(), words.next()) {
                (Some(word @ ("rows" | "wait")), ..) => {
                    steps += 1;
                    passes = word == "rows";
                }
                (Some("state"), Some(new), _) => new.clone_into(state),
                (Some("calls"), Some(calls), Some(micros)) => {
                    let waiting =
                        if passes || matches!(state.as_str(), "off" | "end") { "" } else { ", waiting" };
                    let time = Duration::from_micros(micros.parse()?);
                    rates.add(&format!("{state}{waiting}"), calls.parse()?, time);
                }
                (Some("done"), ..) => is_done = true,
                _ => {}
            }
        }
        let status = child.wait()?;
        if is_done && status.success() {
            Ok(End::Done)
        } else {
            Err(format!("the process ended: {status}").into())
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} kills in {:.0} s; {}", self.kills, self.time.as_secs_f64(), self.verdict)?;
        write!(f, "{}", self.rates)
    }
}

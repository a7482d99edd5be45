//! The process that is killed: the store, the writers and the move.

use std::{
    io::{self, Write as _},
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use pollster::block_on;
use serde::{Deserialize, Serialize};
use table_patterns::{MigrationStep, MoveState, Tables};
use table_store::{OpenOptions, TableService};

use crate::{
    faults::{connect::Failure, plant::Planted},
    migration::{
        clock::Fast,
        design::Order,
        plan::Plan,
        writer::{Signals, Writer},
    },
};

/// Time between two reports.
const REPORT: Duration = Duration::from_millis(200);

/// The orders of the process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Orders {
    pub plan: Plan,
    pub clock: Fast,
    /// Number of earlier starts.
    pub life: u64,
}

/// Prints a line. Ends the process if its parent has ended.
fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(4);
    }
}

impl Orders {
    /// Runs the writers and the move until the move ends.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be opened, or the move fails.
    pub fn follow(&self) -> Result<(), Failure> {
        let Self { plan, clock, life } = self;
        let store = OpenOptions::new().clock(*clock).open(plan.file())?;
        let service: Arc<dyn TableService> = match plan.planted() {
            None => Arc::new(store.clone()),
            Some(plant) => Arc::new(Planted::new(Arc::new(store.clone()), plant)),
        };
        let tables = Tables::from_services(service, None, None).with_registry_by(Arc::new(clock.elapsed()));
        let signals = Signals::default();
        let writers: Vec<Writer> =
            (0..plan.writers).map(|number| Writer::new(plan, number, *life)).collect::<Result<_, _>>()?;
        say("open");
        thread::scope(|scope| {
            for writer in writers {
                scope.spawn(|| writer.run(&tables, &signals));
            }
            scope.spawn(|| report(&signals));
            let moved = self.migrate(&tables);
            signals.stop.store(true, Ordering::Relaxed);
            moved
        })?;
        let report = block_on(tables.verify::<Order>().run())?;
        if !report.is_clean() {
            return Err(format!("verify: {report}").into());
        }
        drop(tables);
        block_on(store.close())?;
        say("done");
        Ok(())
    }

    /// Runs the move to its end.
    fn migrate(&self, tables: &Tables) -> Result<(), Failure> {
        let Self { plan, clock, life } = self;
        let mut migration = tables.migration::<Order>().page_size(plan.page);
        if let Some(rate) = plan.max_rate {
            migration = migration.max_rows_per_second(rate);
        }
        let state = block_on(migration.status())?.map_or(MoveState::Off, |status| status.state);
        say(&format!("state {state}"));
        if *life == 0 {
            thread::sleep(plan.before);
        }
        loop {
            match block_on(migration.step_to(MoveState::Gone))? {
                MigrationStep::Rows(_) => say("rows"),
                MigrationStep::Wait(rest) => {
                    say("wait");
                    thread::sleep(clock.real(rest).min(REPORT));
                }
                MigrationStep::Advanced(state) => say(&format!("state {state}")),
                MigrationStep::Done => break,
                MigrationStep::Stuck(stuck) => return Err(format!("entities are stuck: {stuck:?}").into()),
                _ => {}
            }
        }
        say("state end");
        thread::sleep(plan.before);
        Ok(())
    }
}

/// Prints the number of calls of the writers until they stop.
fn report(signals: &Signals) {
    let (mut before, mut began) = (0, Instant::now());
    while !signals.stop.load(Ordering::Relaxed) {
        thread::sleep(REPORT);
        let (calls, now) = (signals.calls.load(Ordering::Relaxed), Instant::now());
        say(&format!("calls {} {}", calls - before, (now - began).as_micros()));
        (before, began) = (calls, now);
    }
}

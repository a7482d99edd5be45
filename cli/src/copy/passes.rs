//! The passes of a copy: one, or many that follow the changes of the source.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use table_exchange::copy::{TableCopied, TableCopy};
use table_store::{TableName, Timestamp};

use super::{Arguments, report::Report};
use crate::{
    error::CommandError,
    location::{Location, list_tables},
    progress::Progress,
    signals::Signals,
    text::counted,
};

/// Time by which the clocks of a service can differ from each other: rows that were written this long before the newest row
/// of an earlier pass are read again.
const SKEW: Duration = Duration::from_secs(60);
/// Time by which the clock of a service can differ from that of this machine; signed requests allow no more.
const FOREIGN_SKEW: Duration = Duration::from_secs(15 * 60);
/// Minimum pause between two passes.
const PAUSE: Duration = Duration::from_secs(1);

/// All passes of a command.
pub(super) struct Passes<'c> {
    arguments: &'c Arguments,
    from: &'c Location,
    to: &'c Location,
    progress: &'c Progress,
    signals: Signals,
    report: Report,
    /// What the passes so far have read, by table.
    read: HashMap<TableName, Seen>,
    /// Start of the previous pass.
    previous: Option<Timestamp>,
}

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Complete,
    /// Ended by a signal.
    Interrupted,
}

/// Timestamps of the rows that were read of a table.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The newest up to the pass before the previous one.
    earlier: Option<Timestamp>,
    newest: Option<Timestamp>,
}

/// The kind of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Compares all rows.
    All,
    /// Transfers the rows that were written since the pass before the previous one.
    Recent,
}

impl<'c> Passes<'c> {
    pub(super) fn new(
        arguments: &'c Arguments,
        from: &'c Location,
        to: &'c Location,
        progress: &'c Progress,
        signals: Signals,
    ) -> Self {
        let (report, read) = (Report::default(), HashMap::new());
        Self { arguments, from, to, progress, signals, report, read, previous: None }
    }

    /// Returns the result of the last pass.
    pub(super) fn into_report(self) -> Report {
        self.report
    }

    /// Runs one pass; with `--follow`, passes until a signal, and then until all rows are equal.
    pub(super) async fn run(&mut self) -> Result<End, CommandError> {
        let (mut kind, mut is_last, mut number) = (Kind::All, !self.arguments.follow, 0_u64);
        loop {
            number += 1;
            let begun = Instant::now();
            let mut was_last = is_last;
            if self.pass(kind, &mut is_last).await? == End::Interrupted {
                return Ok(End::Interrupted);
            }
            if !self.arguments.follow {
                return Ok(End::Complete);
            }
            let (changed, lasted) = (self.report.resolved(), begun.elapsed());
            self.progress.note(format_args!(
                "pass {number}: {} of {} read, in {:.1} s",
                counted(changed, "change"),
                counted(self.report.read(), "row"),
                lasted.as_secs_f64()
            ));
            was_last &= kind == Kind::All;
            if was_last && changed == 0 {
                return Ok(End::Complete);
            }
            if !is_last {
                tokio::select! {
                    () = tokio::time::sleep(lasted.max(PAUSE)) => {}
                    () = self.signals.ended() => is_last = true,
                }
            }
            kind = if is_last { Kind::All } else { Kind::Recent };
        }
    }

    /// Runs a pass over all tables. A signal makes it the last one but for a complete comparison; in the last pass, it ends
    /// the command.
    async fn pass(&mut self, kind: Kind, is_last: &mut bool) -> Result<End, CommandError> {
        let (start, previous) = (Timestamp::now(), self.previous);
        let names = match self.arguments.tables.as_slice() {
            [] => list_tables(&*self.from.tables).await?,
            names => names.to_vec(),
        };
        self.report = Report::default();
        let mut done = 0;
        for name in &names {
            done += 1;
            let prefix = format!("table {done} of {}, {name}: ", names.len());
            let seen = self.read.get(name).copied().unwrap_or_default();
            let since = match kind {
                Kind::All => None,
                Kind::Recent => seen.since(previous),
            };
            let work = copy_table(self.arguments, (self.from, self.to), name, since, self.progress, &prefix);
            tokio::pin!(work);
            let copied = loop {
                tokio::select! {
                    copied = &mut work => break copied?,
                    () = self.signals.ended() => {
                        if *is_last {
                            return Ok(End::Interrupted);
                        }
                        *is_last = true;
                        self.progress.note("comparing all rows at the end; interrupt again to stop immediately");
                    }
                }
            };
            let newest = seen.newest.max(copied.newest);
            self.read.insert(name.clone(), Seen { earlier: seen.newest, newest });
            self.report.tables.push((name.clone(), copied));
        }
        self.previous = Some(start);
        Ok(End::Complete)
    }
}

impl Seen {
    /// Returns a time before all writes since the previous pass started. `None` if it is unknown.
    fn since(self, previous: Option<Timestamp>) -> Option<Timestamp> {
        // Rows that were read before the previous pass are older than those that were written since.
        let by_service = self.earlier.map(|newest| newest.saturating_sub(SKEW));
        let by_clock = previous.map(|start| start.saturating_sub(FOREIGN_SKEW));
        by_service.max(by_clock)
    }
}

async fn copy_table(
    arguments: &Arguments,
    (from, to): (&Location, &Location),
    name: &TableName,
    since: Option<Timestamp>,
    progress: &Progress,
    prefix: &str,
) -> Result<TableCopied, CommandError> {
    let copy = TableCopy::new(&*from.tables, &*to.tables, name)
        .comparing(arguments.compare)
        .deleting_extra(arguments.delete_extra);
    let (begun, mut shown) = (Instant::now(), 0);
    let told = async |so_far: &TableCopied| {
        if so_far.read != shown {
            shown = so_far.read;
            let rate = shown / begun.elapsed().as_secs().max(1);
            progress.say(format!("{prefix}{shown} rows, {rate}/s"));
        }
        // File reads run inline in the poll; yielding lets a signal be handled.
        tokio::task::yield_now().await;
    };
    Ok(match since {
        Some(since) => copy.run_since(since, told).await?,
        None => copy.run(told).await?,
    })
}

//! The passes of a copy: one, or many that follow the changes of the source.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use table_exchange::copy::{BlobCopy, Copied, Difference, DifferenceKind, QueueCopy, Subject, TableCopy};
use table_store::{
    ErrorCode::{self, ContainerNotFound, QueueNotFound, TableNotFound},
    TableError, TableName, Timestamp,
    blob::{ContainerProperties, ListContainers},
    queue::{ListQueues, QueueName},
};

use super::{
    Arguments, Part as Service,
    report::{Part, PartKind, Report},
};
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
    /// What the passes so far have read, by kind and name of the part.
    read: HashMap<String, Seen>,
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
                "pass {number}: {}, {} read, in {:.1} s",
                counted(changed, "change"),
                counted(self.report.read(), "element"),
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

    /// Runs a pass over all parts. A signal makes it the last one but for a complete comparison; in the last pass, it ends
    /// the command.
    async fn pass(&mut self, kind: Kind, is_last: &mut bool) -> Result<End, CommandError> {
        let (start, previous) = (Timestamp::now(), self.previous);
        let parts = parts(self.arguments, self.from).await?;
        self.report = Report::default();
        for (number, part) in (1..).zip(&parts) {
            let (kind_of_part, name) = part.name();
            let key = format!("{}/{name}", kind_of_part.words().0);
            let seen = self.read.get(&key).copied().unwrap_or_default();
            let since = match kind {
                Kind::All => None,
                Kind::Recent => seen.since(previous),
            };
            let job = Job {
                arguments: self.arguments,
                from: self.from,
                to: self.to,
                progress: self.progress,
                prefix: format!("{number} of {}, {} {name}: ", parts.len(), kind_of_part.words().0),
                begun: Instant::now(),
            };
            let work = job.run(part, since, *is_last && kind == Kind::All);
            tokio::pin!(work);
            let copied = loop {
                tokio::select! {
                    copied = &mut work => break copied?,
                    () = self.signals.ended() => {
                        if *is_last {
                            return Ok(End::Interrupted);
                        }
                        *is_last = true;
                        self.progress.note("comparing everything at the end; interrupt again to stop immediately");
                    }
                }
            };
            let newest = seen.newest.max(copied.newest);
            self.read.insert(key, Seen { earlier: seen.newest, newest });
            self.report.parts.push(Part { kind: kind_of_part, name, copied });
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

/// A part of the source.
enum Source {
    Table(TableName),
    Container(ContainerProperties),
    Queue(QueueName),
}

impl Source {
    fn name(&self) -> (PartKind, String) {
        match self {
            Self::Table(name) => (PartKind::Table, name.as_str().to_owned()),
            Self::Container(container) => (PartKind::Container, container.name.as_str().to_owned()),
            Self::Queue(name) => (PartKind::Queue, name.as_str().to_owned()),
        }
    }
}

/// Lists what is copied. Messages are moved last: their receivers can need rows and blobs.
async fn parts(arguments: &Arguments, from: &Location) -> Result<Vec<Source>, CommandError> {
    let mut parts = Vec::new();
    if !arguments.tables.is_empty() {
        parts.extend(arguments.tables.iter().cloned().map(Source::Table));
    } else if arguments.has(Service::Tables) {
        parts.extend(list_tables(&*from.tables).await?.into_iter().map(Source::Table));
    }
    if let Some(blobs) = from.blobs.as_deref().filter(|_| arguments.has(Service::Blobs)) {
        let mut request = ListContainers::new();
        loop {
            let segment = blobs.list_containers(request).await?;
            parts.extend(segment.containers.into_iter().map(Source::Container));
            let Some(marker) = segment.next_marker else { break };
            request = ListContainers::new().marker(marker);
        }
    }
    if let Some(queues) = from.queues.as_deref().filter(|_| arguments.has(Service::Queues)) {
        let mut request = ListQueues::new();
        loop {
            let segment = queues.list_queues(request).await?;
            parts.extend(segment.queues.into_iter().map(|queue| Source::Queue(queue.name)));
            let Some(marker) = segment.next_marker else { break };
            request = ListQueues::new().marker(marker);
        }
    }
    Ok(parts)
}

/// The copy of one part.
struct Job<'c> {
    arguments: &'c Arguments,
    from: &'c Location,
    to: &'c Location,
    progress: &'c Progress,
    prefix: String,
    begun: Instant,
}

impl Job<'_> {
    /// Copies a part, or what was written to it since a time. `is_end` is set when the writers have ended.
    async fn run(
        &self,
        part: &Source,
        since: Option<Timestamp>,
        is_end: bool,
    ) -> Result<Copied, CommandError> {
        let mut shown = 0;
        let told = async |so_far: &Copied| {
            if so_far.read != shown {
                shown = so_far.read;
                let rate = shown / self.begun.elapsed().as_secs().max(1);
                self.progress.say(format!("{}{shown}, {rate}/s", self.prefix));
            }
            // File reads run inline in the poll; yielding lets a signal be handled.
            tokio::task::yield_now().await;
        };
        match self.copy(part, since, is_end, told).await {
            // It was in the list of the source. The next pass sees whether it was created again.
            Err(error)
                if self.arguments.tables.is_empty()
                    && matches!(error.code(), TableNotFound | ContainerNotFound | QueueNotFound) =>
            {
                self.progress.note(format_args!("{}deleted while it was copied", self.prefix));
                Ok(Copied::default())
            }
            copied => Ok(copied?),
        }
    }

    async fn copy(
        &self,
        part: &Source,
        since: Option<Timestamp>,
        is_end: bool,
        told: impl AsyncFnMut(&Copied),
    ) -> Result<Copied, TableError> {
        let Arguments { compare, delete_extra, move_messages, .. } = *self.arguments;
        match part {
            Source::Table(name) => {
                let copy = TableCopy::new(&*self.from.tables, &*self.to.tables, name);
                let copy = copy.comparing(compare).deleting_extra(delete_extra);
                match since {
                    Some(since) => copy.run_since(since, told).await,
                    None => copy.run(told).await,
                }
            }
            Source::Container(container) => {
                let (Some(from), Some(to)) = (&self.from.blobs, &self.to.blobs) else {
                    return Ok(unsupported(Subject::Container(container.name.clone())));
                };
                let copy = BlobCopy::new(&**from, &**to).comparing(compare).deleting_extra(delete_extra);
                copy.since(since).run(container, told).await
            }
            Source::Queue(name) => {
                let (Some(from), Some(to)) = (&self.from.queues, &self.to.queues) else {
                    return Ok(unsupported(Subject::Queue(name.clone())));
                };
                let copy = QueueCopy::new(&**from, &**to).comparing(compare);
                copy.moving_messages(move_messages && is_end).run(name).await
            }
        }
    }
}

/// Returns the result for a part of a service that the target does not have.
fn unsupported(subject: Subject) -> Copied {
    Copied::missing(Difference {
        kind: DifferenceKind::Missing,
        subject,
        rejected: Some(ErrorCode::NotImplemented.into()),
    })
}

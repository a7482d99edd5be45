//! Workers, which run tasks and apply commit records.

mod handler;
mod report;
mod thread;
mod turn;

pub use report::WorkReport;
pub use thread::WorkerThread;

use std::{
    fmt,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use crate::{Error, Pending, Run, RunWith, TableEntity, Tables, Task, core::error::may_pass, handle::queue};
use futures_timer::Delay;
use futures_util::{StreamExt, future, stream};
use handler::{Handler, Lane};
use table_model::{
    ErrorCode,
    queue::{GetMessages, limits},
};

/// Number of messages of a queue that are processed concurrently.
const AT_ONCE: u32 = 8;
/// First delay of an idle worker. Each subsequent delay is twice the previous one.
const FIRST_WAIT: Duration = Duration::from_millis(10);

/// Runs tasks, and applies commit records with rows in other partitions. Any number of workers, in any number of
/// processes, can share the same queues.
///
/// A message is invisible to other workers while it is processed, and its visibility timeout is renewed at half time.
/// If the worker dies, the message becomes visible again. See [`Tables::worker`].
///
/// `S` is the state that [`with`](Worker::with) provides to the tasks added after it.
pub struct Worker<S = ()> {
    tables: Tables,
    lanes: Vec<Lane>,
    visibility: Duration,
    idle: Duration,
    state: Arc<S>,
}

impl<S> Clone for Worker<S> {
    fn clone(&self) -> Self {
        let Self { tables, lanes, visibility, idle, state } = self;
        let (tables, lanes, state) = (tables.clone(), lanes.clone(), Arc::clone(state));
        Self { tables, lanes, visibility: *visibility, idle: *idle, state }
    }
}

impl<S> fmt::Debug for Worker<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("tables", &self.tables)
            .field("lanes", &self.lanes)
            .finish_non_exhaustive()
    }
}

impl Tables {
    /// Returns a worker of this handle. The worker applies the commit records of the entity types that are registered
    /// with the handle ([`register_entity`](Self::register_entity)), and runs the task types that are added with
    /// [`Worker::on`]. Commit records of other types are counted in [`WorkReport::commits`], with their reasons, and
    /// logged as `tracing` warnings.
    ///
    /// ```
    /// use serde::{Deserialize, Serialize};
    /// use table_patterns::prelude::*;
    ///
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Greetings", partition = "{name}", row = "greeting")]
    /// struct Greeting { name: String }
    ///
    /// #[derive(Task, Serialize, Deserialize)]
    /// #[task(queue = "greetings")]
    /// struct Greet { name: String }
    ///
    /// impl Run for Greet {
    ///     async fn run(&self, tables: &Tables) -> Result<Outcome> {
    ///         // Safe to repeat.
    ///         tables.upsert(&Greeting { name: self.name.clone() }).await?;
    ///         Ok(Outcome::Done)
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?;
    /// tables.send(&Greet { name: "Jo".into() }).await?;
    ///
    /// let worker = tables.worker().on::<Greet>();
    /// assert_eq!(worker.pass().await?.done, 1);
    /// assert!(Greeting::point("Jo").get(&tables).await?.is_some());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn worker(&self) -> Worker {
        let visibility = limits::DEFAULT_VISIBILITY;
        let (tables, idle) = (self.clone(), Duration::from_secs(1));
        Worker { tables, lanes: Vec::new(), visibility, idle, state: Arc::new(()) }
    }
}

impl<S: Send + Sync + 'static> Worker<S> {
    /// Adds a task type. Tasks of other types in the same queue are left to other workers for a limited time.
    #[must_use]
    pub fn on<T: Run>(self) -> Self {
        self.learn::<T>(Handler::of::<T>())
    }

    /// Provides a state of the program to the tasks that are added after it with [`on_with`](Self::on_with): a mail client,
    /// a search index, a handle on another account. Tasks that were added before keep their state, so one worker can have
    /// several states.
    ///
    /// All runs share the state, concurrently. A task whose state is missing does not compile.
    ///
    /// ```
    /// # use std::sync::Mutex;
    /// use serde::{Deserialize, Serialize};
    /// use table_patterns::prelude::*;
    ///
    /// /// A client of a mail service.
    /// #[derive(Default)]
    /// struct Mailer { /* .. */
    /// #   sent: Mutex<Vec<String>>,
    /// }
    /// # impl Mailer {
    /// #     async fn deliver(&self, to: &str, _id: &str) -> Result<()> {
    /// #         self.sent.lock().expect("no panic").push(to.to_owned());
    /// #         Ok(())
    /// #     }
    /// # }
    ///
    /// #[derive(Task, Serialize, Deserialize)]
    /// #[task(queue = "letters")]
    /// struct Letter { to: String }
    ///
    /// impl RunWith<Mailer> for Letter {
    ///     async fn run_with(&self, tables: &Tables, mailer: &Mailer) -> Result<Outcome> {
    ///         // The id is the same in every run, so that the mail service can detect repetitions.
    ///         mailer.deliver(&self.to, tables.task_id().unwrap_or_default()).await?;
    ///         Ok(Outcome::Done)
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?;
    /// tables.send(&Letter { to: "jo@contoso.com".into() }).await?;
    ///
    /// let worker = tables.worker().with(Mailer::default()).on_with::<Letter>();
    /// assert_eq!(worker.pass().await?.done, 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    #[must_use]
    pub fn with<N: Send + Sync + 'static>(self, state: N) -> Worker<N> {
        let Self { tables, lanes, visibility, idle, .. } = self;
        Worker { tables, lanes, visibility, idle, state: Arc::new(state) }
    }

    /// Adds a task type that runs with the state of this worker: see [`with`](Self::with).
    #[must_use]
    pub fn on_with<T: RunWith<S>>(self) -> Self {
        let handler = Handler::with::<S, T>(Arc::clone(&self.state));
        self.learn::<T>(handler)
    }

    fn learn<T: Task>(mut self, handler: Handler) -> Self {
        match self.lanes.iter_mut().find(|lane| lane.queue == T::QUEUE) {
            Some(lane) => lane.learn(handler),
            None => self.lanes.push(Lane::of(T::QUEUE, handler)),
        }
        self
    }

    /// Registers an entity type, so that the worker applies its commit records and keeps its rows in other partitions
    /// up to date. Types that are registered with the worker's handle, before or after the worker was created, do not
    /// need to be registered again.
    #[must_use]
    pub fn register_entity<E: TableEntity>(self) -> Self {
        self.tables.register_entity::<E>();
        self
    }

    /// Sets the visibility timeout: the duration for which a message is invisible to other workers, unless it is
    /// renewed. The default is 30 s. The value is rounded up to whole seconds and clamped to 1 s to 7 days. After this
    /// time, another worker resumes the work of a worker that died.
    #[must_use]
    pub fn visibility(mut self, visibility: Duration) -> Self {
        self.visibility = turn::whole_seconds(visibility).clamp(Duration::from_secs(1), limits::VISIBILITY);
        self
    }

    /// Sets the maximum delay before an idle worker polls again. The default is 1 s.
    #[must_use]
    pub const fn idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Processes all messages that are visible now, then applies the pending commit records. The pass ends even if
    /// other clients keep sending messages.
    ///
    /// A failed task is not an error of the pass; the report counts it.
    ///
    /// # Errors
    /// Returns the first failure of the queues or tables themselves. The remaining work of the pass is done before the
    /// error is returned.
    pub fn pass(&self) -> Pending<'_, WorkReport> {
        Box::pin(async move {
            let (mut worked, mut failure) = (WorkReport::default(), None);
            for lane in &self.lanes {
                if let Err(error) = self.drain(lane, &mut worked, &mut failure).await {
                    failure.get_or_insert(error);
                }
            }
            self.follow(&mut worked, &mut failure).await;
            failure.map_or(Ok(worked), Err)
        })
    }

    /// Runs until `stop` is ready, then finishes the current work. Transient failures, such as a busy service, are
    /// retried.
    ///
    /// # Errors
    /// Returns the first failure of the queues or tables that is not transient.
    pub fn run_until<'w>(&'w self, stop: impl Future<Output = ()> + Send + 'w) -> Pending<'w, WorkReport> {
        Box::pin(async move {
            let (mut stop, mut worked, mut wait) = (pin!(stop), WorkReport::default(), FIRST_WAIT);
            while !is_ready(stop.as_mut()).await {
                let before = worked.moves();
                match self.round(&mut worked, stop.as_mut()).await {
                    Ok(true) => break,
                    Ok(false) if worked.moves() != before => {
                        wait = FIRST_WAIT;
                        continue;
                    }
                    Err(error) if !may_pass(&error) => return Err(error),
                    Ok(false) | Err(_) => {}
                }
                if let future::Either::Left(_) = future::select(stop.as_mut(), Delay::new(wait)).await {
                    break;
                }
                wait = wait.saturating_mul(2).min(self.idle);
            }
            Ok(worked)
        })
    }

    /// Processes the number of messages that the queue contains at the time of the call.
    async fn drain(
        &self,
        lane: &Lane,
        worked: &mut WorkReport,
        failure: &mut Option<Error>,
    ) -> Result<(), Error> {
        let mut left = self.waiting(lane).await?;
        while left > 0 {
            let most = u32::try_from(left).unwrap_or(AT_ONCE).min(AT_ONCE);
            match self.batch(lane, most, worked, failure).await? {
                0 => break,
                got => left = left.saturating_sub(got),
            }
        }
        Ok(())
    }

    /// Processes one batch of each queue, then the commit records. Returns whether the worker was stopped.
    async fn round<F: Future<Output = ()>>(
        &self,
        worked: &mut WorkReport,
        mut stop: Pin<&mut F>,
    ) -> Result<bool, Error> {
        let mut failure = None;
        for lane in &self.lanes {
            if let Err(error) = self.batch(lane, AT_ONCE, worked, &mut failure).await {
                failure.get_or_insert(error);
            }
            if is_ready(stop.as_mut()).await {
                return Ok(true);
            }
        }
        self.follow(worked, &mut failure).await;
        failure.map_or(Ok(false), Err)
    }

    /// Returns the approximate number of messages in a queue.
    async fn waiting(&self, lane: &Lane) -> Result<u64, Error> {
        match self.tables.queues()?.queue_properties(&queue::queue(lane.queue)?).await {
            Err(error) if error.code() == ErrorCode::QueueNotFound => Ok(0),
            other => Ok(other?.approximate_messages),
        }
    }

    /// Processes a batch of messages concurrently. Returns the number of messages.
    async fn batch(
        &self,
        lane: &Lane,
        most: u32,
        worked: &mut WorkReport,
        failure: &mut Option<Error>,
    ) -> Result<u64, Error> {
        let queue = queue::queue(lane.queue)?;
        let get = GetMessages::new().count(most).visibility(self.visibility);
        let messages = match self.tables.queues()?.get_messages(&queue, get).await {
            Err(error) if error.code() == ErrorCode::QueueNotFound => return Ok(0),
            other => other?,
        };
        let turns: Vec<Pending<'_, _>> =
            messages.into_iter().map(|message| self.turn(lane, &queue, message)).collect();
        let got = turns.len() as u64;
        let mut ends = stream::iter(turns).buffer_unordered(limits::MESSAGES as usize);
        while let Some(end) = ends.next().await {
            match end {
                Ok(end) => worked.count(end),
                Err(error) => drop(failure.get_or_insert(error)),
            }
        }
        Ok(got)
    }

    async fn follow(&self, worked: &mut WorkReport, failure: &mut Option<Error>) {
        // Also without a registered entity type: then the pending commits are reported instead of silently left.
        match self.tables.catch_up().await {
            Ok(pass) => worked.add(pass),
            Err(error) => drop(failure.get_or_insert(error)),
        }
    }
}

async fn is_ready<S: Future<Output = ()>>(mut stop: Pin<&mut S>) -> bool {
    poll_fn(|context| Poll::Ready(stop.as_mut().poll(context).is_ready())).await
}

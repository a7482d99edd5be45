//! What does the work that tasks and commit records promise.

mod handler;
mod report;
mod thread;
mod turn;

pub use report::Worked;
pub use thread::WorkerThread;
pub(crate) use turn::gone;

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::Poll,
    time::Duration,
};

use futures_timer::Delay;
use futures_util::{StreamExt, future, stream};
use handler::Lane;
use table_store::{
    ErrorCode,
    queue::{GetMessages, limits},
};

use crate::{Error, Pending, Run, TableEntity, Tables, follow::may_pass, task};

/// How many messages of a queue are worked on at the same time.
const AT_ONCE: u32 = 8;
/// The first wait of a worker that found nothing; each is twice the one before.
const FIRST_WAIT: Duration = Duration::from_millis(10);

/// Does tasks, and follows commits with rows in other partitions. Any number of workers, in any number of processes, can
/// work on the same queues.
///
/// A message that is being worked on is invisible to the others, and its time is renewed at the half. If the worker dies
/// it comes back. See [`Tables::worker`].
#[derive(Clone, Debug)]
pub struct Worker {
    tables: Tables,
    lanes: Vec<Lane>,
    visibility: Duration,
    idle: Duration,
}

impl Tables {
    /// Returns a worker of this handle. It applies the commits of the entity types that are registered with the handle
    /// ([`knows`](Self::knows)), and runs the tasks that it is given with [`Worker::on`]. Commits of other types are counted
    /// in [`Worked::commits`], with their reasons, and written to the log as `tracing` warnings.
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
    ///         // Harmless when it is repeated.
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
        Worker { tables, lanes: Vec::new(), visibility, idle }
    }
}

impl Worker {
    /// Does these tasks, too. Tasks of other types in the same queue are left to other workers for a while.
    #[must_use]
    pub fn on<T: Run>(mut self) -> Self {
        match self.lanes.iter_mut().find(|lane| lane.queue == T::QUEUE) {
            Some(lane) => lane.learn::<T>(),
            None => self.lanes.push(Lane::of::<T>()),
        }
        self
    }

    /// Registers an entity type, so that the worker applies its commits and its rows in other partitions are as they
    /// should be. The types that are registered with the worker's handle, before or after the worker was made, need not be
    /// named again.
    #[must_use]
    pub fn knows<E: TableEntity>(self) -> Self {
        self.tables.knows::<E>();
        self
    }

    /// For how long a message is invisible to other workers, unless it is renewed: 30 s if nothing is said. In whole
    /// seconds rounded up, 1 s to 7 days. It is the time after which the work of a worker that died is taken up again.
    #[must_use]
    pub fn visibility(mut self, visibility: Duration) -> Self {
        self.visibility = turn::whole_seconds(visibility).clamp(Duration::from_secs(1), limits::VISIBILITY);
        self
    }

    /// How long it waits at most before it looks again after it found nothing: 1 s if nothing is said.
    #[must_use]
    pub const fn idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Works on all messages that are visible now, then follows the commits that are there. It ends also while others go
    /// on sending.
    ///
    /// A failure of the queues or tables themselves is the error; the rest was done all the same. What fails in a task is
    /// no error here: the report counts it.
    pub fn pass(&self) -> Pending<'_, Worked> {
        Box::pin(async move {
            let (mut worked, mut failure) = (Worked::default(), None);
            for lane in &self.lanes {
                if let Err(error) = self.drain(lane, &mut worked, &mut failure).await {
                    failure.get_or_insert(error);
                }
            }
            self.follow(&mut worked, &mut failure).await;
            failure.map_or(Ok(worked), Err)
        })
    }

    /// Works until `stop` is ready, then ends what it has in hand. What may pass by itself, such as a service that is busy,
    /// it outlasts; anything else is the error.
    pub fn run_until<'w>(&'w self, stop: impl Future<Output = ()> + Send + 'w) -> Pending<'w, Worked> {
        Box::pin(async move {
            let (mut stop, mut worked, mut wait) = (pin!(stop), Worked::default(), FIRST_WAIT);
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

    /// As many messages of a queue as there are now.
    async fn drain(
        &self,
        lane: &Lane,
        worked: &mut Worked,
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

    /// A batch of each queue, then the commits. Whether it was stopped.
    async fn round<S: Future<Output = ()>>(
        &self,
        worked: &mut Worked,
        mut stop: Pin<&mut S>,
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

    /// About how many messages a queue holds.
    async fn waiting(&self, lane: &Lane) -> Result<u64, Error> {
        match self.tables.queues()?.queue_properties(&task::queue(lane.queue)?).await {
            Err(error) if error.code() == ErrorCode::QueueNotFound => Ok(0),
            other => Ok(other?.approximate_messages),
        }
    }

    /// Works on some messages at the same time. How many there were.
    async fn batch(
        &self,
        lane: &Lane,
        most: u32,
        worked: &mut Worked,
        failure: &mut Option<Error>,
    ) -> Result<u64, Error> {
        let queue = task::queue(lane.queue)?;
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

    async fn follow(&self, worked: &mut Worked, failure: &mut Option<Error>) {
        // A worker of tasks alone does not look for commits.
        if self.tables.kinds().is_empty() {
            return;
        }
        match self.tables.settle().await {
            Ok(pass) => worked.add(pass),
            Err(error) => drop(failure.get_or_insert(error)),
        }
    }
}

async fn is_ready<S: Future<Output = ()>>(mut stop: Pin<&mut S>) -> bool {
    poll_fn(|context| Poll::Ready(stop.as_mut().poll(context).is_ready())).await
}

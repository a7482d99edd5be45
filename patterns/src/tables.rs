//! The handle that everything is done with.

mod attempt;
mod blocking;
#[cfg(feature = "azure")]
mod connect;
mod keys;
mod open;
mod periods;
mod read;
mod send;
mod tokens;
mod update;
mod verbs;

pub(crate) use attempt::Age;
pub use blocking::Blocking;
pub use periods::PerPeriod;
pub(crate) use tokens::Tokens;

use std::{cell::RefCell, future::Future, pin::Pin, sync::Arc};

use table_store::{QueueService, TableName, TableService, Timestamp, blob::BlobService};

use crate::{
    Error, TableEntity, TaskError,
    design::Design,
    follow::Warned,
    hint::{Clock, Recent},
    kinds::{Kind, Kinds},
    registry::Registry,
    sealing::Sealing,
};

/// The one future of all verbs and queries: boxed and `Send`, so that it has a name. It does nothing until it is
/// polled first; from then on a write is done whole or not at all, also if the future is dropped.
pub type Pending<'t, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 't>>;

/// A handle on tables. Cloning it is cheap, and all clones are the same tables.
///
/// Writes are plain functions: they encode what they are given at once, and return a [`Pending`] to await. A table is
/// made when something is first written to it; until then it reads as empty.
#[derive(Clone, Debug)]
pub struct Tables {
    service: Arc<dyn TableService>,
    queues: Option<Arc<dyn QueueService>>,
    blobs: Option<Arc<dyn BlobService>>,
    tokens: Arc<Tokens>,
    clock: Clock,
    recent: Arc<Recent>,
    kinds: Arc<Kinds>,
    warned: Arc<Warned>,
    /// None of a handle without keys.
    sealing: Option<Arc<Sealing>>,
    /// Whether rows in other partitions are left to workers.
    leaves: bool,
    /// The task whose run this is the handle of.
    task: Option<Arc<str>>,
    /// Which indexes are kept, and which can be read; none of a handle that keeps and reads all of them.
    registry: Option<Arc<Registry>>,
    /// The most bytes of members in a list elsewhere, if fewer than what its row or blob can contain.
    list_room: usize,
}

impl Tables {
    /// On any table service. Beside it, tasks need queues: [`with_queues`](Self::with_queues); and logs need blobs:
    /// [`with_blobs`](Self::with_blobs).
    pub fn with(service: impl TableService + 'static) -> Self {
        Self::of_services(Arc::new(service), None, None)
    }

    /// On services that are shared: of tables, and of queues and blobs where there are such.
    pub fn of_services(
        service: Arc<dyn TableService>,
        queues: Option<Arc<dyn QueueService>>,
        blobs: Option<Arc<dyn BlobService>>,
    ) -> Self {
        Self {
            service,
            queues,
            blobs,
            tokens: Arc::new(Tokens::of_the_system()),
            clock: Clock::default(),
            recent: Arc::default(),
            kinds: Arc::default(),
            warned: Arc::default(),
            sealing: None,
            leaves: false,
            task: None,
            registry: None,
            list_room: usize::MAX,
        }
    }

    /// With a queue service for tasks, and for hints at what is left to do: all handles on the same tables need the same one
    /// then. Those of the tables' own account do best, but any will do.
    #[must_use]
    pub fn with_queues(self, queues: impl QueueService + 'static) -> Self {
        // What was put into other queues is not in these.
        Self { queues: Some(Arc::new(queues)), recent: Arc::default(), ..self }
    }

    /// With a blob service for logs. It may be another account's.
    #[must_use]
    pub fn with_blobs(self, blobs: impl BlobService + 'static) -> Self {
        Self { blobs: Some(Arc::new(blobs)), ..self }
    }

    /// The same tables, whose tokens come from a seed: for tests that must run the same each time. Never two handles of
    /// one seed on one service.
    #[doc(hidden)]
    #[must_use]
    pub fn with_seeded_tokens(self, seed: u64) -> Self {
        Self { tokens: Arc::new(Tokens::seeded(seed)), ..self }
    }

    /// The same tables with another wall clock: for tests that move it.
    #[doc(hidden)]
    #[must_use]
    pub fn with_clock(self, time: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        let clock = self.clock.clone().by(time);
        Self { clock, ..self }
    }

    /// The same tables with another monotonic clock: for tests that move it.
    #[doc(hidden)]
    #[must_use]
    pub fn with_steady_clock(self, steady: impl crate::LeaseClock) -> Self {
        let clock = self.clock.clone().steady_by(Arc::new(steady));
        Self { clock, ..self }
    }

    /// Returns the same tables, whose lists in other partitions overflow once their members take this number of bytes: for
    /// tests of lists that overflow. Handles with different limits can share a service.
    #[doc(hidden)]
    #[must_use]
    pub fn with_list_room(self, bytes: usize) -> Self {
        Self { list_room: bytes, ..self }
    }

    /// Returns the bytes of members that a list may contain which can contain `most`.
    pub(crate) fn list_room(&self, most: usize) -> usize {
        most.min(self.list_room)
    }

    /// The same tables, through a handle whose writes leave rows in other partitions to workers: they are done sooner, and
    /// readers see them there later.
    #[must_use]
    pub fn leaving_to_workers(&self) -> Self {
        Self { leaves: true, ..self.clone() }
    }

    /// Tells the handle, and all its clones, of an entity, so that they can follow commits of it that others made. Every
    /// write does that by itself.
    ///
    /// A type whose derived rows collide with those of a type that is registered already is not registered:
    /// [`settle`](Self::settle), workers, and all that uses its derived rows fail with [`Error::Collision`].
    pub fn knows<E: TableEntity>(&self) {
        self.kinds.register(Kind::of::<E>());
    }

    /// The same tables, through the handle of a task's run.
    pub(crate) fn of_task(&self, id: &str) -> Self {
        Self { task: Some(id.into()), ..self.clone() }
    }

    /// Which task this is the handle of, if it is that of a run. It is the same in every run of the task: a name under which
    /// services elsewhere can be asked to do a thing once.
    pub fn task_id(&self) -> Option<&str> {
        self.task.as_deref()
    }

    /// The queue service beside the tables.
    ///
    /// # Errors
    /// [`TaskError::NoQueues`].
    pub fn queues(&self) -> Result<&Arc<dyn QueueService>, Error> {
        Ok(self.queues.as_ref().ok_or(TaskError::NoQueues)?)
    }

    /// The blob service beside the tables.
    ///
    /// # Errors
    /// [`Error::NoBlobs`].
    pub fn blobs(&self) -> Result<&Arc<dyn BlobService>, Error> {
        self.blobs.as_ref().ok_or(Error::NoBlobs)
    }

    pub(crate) const fn registry(&self) -> Option<&Arc<Registry>> {
        self.registry.as_ref()
    }

    pub(crate) fn going_by(&self, registry: Registry) -> Self {
        Self { registry: Some(Arc::new(registry)), ..self.clone() }
    }

    /// A token that was never given before.
    pub(crate) fn token(&self) -> Result<String, Error> {
        self.tokens.next()
    }

    /// Whether it does any good to wait.
    pub(crate) const fn may_wait(&self) -> bool {
        self.clock.goes_on()
    }

    /// What durations are measured with.
    pub(crate) const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time by this machine's wall clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What hints were put a moment ago.
    pub(crate) fn recent(&self) -> &Recent {
        &self.recent
    }

    /// Whether rows in other partitions are left to workers.
    pub(crate) const fn leaves_to_workers(&self) -> bool {
        self.leaves
    }

    pub(crate) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// What was warned of.
    pub(crate) fn warned(&self) -> &Warned {
        &self.warned
    }

    pub(crate) fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// The service below.
    pub fn service(&self) -> &Arc<dyn TableService> {
        &self.service
    }

    /// The same verbs without futures: each waits for its result on this thread.
    pub const fn blocking(&self) -> Blocking<'_> {
        Blocking::new(self)
    }

    /// Makes an entity's table, if it is not there. Writes do it by themselves; this is for those who want it to be
    /// there before.
    pub fn create<E: TableEntity>(&self) -> Pending<'_, ()> {
        let table = table_of(E::DESIGN);
        Box::pin(async move { Ok(send::create(&*self.service, &table?).await?) })
    }

    /// Deletes an entity's table with all that is in it, of whatever kind, in one step. Whether there was one.
    pub fn delete_table<E: TableEntity>(&self) -> Pending<'_, bool> {
        let table = table_of(E::DESIGN);
        Box::pin(async move {
            match self.service.delete_table(&table?).await {
                Ok(()) => Ok(true),
                Err(error) if error.is_not_found() => Ok(false),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// An entity's design; its `Display` is a table of keys and properties.
    pub fn describe<E: TableEntity>(&self) -> &'static Design {
        E::DESIGN
    }
}

/// The only table of a design.
pub(crate) fn table_of(design: &'static Design) -> Result<TableName, Error> {
    if design.tables.is_some() {
        return Err(Error::OneForEachPeriod { entity: design.name, table: design.table });
    }
    table_named(design.table)
}

/// The table of a name that stands in a design. Checked once in each thread: every request asks for it.
pub(crate) fn table_named(name: &'static str) -> Result<TableName, Error> {
    thread_local! {
        static KNOWN: RefCell<Vec<(&'static str, TableName)>> = const { RefCell::new(Vec::new()) };
    }
    KNOWN.with_borrow_mut(|known| {
        // The text of a design stands in one place of the program.
        if let Some((_, table)) = known.iter().find(|(text, _)| std::ptr::eq(*text, name)) {
            return Ok(table.clone());
        }
        let table = TableName::new(name)?;
        known.push((name, table.clone()));
        Ok(table)
    })
}

//! The [`Tables`] handle: services, tokens, clocks, and what the handle has learned. The verbs are defined in the rooms
//! above.

pub(crate) mod clock;
#[cfg(feature = "azure")]
mod connect;
pub(crate) mod heads;
mod keys;
pub(crate) mod lease_clock;
pub(crate) mod left;
#[cfg(feature = "embedded")]
mod open;
#[cfg(feature = "postgres")]
mod postgres;
pub(crate) mod queue;
mod read;
pub(crate) mod recent;
pub(crate) mod registry;
pub(crate) mod span;
pub(crate) mod tokens;

use std::{future::Future, pin::Pin, sync::Arc};

use table_model::{QueueService, TableService, Timestamp, blob::BlobService};

use crate::{
    Error, TableEntity, TaskError,
    core::{
        encryption::Sealing,
        entity_types::{EntityInfo, Kinds},
    },
    handle::{
        clock::Clock, heads::Heads, left::Warned, recent::Recent, registry::known::Registry, tokens::Tokens,
    },
};

/// The future of all verbs and queries: boxed and `Send`, so that the type has a name.
/// The future does nothing until it is first polled. From then on, a write is atomic, even if the future is dropped.
pub type Pending<'t, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 't>>;

/// A handle on tables. Clones are cheap and share the same tables.
///
/// Writes are plain functions: they encode their arguments immediately and return a [`Pending`] to await. A table is
/// created when something is first written to it. Until then, reads treat it as empty.
#[derive(Clone, Debug)]
pub struct Tables {
    service: Arc<dyn TableService>,
    queues: Option<Arc<dyn QueueService>>,
    blobs: Option<Arc<dyn BlobService>>,
    tokens: Arc<Tokens>,
    clock: Clock,
    recent: Arc<Recent>,
    heads: Arc<Heads>,
    kinds: Arc<Kinds>,
    warned: Arc<Warned>,
    /// Encryption with the handle's keys. `None` for a handle without keys.
    sealing: Option<Arc<Sealing>>,
    /// Defers updates in other partitions to workers.
    leaves: bool,
    /// Id of the task, if this is the handle of a task run.
    task: Option<Arc<str>>,
    /// Indexes that are maintained and indexes that are readable. `None` if the handle maintains and reads all of them.
    registry: Option<Arc<Registry>>,
    /// Maximum number of bytes of members in a list in another partition, if less than the capacity of its row or blob.
    list_room: usize,
}

impl Tables {
    /// Creates a handle on a table service. Tasks also require queues ([`with_queues`](Self::with_queues)), and logs
    /// require blobs ([`with_blobs`](Self::with_blobs)).
    pub fn new(service: impl TableService + 'static) -> Self {
        Self::from_services(Arc::new(service), None, None)
    }

    /// Creates a handle on shared services: tables, and optionally queues and blobs.
    pub fn from_services(
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
            heads: Arc::default(),
            kinds: Arc::default(),
            warned: Arc::default(),
            sealing: None,
            leaves: false,
            task: None,
            registry: None,
            list_room: usize::MAX,
        }
    }

    /// Adds a queue service, which transports tasks and wake-up messages for pending work. All handles on the same
    /// tables must then use the same queue service. The queues of the tables' own account are preferred, but any queue
    /// service works.
    #[must_use]
    pub fn with_queues(self, queues: impl QueueService + 'static) -> Self {
        // Messages that were sent to other queues are not in these.
        Self { queues: Some(Arc::new(queues)), recent: Arc::default(), ..self }
    }

    /// Adds a blob service for logs. It may belong to another account.
    #[must_use]
    pub fn with_blobs(self, blobs: impl BlobService + 'static) -> Self {
        Self { blobs: Some(Arc::new(blobs)), ..self }
    }

    /// Returns a handle whose tokens are generated from a seed, for deterministic tests. Two handles on one service
    /// must not use the same seed.
    #[doc(hidden)]
    #[must_use]
    pub fn with_seeded_tokens(self, seed: u64) -> Self {
        Self { tokens: Arc::new(Tokens::seeded(seed)), ..self }
    }

    /// Returns a handle with a different wall clock, for tests that control time.
    #[doc(hidden)]
    #[must_use]
    pub fn with_clock(self, time: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        let clock = self.clock.clone().by(time);
        Self { clock, ..self }
    }

    /// Returns a handle with a different monotonic clock, for tests that control time.
    #[doc(hidden)]
    #[must_use]
    pub fn with_steady_clock(self, steady: impl crate::LeaseClock) -> Self {
        let clock = self.clock.clone().steady_by(Arc::new(steady));
        Self { clock, ..self }
    }

    /// Returns a handle whose lists in other partitions overflow when their members reach this number of bytes, for
    /// tests of overflow. Handles with different limits can share a service.
    #[doc(hidden)]
    #[must_use]
    pub fn with_list_room(self, bytes: usize) -> Self {
        Self { list_room: bytes, ..self }
    }

    /// Returns the limit for the bytes of members in a list whose capacity is `most`.
    pub(crate) fn list_room(&self, most: usize) -> usize {
        most.min(self.list_room)
    }

    /// Returns a handle that defers updates in other partitions to workers. Writes complete sooner; readers of other
    /// partitions see them later.
    #[must_use]
    pub fn with_deferred_updates(&self) -> Self {
        Self { leaves: true, ..self.clone() }
    }

    /// Registers an entity type with this handle and its clones, so that they can apply commit records written by other
    /// processes. Writing an entity registers its type.
    ///
    /// A type is not registered if its derived rows collide with the rows of a registered type:
    /// [`catch_up`](Self::catch_up), workers, and everything that uses its derived rows fail with [`Error::Collision`].
    pub fn register_entity<E: TableEntity>(&self) {
        self.kinds.register(EntityInfo::of::<E>());
    }

    /// Returns a handle on the same tables for a task run.
    pub(crate) fn of_task(&self, id: &str) -> Self {
        Self { task: Some(id.into()), ..self.clone() }
    }

    /// Returns the id of the task, if this is the handle of a task run. The id is the same in every run of the task, so
    /// it can serve as an idempotency key in requests to external services.
    pub fn task_id(&self) -> Option<&str> {
        self.task.as_deref()
    }

    /// Returns the queue service of this handle.
    ///
    /// # Errors
    /// Returns [`TaskError::NoQueues`] if no queue service is configured.
    pub fn queues(&self) -> Result<&Arc<dyn QueueService>, Error> {
        Ok(self.queues.as_ref().ok_or(TaskError::NoQueues)?)
    }

    /// Returns the blob service of this handle.
    ///
    /// # Errors
    /// Returns [`Error::BlobsNotConfigured`] if no blob service is configured.
    pub fn blobs(&self) -> Result<&Arc<dyn BlobService>, Error> {
        self.blobs.as_ref().ok_or(Error::BlobsNotConfigured)
    }

    pub(crate) const fn registry(&self) -> Option<&Arc<Registry>> {
        self.registry.as_ref()
    }

    pub(crate) fn going_by(&self, registry: Registry) -> Self {
        Self { registry: Some(Arc::new(registry)), ..self.clone() }
    }

    /// Returns a new unique token.
    pub(crate) fn token(&self) -> Result<String, Error> {
        self.tokens.next()
    }

    /// Returns whether waiting makes sense, which requires a clock that advances.
    pub(crate) const fn may_wait(&self) -> bool {
        self.clock.goes_on()
    }

    /// Returns the clock that durations are measured with.
    pub(crate) const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the current time of the handle's clock: that of this machine, or the
    /// [`TestClock`](crate::testing::TestClock) of a test. A program that compares stored times, such as the end of a
    /// session, with this time can be tested without waiting.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use table_patterns::testing::{TestClock, TestTables};
    ///
    /// let clock = TestClock::new("2030-01-01T00:00:00Z".parse()?);
    /// let tables = TestTables::new().clock(&clock).open()?;
    /// clock.advance(Duration::from_secs(90));
    /// assert_eq!(tables.now().to_string(), "2030-01-01T00:01:30Z");
    /// # Ok::<(), table_patterns::Error>(())
    /// ```
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the wake-up messages that were sent recently.
    pub(crate) fn recent(&self) -> &Recent {
        &self.recent
    }

    /// Returns the last known heads of change feeds.
    pub(crate) const fn heads(&self) -> &Arc<Heads> {
        &self.heads
    }

    /// Returns whether updates in other partitions are deferred to workers.
    pub(crate) const fn leaves_to_workers(&self) -> bool {
        self.leaves
    }

    pub(crate) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Returns a handle on the same services that knows no entity types.
    pub(crate) fn without_kinds(&self) -> Self {
        Self { kinds: Arc::default(), ..self.clone() }
    }

    /// Returns the warnings that were already logged.
    pub(crate) fn warned(&self) -> &Warned {
        &self.warned
    }

    pub(crate) fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Returns the underlying table service.
    pub fn service(&self) -> &Arc<dyn TableService> {
        &self.service
    }
}

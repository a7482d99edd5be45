//! What all calls of a session share, and the execution of a call.

use std::{path::Path, sync::Arc, time::Duration};

use serde_json::{Map, Value};
use table_rest::HIDDEN;
use tokio::{
    sync::{OwnedSemaphorePermit, RwLock, RwLockReadGuard, RwLockWriteGuard, Semaphore},
    task::spawn_blocking,
};
use tokio_util::sync::CancellationToken;

use super::{
    failure::Failure,
    files::Files,
    given::Given,
    limits,
    stop::Stop,
    tool::{Access, Tool},
};
use crate::{
    error::CommandError,
    location::{Location, StoreLocationError, WritableLocation},
};

/// The store, the files, and the limits of a session.
#[derive(Debug)]
pub(super) struct Session {
    location: Option<WritableLocation>,
    can_write: bool,
    pub(super) files: Files,
    timeout: Duration,
    calls: Arc<Semaphore>,
    /// A store file that is opened for writing is locked against other calls, too: they wait.
    lock: RwLock<()>,
}

/// An open store, for one call.
pub(super) struct Opened<'s> {
    pub(super) place: Location,
    _lock: Lock<'s>,
}

#[expect(dead_code, reason = "the guards are held, not read")]
enum Lock<'s> {
    Shared(RwLockReadGuard<'s, ()>),
    Alone(RwLockWriteGuard<'s, ()>),
}

impl Session {
    /// Creates a session.
    ///
    /// # Errors
    /// Fails if the location is malformed, or the directory of the files does not exist. Whether a store exists is
    /// checked by each call.
    pub(super) fn new(
        location: Option<WritableLocation>,
        can_write: bool,
        files: &Path,
        timeout: Duration,
    ) -> Result<Self, CommandError> {
        // No request is sent yet.
        location.as_ref().map_or(Ok(()), |location| location.location().check())?;
        Ok(Self {
            location,
            can_write,
            files: Files::new(files)?,
            timeout,
            calls: Arc::new(Semaphore::new(limits::CALLS)),
            lock: RwLock::new(()),
        })
    }

    /// Returns the tools that are listed and can be called.
    pub(super) fn tools(&self) -> impl Iterator<Item = Tool> {
        Tool::ALL.into_iter().filter(|tool| self.missing_option(*tool).is_none())
    }

    /// Returns the options that a tool requires, unless the session has them.
    pub(super) const fn missing_option(&self, tool: Tool) -> Option<&'static str> {
        match (tool.spec().access, self.location.is_some(), self.can_write) {
            (Access::Design, ..) | (Access::Read, true, _) | (Access::Write, true, true) => None,
            (Access::Read, false, _) | (Access::Write, false, true) => Some("--store"),
            (Access::Write, true, false) => Some("--write"),
            (Access::Write, false, false) => Some("--store and --write"),
        }
    }

    /// Returns whether the session has a store.
    pub(super) const fn has_store(&self) -> bool {
        self.location.is_some()
    }

    /// Executes a call within its limits.
    pub(super) async fn call(
        self: &Arc<Self>,
        tool: Tool,
        arguments: Option<Map<String, Value>>,
        cancelled: CancellationToken,
    ) -> Result<String, Failure> {
        let stop = Stop::new(cancelled, self.timeout);
        let given = Given::checked(tool.spec().parameters, arguments)?;
        let calls = Arc::clone(&self.calls);
        // The semaphore is never closed.
        let permit = async { calls.acquire_owned().await.map_err(|_| Failure::cancelled()) };
        let permit = stop.limit(permit).await?;
        tool.run(self, &stop, permit, given).await?.bounded()
    }

    /// Runs work that computes and cannot be interrupted. It keeps its permit also after the end of the call, so that the
    /// number of threads is bounded.
    pub(super) async fn compute<T: Send + 'static>(
        &self,
        stop: &Stop,
        permit: OwnedSemaphorePermit,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let thread = spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        // The join fails only if the work panics.
        let done = async { thread.await.map_err(|error| Failure::told(format!("internal error: {error}")))? };
        stop.limit(done).await
    }

    /// Returns a result without the account key or the signature of the store, which an entity or an argument can contain.
    pub(super) fn without_secret(&self, text: String) -> String {
        match self.location.as_ref().and_then(|location| location.location().secret()) {
            Some(secret) => text.replace(&secret, HIDDEN).replace(secret.trim_end_matches('='), HIDDEN),
            None => text,
        }
    }

    /// Opens the store for reading only.
    pub(super) async fn open_to_read(&self, stop: &Stop) -> Result<Opened<'_>, Failure> {
        let lock = stop.limit(async { Ok(Lock::Shared(self.lock.read().await)) }).await?;
        self.open(stop, lock, |location| location.location().open_to_read()).await
    }

    /// Opens the store for writing. It must exist.
    pub(super) async fn open_to_write(&self, stop: &Stop) -> Result<Opened<'_>, Failure> {
        let lock = stop.limit(async { Ok(Lock::Alone(self.lock.write().await)) }).await?;
        self.open(stop, lock, WritableLocation::open).await
    }

    async fn open<'s>(
        &'s self,
        stop: &Stop,
        lock: Lock<'s>,
        open: fn(&WritableLocation) -> Result<Location, StoreLocationError>,
    ) -> Result<Opened<'s>, Failure> {
        let Some(location) = self.location.clone() else {
            return Err(Failure::told("the server has no store; start `tables mcp` with --store"));
        };
        let thread = spawn_blocking(move || open(&location));
        let done = async {
            let opened = thread.await.map_err(|error| Failure::told(format!("internal error: {error}")))?;
            opened.map_err(Failure::from)
        };
        Ok(Opened { place: stop.limit(done).await?, _lock: lock })
    }
}

impl Opened<'_> {
    /// Closes the store, and returns the result of the call.
    pub(super) async fn end<T>(self, done: Result<T, Failure>) -> Result<T, Failure> {
        let closed = self.place.close().await;
        let done = done?;
        closed?;
        Ok(done)
    }
}

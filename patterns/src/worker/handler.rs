use std::{fmt, sync::Arc};

use serde_json::Value;

use crate::{Outcome, Pending, Run, RunWith, Tables, Task};

/// The tasks of one queue that a worker has registered.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) queue: &'static str,
    handlers: Vec<Handler>,
}

/// Function that decodes a task.
type Read = dyn Fn(Value) -> serde_json::Result<Box<dyn Runnable>> + Send + Sync;

/// A task type without its static type.
#[derive(Clone)]
pub(super) struct Handler {
    name: &'static str,
    pub(super) poison_after: u32,
    read: Arc<Read>,
}

/// A decoded task.
pub(super) trait Runnable: Send + Sync {
    fn go<'a>(&'a self, tables: &'a Tables) -> Pending<'a, Outcome>;
}

/// A task that runs alone.
struct Alone<T>(T);

/// A task with the state of its worker.
struct WithState<T, S>(T, Arc<S>);

impl<T: Run> Runnable for Alone<T> {
    fn go<'a>(&'a self, tables: &'a Tables) -> Pending<'a, Outcome> {
        Box::pin(self.0.run(tables))
    }
}

impl<T: RunWith<S>, S: Send + Sync + 'static> Runnable for WithState<T, S> {
    fn go<'a>(&'a self, tables: &'a Tables) -> Pending<'a, Outcome> {
        Box::pin(self.0.run_with(tables, &self.1))
    }
}

impl Handler {
    pub(super) fn of<T: Run>() -> Self {
        Self::new::<T, _>(Alone)
    }

    pub(super) fn with<S: Send + Sync + 'static, T: RunWith<S>>(state: Arc<S>) -> Self {
        Self::new::<T, _>(move |task| WithState(task, Arc::clone(&state)))
    }

    fn new<T: Task, R: Runnable + 'static>(runnable: impl Fn(T) -> R + Send + Sync + 'static) -> Self {
        let read = move |args| -> serde_json::Result<Box<dyn Runnable>> {
            Ok(Box::new(runnable(serde_json::from_value(args)?)))
        };
        Self { name: T::NAME, poison_after: T::POISON_AFTER, read: Arc::new(read) }
    }

    pub(super) fn read(&self, args: Value) -> serde_json::Result<Box<dyn Runnable>> {
        (self.read)(args)
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handler").field(&self.name).finish()
    }
}

impl Lane {
    pub(super) fn of(queue: &'static str, handler: Handler) -> Self {
        Self { queue, handlers: vec![handler] }
    }

    /// Adds a handler, unless the task has one.
    pub(super) fn learn(&mut self, handler: Handler) {
        if self.handler(handler.name).is_none() {
            self.handlers.push(handler);
        }
    }

    pub(super) fn handler(&self, name: &str) -> Option<&Handler> {
        self.handlers.iter().find(|handler| handler.name == name)
    }
}

use serde_json::Value;

use crate::{Outcome, Pending, Run, Tables};

/// The tasks of one queue that a worker has registered.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) queue: &'static str,
    handlers: Vec<Handler>,
}

/// A task type without its static type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler {
    name: &'static str,
    pub(super) poison_after: u32,
    read: fn(Value) -> serde_json::Result<Box<dyn Runnable>>,
}

/// A decoded task.
pub(super) trait Runnable: Send + Sync {
    fn go<'a>(&'a self, tables: &'a Tables) -> Pending<'a, Outcome>;
}

impl<T: Run> Runnable for T {
    fn go<'a>(&'a self, tables: &'a Tables) -> Pending<'a, Outcome> {
        Box::pin(self.run(tables))
    }
}

impl Handler {
    fn of<T: Run>() -> Self {
        Self { name: T::NAME, poison_after: T::POISON_AFTER, read: read::<T> }
    }

    pub(super) fn read(self, args: Value) -> serde_json::Result<Box<dyn Runnable>> {
        (self.read)(args)
    }
}

fn read<T: Run>(args: Value) -> serde_json::Result<Box<dyn Runnable>> {
    Ok(Box::new(serde_json::from_value::<T>(args)?))
}

impl Lane {
    pub(super) fn of<T: Run>() -> Self {
        Self { queue: T::QUEUE, handlers: vec![Handler::of::<T>()] }
    }

    pub(super) fn learn<T: Run>(&mut self) {
        if self.handler(T::NAME).is_none() {
            self.handlers.push(Handler::of::<T>());
        }
    }

    pub(super) fn handler(&self, name: &str) -> Option<Handler> {
        self.handlers.iter().find(|handler| handler.name == name).copied()
    }
}

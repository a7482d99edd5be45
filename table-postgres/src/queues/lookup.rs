use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use table_model::{ErrorCode, TableError, queue::QueueName};

use super::statements::Statements;
use crate::{connections::take, failure::Failure, postgres::Inner};

/// The queues that requests have used, by name.
#[derive(Debug, Default)]
pub(crate) struct Queues(RwLock<HashMap<String, Arc<Statements>>>);

impl Inner {
    /// Returns the statements of a queue.
    pub(super) async fn queue(&self, name: &QueueName) -> Result<Arc<Statements>, Failure> {
        let known = self.queues.0.read().unwrap_or_else(PoisonError::into_inner).get(name.as_str()).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let query = format!("SELECT id FROM {}.queues WHERE name = $1", self.options.quoted_schema());
        let row = take(&self.pool).await?.query_opt(&query, &[&name.as_str()]).await?;
        let known =
            Arc::new(Statements::new(&self.options.quoted_schema(), row.ok_or(Failure::NoTable)?.get(0)));
        self.remember_queue(name, Some(&known));
        Ok(known)
    }

    /// Sets or removes the statements of a queue.
    pub(super) fn remember_queue(&self, name: &QueueName, known: Option<&Arc<Statements>>) {
        let mut queues = self.queues.0.write().unwrap_or_else(PoisonError::into_inner);
        match known {
            Some(known) => queues.insert(name.as_str().to_owned(), Arc::clone(known)),
            None => queues.remove(name.as_str()),
        };
    }
}

/// Repeats a request once if its queue was deleted, and perhaps created again.
#[derive(Debug, Default)]
pub(super) struct Lookup {
    repeated: bool,
}

impl Lookup {
    pub(super) fn after(
        &mut self,
        failure: Failure,
        inner: &Inner,
        queue: &QueueName,
    ) -> Result<(), TableError> {
        if !matches!(failure, Failure::NoTable) || self.repeated {
            return Err(error(failure));
        }
        self.repeated = true;
        inner.remember_queue(queue, None);
        Ok(())
    }
}

/// Converts the failure of a request to a queue.
pub(super) fn error(failure: Failure) -> TableError {
    match failure {
        Failure::NoTable => ErrorCode::QueueNotFound.into(),
        failure => failure.into(),
    }
}

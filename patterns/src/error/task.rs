/// A task that cannot be sent, or what only a task's own handle can do. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// The handle has no queue service.
    #[error("tasks need queues, and this handle has none; say `Tables::with(..).with_queues(..)`")]
    NoQueues,
    /// A task that cannot be written as JSON.
    #[error("`{task}` cannot be written as JSON: {why}")]
    Args {
        /// The task's name.
        task: &'static str,
        /// What serde says.
        why: String,
    },
    /// A step that is to be done once, on a handle that is not that of a task's run.
    #[error("only a task can do a step once: use the handle that `run` is given")]
    NoTask,
    /// A move of an entity that stands in several rows.
    #[error("`{entity}` is wide, and a move is of one row; copy it in a task of your own, then delete it")]
    Wide {
        /// The entity.
        entity: &'static str,
    },
    /// A move into the table where the entity is.
    #[error("`{entity}` is in that table already: its archive is another one")]
    SameTable {
        /// The entity.
        entity: &'static str,
    },
}

impl TaskError {
    pub(crate) fn args(task: &'static str, why: &serde_json::Error) -> Self {
        Self::Args { task, why: why.to_string() }
    }
}

use crate::{ErrorCode, TableName, blob::ContainerName, queue::QueueName};

/// Resource that has stored access policies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PolicyHolder {
    /// A table.
    Table(TableName),
    /// A queue.
    Queue(QueueName),
    /// A container.
    Container(ContainerName),
}

impl PolicyHolder {
    /// Returns the permission letters that its policies may contain.
    #[must_use]
    pub const fn permissions(&self) -> &'static str {
        match self {
            Self::Table(_) => "raud",
            Self::Queue(_) => "raup",
            Self::Container(_) => "racwdxyltmeopi",
        }
    }

    /// Returns the error code for a resource that does not exist.
    #[must_use]
    pub const fn not_found(&self) -> ErrorCode {
        match self {
            Self::Table(_) => ErrorCode::TableNotFound,
            Self::Queue(_) => ErrorCode::QueueNotFound,
            Self::Container(_) => ErrorCode::ContainerNotFound,
        }
    }
}

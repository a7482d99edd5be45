use crate::{ErrorCode, TableName, blob::ContainerName, queue::QueueName};

/// What has stored access policies.
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
    /// The letters that permissions of its policies can have.
    #[must_use]
    pub const fn permissions(&self) -> &'static str {
        match self {
            Self::Table(_) => "raud",
            Self::Queue(_) => "raup",
            Self::Container(_) => "racwdxyltmeopi",
        }
    }

    /// What is answered if it is not there.
    #[must_use]
    pub const fn not_found(&self) -> ErrorCode {
        match self {
            Self::Table(_) => ErrorCode::TableNotFound,
            Self::Queue(_) => ErrorCode::QueueNotFound,
            Self::Container(_) => ErrorCode::ContainerNotFound,
        }
    }
}

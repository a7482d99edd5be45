use crate::Metadata;

/// Properties of a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueProperties {
    /// User-defined metadata.
    pub metadata: Metadata,
    /// Approximate number of messages, including invisible messages, and expired messages until they are removed.
    pub approximate_messages: u64,
}

/// Successful result of creating a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueCreated {
    /// The queue was created: 201 on the wire.
    New,
    /// The queue existed with the same metadata: 204 on the wire.
    Existing,
}

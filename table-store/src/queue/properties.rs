use crate::Metadata;

/// What is known of a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueProperties {
    /// What its users say of it.
    pub metadata: Metadata,
    /// About how many messages it holds: invisible ones count, and so do expired ones until they are cleaned away.
    pub approximate_messages: u64,
}

/// How creating a queue ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueCreated {
    /// It is new: 201 on the wire.
    New,
    /// It was there, with the same metadata: 204 on the wire.
    Existing,
}

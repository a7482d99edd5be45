use table_store::QueryClass;

/// What an answer tells of its request, for spans and metrics: nothing of what is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The operation as the service's reference names it: `InsertEntity`. Empty if it was not made out.
    pub operation: &'static str,
    /// The class of a query, by what is read for it.
    pub class: Option<QueryClass>,
    /// Entities, messages or blobs that were looked at.
    pub read: u64,
    /// Entities, messages or blobs that were returned.
    pub returned: u64,
}

impl Facts {
    /// Of an operation that reads no more than it says.
    #[must_use]
    pub const fn of(operation: &'static str) -> Self {
        Self { operation, class: None, read: 0, returned: 0 }
    }
}

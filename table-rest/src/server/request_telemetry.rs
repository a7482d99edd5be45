use table_model::QueryClass;

/// Telemetry of a request, for spans and metrics. Contains no stored data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The operation by its name in the REST reference: `InsertEntity`. Empty if it could not be determined.
    pub operation: &'static str,
    /// The class of a query, by the data that it reads.
    pub class: Option<QueryClass>,
    /// Number of entities, messages or blobs read.
    pub read: u64,
    /// Number of entities, messages or blobs returned.
    pub returned: u64,
}

impl Facts {
    /// Creates the telemetry of an operation that returns everything it reads.
    #[must_use]
    pub const fn of(operation: &'static str) -> Self {
        Self { operation, class: None, read: 0, returned: 0 }
    }
}

use std::{fmt, sync::Arc};

use table_store::{BlobService, QueueService, TableService};

/// An account that is served: its name, and the services behind it.
#[derive(Clone)]
pub struct ServedAccount {
    /// 3 to 24 lower-case letters and digits.
    pub name: String,
    /// Its tables.
    pub tables: Arc<dyn TableService>,
    /// Its queues.
    pub queues: Arc<dyn QueueService>,
    /// Its blobs.
    pub blobs: Arc<dyn BlobService>,
}

impl fmt::Debug for ServedAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServedAccount").field("name", &self.name).finish_non_exhaustive()
    }
}

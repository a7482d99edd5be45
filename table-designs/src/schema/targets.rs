//! Limits and targets.

/// The limits that findings are checked against. They are the limits of the service, except the last four, which are
/// assumptions.
#[derive(Clone, Debug, PartialEq)]
pub struct Targets {
    /// Entities per page.
    pub page: f64,
    /// Entities per second in one partition.
    pub partition_entities_s: f64,
    /// Requests per second in one account.
    pub account_requests_s: f64,
    /// Operations per transaction.
    pub egt_ops: f64,
    /// Bytes per transaction.
    pub egt_bytes: f64,
    /// Bytes per entity.
    pub entity_bytes: f64,
    /// Bytes per property.
    pub value_bytes: f64,
    /// Properties per entity.
    pub properties: f64,
    /// UTF-16 units per key.
    pub key_chars: f64,
    /// Entities that one request examines before it returns a page: five seconds at 10,000 per second.
    pub examined_per_request: f64,
    /// Overhead in bytes per operation of a transaction.
    pub egt_overhead: f64,
    /// Size of a range of partitions in GiB.
    pub range_gb: f64,
    /// Seconds after a write when copies in other partitions have followed, also if the writer ended: with a worker, the
    /// longest time between two checks of a wake-up message that later writes share.
    pub lag: f64,
}

impl Default for Targets {
    fn default() -> Self {
        Self {
            page: 1_000.0,
            partition_entities_s: 2_000.0,
            account_requests_s: 20_000.0,
            egt_ops: 100.0,
            egt_bytes: 4_194_304.0,
            entity_bytes: 1_048_576.0,
            value_bytes: 65_536.0,
            properties: 252.0,
            key_chars: 512.0,
            examined_per_request: 50_000.0,
            egt_overhead: 512.0,
            range_gb: 10.0,
            lag: 80.0,
        }
    }
}

//! Limits and targets.

/// The limits that findings are held against: the service's, but for the last three, which are assumed.
#[derive(Clone, Debug, PartialEq)]
pub struct Targets {
    /// Entities on a page.
    pub page: f64,
    /// Entities a second in one partition.
    pub partition_entities_s: f64,
    /// Requests a second in one account.
    pub account_requests_s: f64,
    /// Operations of one transaction.
    pub egt_ops: f64,
    /// Bytes of one transaction.
    pub egt_bytes: f64,
    /// Bytes of one entity.
    pub entity_bytes: f64,
    /// Bytes of one property.
    pub value_bytes: f64,
    /// Properties of one entity.
    pub properties: f64,
    /// UTF-16 units of a key.
    pub key_chars: f64,
    /// Entities that one request looks at before it answers with a page: five seconds at 10,000 a second.
    pub examined_per_request: f64,
    /// Bytes around one operation of a transaction.
    pub egt_overhead: f64,
    /// The GiB in one range of partitions.
    pub range_gb: f64,
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
        }
    }
}

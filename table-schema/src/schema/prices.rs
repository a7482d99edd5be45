//! Prices. Every default is an assumption: set your own.

/// What the service costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// The day that they are of, as the file writes it.
    pub date: Option<String>,
    /// The currency of all prices.
    pub currency: String,
    /// A GiB in tables, a month.
    pub storage_gb_month: f64,
    /// A GiB in blobs, a month.
    pub blob_gb_month: f64,
    /// 10,000 requests, where nothing else is said.
    pub tx_10k: f64,
    /// 10,000 requests to queues.
    pub queue_tx_10k: f64,
    /// 10,000 requests to blobs.
    pub blob_tx_10k: f64,
    /// 10,000 writes; absent: `tx_10k`.
    pub write_10k: Option<f64>,
    /// 10,000 transactions of several operations; absent: `tx_10k`.
    pub batch_10k: Option<f64>,
    /// 10,000 point queries; absent: `tx_10k`.
    pub read_10k: Option<f64>,
    /// 10,000 pages of other queries; absent: `tx_10k`.
    pub scan_10k: Option<f64>,
    /// 10,000 deletes; absent: `tx_10k`.
    pub delete_10k: Option<f64>,
    /// What a transaction of several operations counts as.
    pub batch_unit: BatchUnit,
    /// Cosmos DB for Table.
    pub cosmos: CosmosPrices,
}

/// What a transaction of several operations counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BatchUnit {
    /// One request.
    #[default]
    Request,
    /// A request for each operation.
    Operation,
}

impl BatchUnit {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Request, Self::Operation];

    /// How it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Operation => "operation",
        }
    }
}

impl Default for Prices {
    fn default() -> Self {
        Self {
            date: None,
            currency: "USD".to_owned(),
            storage_gb_month: 0.045,
            blob_gb_month: 0.018,
            tx_10k: 0.000_36,
            queue_tx_10k: 0.000_4,
            blob_tx_10k: 0.05,
            write_10k: None,
            batch_10k: None,
            read_10k: None,
            scan_10k: None,
            delete_10k: None,
            batch_unit: BatchUnit::Request,
            cosmos: CosmosPrices::default(),
        }
    }
}

/// What Cosmos DB for Table costs, roughly.
#[derive(Clone, Debug, PartialEq)]
pub struct CosmosPrices {
    /// Request units for a KiB read.
    pub ru_read_kib: f64,
    /// Request units for a KiB written.
    pub ru_write_kib: f64,
    /// Request units for a KiB deleted.
    pub ru_delete_kib: f64,
    /// Request units for a page of a query.
    pub ru_query: f64,
    /// 100 provisioned units, an hour, in US dollars.
    pub usd_100ru_hour: f64,
    /// A GiB, a month.
    pub storage_gb_month: f64,
    /// The fewest units that can be provisioned.
    pub min_ru: f64,
}

impl Default for CosmosPrices {
    fn default() -> Self {
        Self {
            ru_read_kib: 1.0,
            ru_write_kib: 5.0,
            ru_delete_kib: 5.0,
            ru_query: 2.5,
            usd_100ru_hour: 0.008,
            storage_gb_month: 0.25,
            min_ru: 400.0,
        }
    }
}

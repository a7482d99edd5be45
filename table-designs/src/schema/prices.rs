//! Prices. Every default is an assumption; a design file should specify actual prices.

/// The prices of the service.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// The date of the prices, as written in the file.
    pub date: Option<String>,
    /// The currency of all prices.
    pub currency: String,
    /// The price of a GiB in tables per month.
    pub storage_gb_month: f64,
    /// The price of a GiB in blobs per month.
    pub blob_gb_month: f64,
    /// The price of 10,000 requests, unless a more specific price is set.
    pub tx_10k: f64,
    /// The price of 10,000 requests to queues.
    pub queue_tx_10k: f64,
    /// The price of 10,000 requests to blobs.
    pub blob_tx_10k: f64,
    /// The price of 10,000 writes. Defaults to `tx_10k`.
    pub write_10k: Option<f64>,
    /// The price of 10,000 transactions of several operations. Defaults to `tx_10k`.
    pub batch_10k: Option<f64>,
    /// The price of 10,000 point queries. Defaults to `tx_10k`.
    pub read_10k: Option<f64>,
    /// The price of 10,000 pages of other queries. Defaults to `tx_10k`.
    pub scan_10k: Option<f64>,
    /// The price of 10,000 deletes. Defaults to `tx_10k`.
    pub delete_10k: Option<f64>,
    /// The billing unit of a transaction of several operations.
    pub batch_unit: BatchUnit,
    /// The prices of Cosmos DB for Table.
    pub cosmos: CosmosPrices,
}

/// The billing unit of a transaction of several operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BatchUnit {
    /// One request.
    #[default]
    Request,
    /// One request per operation.
    Operation,
}

impl BatchUnit {
    /// All units.
    pub const ALL: [Self; 2] = [Self::Request, Self::Operation];

    /// Returns the unit as written.
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

/// The approximate prices of Cosmos DB for Table.
#[derive(Clone, Debug, PartialEq)]
pub struct CosmosPrices {
    /// Request units per KiB read.
    pub ru_read_kib: f64,
    /// Request units per KiB written.
    pub ru_write_kib: f64,
    /// Request units per KiB deleted.
    pub ru_delete_kib: f64,
    /// Request units per page of a query.
    pub ru_query: f64,
    /// The price of 100 provisioned request units per hour, in US dollars.
    pub usd_100ru_hour: f64,
    /// The price of a GiB per month.
    pub storage_gb_month: f64,
    /// The minimum number of provisioned request units.
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

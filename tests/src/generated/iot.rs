// <tables> Written from iot.toml, design eaee7543b242f2d2. The region up to its end is replaced each time;
// derives and attributes that are added in it are kept, and so is everything outside of it.

use table_patterns::{PointQuery, RangeQuery, WidePoint};
use table_patterns::prelude::*;

/// A row of `Readings{day:%Y%m}`: `{device}` | `{day:%Y%m%d}_{part:02}`.
///
/// The retention period of its tables is 400d.
#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Readings{day:%Y%m}",
    partition = "{device}",
    row = "{day:%Y%m%d}_{part:02}"
)]
#[table(entity_type = none)]
#[table(wide = 240)]
pub struct Day {
    /// In the PartitionKey.
    pub device: Uuid,
    /// In the RowKey.
    ///
    /// the key gives it back whole
    pub day: Date,
    /// One property per slot: `celsius_..`.
    ///
    /// `celsius_0000` … `celsius_1439`
    #[table(series)]
    pub celsius: [f64; 1440],
}

/// The queries of `iot.toml`.
///
/// Queries without a function:
///
/// - `chart_week`: a wide entity is read by its complete key only.
impl Day {
    /// `device = ? and day = ?`: a point query. Expected 20/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn chart_day(device: Uuid, day: Date) -> WidePoint<Self> {
        Self::point(device, day)
    }
}

/// A row of `Latest`: `{site}` | `{device:guid}`.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Latest", partition = "{site}", row = "{device:guid}")]
#[table(entity_type = none)]
pub struct Latest {
    /// In the PartitionKey, at most 20 characters.
    #[table(max = 20)]
    pub site: String,
    /// In the RowKey.
    pub device: Uuid,
    /// Stored as `at`.
    pub at: Timestamp,
    /// Stored as `celsius`.
    pub celsius: f64,
    /// Stored as `battery`; may be absent.
    pub battery: Option<u8>,
}

/// The queries of `iot.toml`.
impl Latest {
    /// `site = ?`: a range. Expected 10/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn site_now(site: &str) -> RangeQuery<Self> {
        Self::rows(site).between(..)
    }

    /// `site = ? and device = ?`: a point query. Expected 50/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn device_now(site: &str, device: Uuid) -> PointQuery<Self> {
        Self::point(site, device)
    }
}

// </tables>

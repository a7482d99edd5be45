// <tables> Written from events.toml, design 522d86162f42ece4. The region up to its end is replaced each time;
// derives and attributes that are added in it are kept, and so is everything outside of it.

use std::ops::RangeBounds;
use table_patterns::{FanOut, FanOutScan};
use table_patterns::prelude::*;

/// A row of `Measurements`: `{device:05}_{at:%Y%m%d}` | `{at:inverted_ticks}`.
#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Measurements",
    partition = "{device:05}_{at:%Y%m%d}",
    row = "{at:inverted_ticks}"
)]
#[table(entity_type = none)]
#[table(
    index(
        by_level,
        partition = "{level}_{at:%Y%m}",
        row = "{at:ticks}_{device:05}",
        copy(celsius)
    )
)]
#[table(counted_in(Device::alarms, when = contributes_to_device_alarms))]
#[table(summed_in(Device::watched_sum, of = celsius, when = watched))]
pub struct Measurement {
    /// In the PartitionKey.
    pub device: u32,
    /// In the PartitionKey.
    pub at: Timestamp,
    /// Stored as `level`.
    pub level: MeasurementLevel,
    /// Stored as `watched`.
    pub watched: bool,
    /// Stored as `celsius`.
    pub celsius: i32,
}

/// The conditions of `events.toml`.
impl Measurement {
    /// Returns whether the entity contributes to `Device.alarms`: `level = alarm`.
    pub fn contributes_to_device_alarms(&self) -> bool {
        self.level == MeasurementLevel::Alarm
    }
}

/// The queries of `events.toml`.
impl Measurement {
    /// `device = ? and at within 1d`: a range in the partition of each period. Expected 50/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn recent(device: u32, at: impl RangeBounds<Timestamp> + Clone) -> FanOut<Self> {
        FanOut::within(at.clone(), |start| Self::rows(device, start).between(at.clone()))
            .take(50)
    }

    /// `device = ? and at within 7d and celsius >= ?`: a scan within the partition of each period. Expected 1/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn warm(
        device: u32,
        at: impl RangeBounds<Timestamp> + Clone,
        celsius: i32,
    ) -> FanOutScan<Self> {
        FanOut::within(at.clone(), |start| Self::rows(device, start).between(at.clone()))
            .scan(|e| e.celsius.ge(celsius))
    }

    /// `level = ? and at within 60d and celsius between ?`: a scan within the partition of each period. Expected 1/h.
    #[must_use = "a query does nothing until it runs"]
    pub fn of_level(
        level: MeasurementLevel,
        at: impl RangeBounds<Timestamp> + Clone,
        celsius: impl RangeBounds<i32> + Clone,
    ) -> FanOutScan<Self, MeasurementByLevel> {
        FanOut::within(
                at.clone(),
                |start| Self::by_level_rows(level, start).between(at.clone()),
            )
            .scan(|e| e.celsius.in_range(celsius))
    }
}

/// The values of `level` of [`Measurement`].
#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[table(rename_all = "snake_case")]
pub enum MeasurementLevel {
    /// `quiet`
    Quiet,
    /// `normal`
    Normal,
    /// `alarm`
    Alarm,
}

/// A row of `Devices`: `{device:05}` | `device`.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Devices", partition = "{device:05}", row = "device")]
#[table(entity_type = none)]
#[table(index(by_site, partition = "{site}", row = "{device:05}", copy(site)))]
pub struct Device {
    /// In the PartitionKey.
    pub device: u32,
    /// Stored as `site`, at most 20 characters.
    #[table(max = 20)]
    pub site: String,
    /// The number of [`Measurement`] with `level = alarm`: maintained by them, read-only here.
    #[table(from_source)]
    pub alarms: i64,
    /// The sum of `celsius` of [`Measurement`] with `watched = true`: maintained by them, read-only here.
    #[table(from_source)]
    pub watched_sum: i64,
}

/// The queries of `events.toml`.
impl Device {
    /// `device in ?`: a point query for each value. Expected 5/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn devices(device: impl IntoIterator<Item = u32>) -> MultiPoint<Self> {
        device.into_iter().map(Self::point).collect::<MultiPoint<_, _>>()
    }

    /// `site in ?`: a range in the partition of each value. Expected 1/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn of_sites<'a>(
        site: impl IntoIterator<Item = &'a str>,
    ) -> FanOut<Self, DeviceBySite> {
        site.into_iter()
            .map(|one| Self::by_site_rows(one).between(..))
            .collect::<FanOut<_, _>>()
    }
}

// </tables>

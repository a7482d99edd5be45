// <tables> Written from logins.toml, design 48414d45d5988cb4. The region up to its end is replaced each time;
// derives and attributes that are added in it are kept, and so is everything outside of it.

use std::ops::RangeBounds;
use table_patterns::{FanOut, PointQuery};
use table_patterns::prelude::*;

/// A row of `Logins{at:%Y%m%d}`: `{user}` | `{at:inverted_ticks}_{nonce:05}`.
///
/// The retention period of its tables is 90d.
#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Logins{at:%Y%m%d}",
    partition = "{user}",
    row = "{at:inverted_ticks}_{nonce:05}"
)]
#[table(entity_type = none)]
pub struct Login {
    /// In the PartitionKey, at most 64 characters.
    #[table(max = 64)]
    pub user: String,
    /// In the RowKey.
    pub at: Timestamp,
    /// In the RowKey.
    ///
    /// two logins in one tick
    pub nonce: u16,
    /// Stored as `ip`, at most 45 characters.
    #[table(max = 45)]
    pub ip: String,
    /// Stored as `agent`, at most 200 characters; may be absent.
    #[table(max = 200)]
    pub agent: Option<String>,
    /// Stored as `outcome`.
    pub outcome: LoginOutcome,
}

/// The queries of `logins.toml`.
///
/// Queries without a function:
///
/// - `failures_today`: `at` is only in the key, which a scan cannot filter.
impl Login {
    /// `user = ? and at within 1d`: a range. Expected 30/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn ten_newest_today(
        user: &str,
        at: impl RangeBounds<Timestamp>,
    ) -> FanOut<Self> {
        Self::rows(user).between(at).take(10)
    }

    /// `user = ? and at within 7d`: a range. Expected 1/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn user_last_week(user: &str, at: impl RangeBounds<Timestamp>) -> FanOut<Self> {
        Self::rows(user).between(at)
    }
}

/// The values of `outcome` of [`Login`].
#[derive(TableValue, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[table(rename_all = "snake_case")]
pub enum LoginOutcome {
    /// `ok`
    Ok,
    /// `wrong_password`
    WrongPassword,
    /// `locked`
    Locked,
}

/// A row of `LastLogin`: `{user}` | `last`.
///
/// one row for each user, so that "last seen" is a point query
#[derive(TableEntity, Clone, Debug)]
#[table(name = "LastLogin", partition = "{user}", row = "last")]
#[table(entity_type = none)]
pub struct LastLogin {
    /// In the PartitionKey, at most 64 characters.
    #[table(max = 64)]
    pub user: String,
    /// Stored as `at`.
    pub at: Timestamp,
    /// Stored as `ip`, at most 45 characters.
    #[table(max = 45)]
    pub ip: String,
}

/// The queries of `logins.toml`.
impl LastLogin {
    /// `user = ?`: a point query. Expected 50/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn last_seen(user: &str) -> PointQuery<Self> {
        Self::point(user)
    }
}

// </tables>

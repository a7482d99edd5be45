// <tables> Written from orders.toml, design f3d452bf73672e67. The region up to its end is replaced each time;
// derives and attributes that are added in it are kept, and so is everything outside of it.

use table_patterns::{PointQuery, RangeQuery, TableScan};
use table_patterns::prelude::*;

/// A row of `Orders`: `{customer:08}` | `order_{number:010}`.
///
/// It has many [`Line`]: `lines`.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{customer:08}", row = "order_{number:010}")]
#[table(
    index(by_reference, partition = "ref_{reference}", row = "order", unique, copy())
)]
#[table(
    index(newest, row = "new_{placed:inverted_ticks}_{number:010}", copy(status, total))
)]
#[table(archive = "OrdersArchive")]
#[allow(clippy::duplicated_attributes)]
pub struct Order {
    /// In the PartitionKey.
    pub customer: u32,
    /// In the RowKey.
    pub number: u64,
    /// Stored as `reference`, at most 20 characters.
    #[table(max = 20)]
    pub reference: String,
    /// Stored as `status`.
    pub status: OrderStatus,
    /// Stored as `placed`.
    pub placed: Timestamp,
    /// Stored as `total`.
    ///
    /// cents
    pub total: i64,
    /// Stored as `note`, at most 2000 characters; may be absent.
    #[table(max = 2000)]
    pub note: Option<String>,
}

/// The conditions of `orders.toml`.
impl Order {
    /// Returns whether the entity must move to `OrdersArchive`: `status = closed`.
    pub fn is_to_be_archived(&self) -> bool {
        self.status == OrderStatus::Closed
    }
}

/// The queries of `orders.toml`.
///
/// Queries without a function:
///
/// - `by_reference`: the index of this name has this function.
impl Order {
    /// `customer = ? and number = ?`: a point query. Expected 60/s.
    #[allow(clippy::self_named_constructors)]
    #[must_use = "a query does nothing until it runs"]
    pub fn order(customer: u32, number: u64) -> PointQuery<Self> {
        Self::point(customer, number)
    }

    /// `customer = ?`: a range. Expected 30/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn newest_orders(customer: u32) -> RangeQuery<Self, OrderNewest> {
        Self::newest_rows(customer).between(..).take(20)
    }

    /// `status = ?`: a scan of the table. Expected 4/day.
    #[must_use = "a query does nothing until it runs"]
    pub fn open_orders(status: OrderStatus) -> TableScan<Self, OpenOrdersRow> {
        Self::scan_table().filter(|e| e.status.eq(status)).select::<OpenOrdersRow>()
    }
}

/// The fields of [`Order`] that `open_orders` selects.
#[derive(Projection, Clone, Debug)]
#[table(of = Order)]
pub struct OpenOrdersRow {
    /// `total`
    pub total: i64,
}

/// The values of `status` of [`Order`].
#[derive(TableValue, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[table(rename_all = "snake_case")]
pub enum OrderStatus {
    /// `open`
    Open,
    /// `paid`
    Paid,
    /// `shipped`
    Shipped,
    /// `closed`
    Closed,
}

/// A row of `Orders`: `{customer:08}` | `line_{order:010}_{line:04}`.
#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Orders",
    partition = "{customer:08}",
    row = "line_{order:010}_{line:04}"
)]
pub struct Line {
    /// In the PartitionKey.
    pub customer: u32,
    /// In the RowKey.
    pub order: u64,
    /// In the RowKey.
    pub line: u16,
    /// Stored as `sku`, at most 16 characters.
    #[table(max = 16)]
    pub sku: String,
    /// Stored as `quantity`.
    pub quantity: i32,
    /// Stored as `price`.
    pub price: i64,
}

/// The queries of `orders.toml`.
impl Line {
    /// `customer = ? and order = ?`: a range. Expected 60/s.
    #[must_use = "a query does nothing until it runs"]
    pub fn order_lines(customer: u32, order: u64) -> RangeQuery<Self> {
        Self::rows(customer).at(order).between(..)
    }
}

// </tables>

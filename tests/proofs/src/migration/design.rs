//! The old and the new type of the entities.

use table_patterns::{MovedFrom, prelude::*};

/// Number of entities in a partition of the old table.
const CUSTOMER: u32 = 1_000;
/// Number of the first entity that all writers change.
pub const SHARED: u32 = 4_000_000_000;
/// Every such entity has a property that neither type declares.
const NOTED: u32 = 16;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{customer}", row = "o_{number:010}", entity_type = "Order")]
#[table(index(by_total, row = "t_{total:010}_{number:010}"))]
pub struct OldOrder {
    pub customer: String,
    pub number: u32,
    pub total: u32,
}

/// The old type with a property that the other types do not declare.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{customer}", row = "o_{number:010}", entity_type = "Order")]
#[table(index(by_total, row = "t_{total:010}_{number:010}"))]
pub struct NotedOrder {
    pub customer: String,
    pub number: u32,
    pub total: u32,
    pub note: Option<u32>,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "AllOrders", partition = "of_{customer}", row = "o_{number:010}", entity_type = "Order")]
#[table(index(by_total, row = "t_{total:010}_{number:010}"))]
pub struct Order {
    pub customer: String,
    pub number: u32,
    pub total: u32,
}

impl From<OldOrder> for Order {
    fn from(OldOrder { customer, number, total }: OldOrder) -> Self {
        Self { customer, number, total }
    }
}

impl From<Order> for OldOrder {
    fn from(Order { customer, number, total }: Order) -> Self {
        Self { customer, number, total }
    }
}

impl From<OrderKey> for OldOrderKey {
    fn from(OrderKey { customer, number }: OrderKey) -> Self {
        Self { customer, number }
    }
}

impl MovedFrom for Order {
    type Old = OldOrder;
}

fn customer_of(number: u32) -> String {
    format!("c{:07}", number / CUSTOMER)
}

/// Returns the note of an entity, unless a writer inserted it.
#[must_use]
pub fn note_of(number: u32) -> Option<u32> {
    number.is_multiple_of(NOTED).then_some(number)
}

impl NotedOrder {
    /// Returns an entity as it is before the run.
    #[must_use]
    pub fn first(number: u32) -> Self {
        Self { customer: customer_of(number), number, total: 0, note: note_of(number) }
    }
}

impl Order {
    #[must_use]
    pub fn new(number: u32, total: u32) -> Self {
        Self { customer: customer_of(number), number, total }
    }

    #[must_use]
    pub fn key_of(number: u32) -> OrderKey {
        OrderKey { customer: customer_of(number), number }
    }
}

pub mod by_hand;
pub mod native;
pub mod ours;
pub mod redb;
#[cfg(feature = "rocksdb")]
pub mod rocksdb;
pub mod sqlite;

use crate::{
    contender::{Outcome, Writer},
    group_commit::Client,
    order::Order,
    record,
};

/// For contenders that encode in the committing thread.
impl Writer for Client<Vec<Order>> {
    fn upsert(&mut self, order: Order) -> Outcome {
        self.transact(vec![order])
    }

    fn transact(&mut self, orders: Vec<Order>) -> Outcome {
        let bytes = orders.iter().map(record::length).sum();
        let operations = orders.len();
        self.send(orders, operations, bytes)
    }
}

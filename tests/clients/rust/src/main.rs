//! Runs all cases with the old client for Rust: `old-client CONNECTION_STRING`.

mod account;
mod batches;
mod cases;
mod entities;
mod entity;
mod queries;

use crate::{account::Account, cases::Cases};

#[tokio::main]
async fn main() {
    let connection = std::env::args().nth(1).unwrap_or_default();
    let mut cases = Cases::new(Account::parse(&connection));
    entities::add(&mut cases).await;
    batches::add(&mut cases).await;
    queries::add(&mut cases).await;
}

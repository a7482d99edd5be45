//! The explorer: a web page for the tables, queues and blobs of a store, for one person on one machine.
//!
//! It listens on the loopback address only, and requires a start token. Pages are rendered by the server; every page has
//! a URL, and works without the script. The rules of queries are those of `table-model`: a filter is classified before
//! any row is read, and a scan requires consent.
//!
//! ```no_run
//! use table_explorer::{Explorer, Place};
//! use table_store::OpenOptions;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let store = OpenOptions::new().open("company.tables")?;
//! let running = Explorer::new(Place::of_store("company.tables", store)).bind(0).await?;
//! println!("explorer {}", running.start_url());
//! running.until(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

#![expect(clippy::similar_names, reason = "a page has a `context` and a `content`")]

mod access;
mod advice;
mod asset;
mod body;
mod design;
mod edit;
mod explorer;
mod observed;
mod params;
mod place;
mod problem;
mod reply;
mod route;
mod server;
mod show;
mod upload;
mod view;

pub use explorer::{Explorer, Running};
pub use observed::{
    Distribution, HeatSpan, HeatStep, HotPartition, Observed, SlowRequest, TableTotals, Totals, TotalsAt,
};
pub use place::Place;

//! Copies of tables, containers and queues between services, verified and resumable.
//!
//! [`TableCopy`] reads a table of two services in key order and writes what differs. A repeated copy therefore resumes,
//! catches up with changes of the source, and proves equality if it has nothing to write. [`BlobCopy`] does the same with the
//! blobs of a container. [`QueueCopy`] creates a queue, and moves its messages.
//!
//! ```
//! use table_exchange::copy::TableCopy;
//! use table_model::{Entity, Operation, TableService};
//! use table_store::Store;
//!
//! # pollster::block_on(async {
//! let (from, to) = (Store::in_memory()?, Store::in_memory()?);
//! let table = "People".parse()?;
//! from.create_table(&table).await?;
//! from.execute(&table, &Operation::Insert(Entity::new("Sales", "1").with("Age", 34))).await?;
//!
//! let copy = TableCopy::new(&from, &to, &table);
//! let first = copy.run(async |_| ()).await?;
//! assert_eq!((first.read, first.missing, first.remaining()), (1, 1, 0));
//! let second = copy.run(async |_| ()).await?;
//! assert_eq!((second.read, second.found()), (1, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod blobs;
mod copied;
mod difference;
mod pages;
mod pass;
mod queue;
mod same;
mod settle;
mod table;

pub use blobs::BlobCopy;
pub use copied::Copied;
pub use difference::{Difference, DifferenceKind, Subject};
pub use queue::QueueCopy;
pub use table::TableCopy;

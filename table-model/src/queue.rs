//! Message queues with the limits and error codes of Azure Queue storage.
//!
//! Getting a message does not delete it. The message becomes invisible for some time, and becomes visible again unless
//! it is deleted with its [`PopReceipt`]. Work is therefore done at least once, even if a worker fails while processing
//! a message. Messages are returned approximately in the order in which they become visible.
//!
//! ```
//! use std::time::Duration;
//! use table_model::{QueueService, Result, queue::{GetMessages, QueueName}};
//!
//! /// Receives messages and deletes each one after its work is done.
//! async fn work(service: &dyn QueueService, queue: &QueueName) -> Result<()> {
//!     // A worker has ten seconds for a message; then another one may get it.
//!     let get = GetMessages::new().visibility(Duration::from_secs(10));
//!     for message in service.get_messages(queue, get).await? {
//!         println!("{}", message.text);
//!         service.delete_message(queue, message.id, &message.pop_receipt).await?;
//!     }
//!     Ok(())
//! }
//! ```

pub mod limits;
mod listing;
mod message;
mod name;
mod pop_receipt;
mod properties;
mod request;
mod service;

pub use listing::{ListQueues, QueueItem, QueuesSegment};
pub use message::{Message, MessagePut, MessageUpdated, PeekedMessage};
pub use name::QueueName;
pub use pop_receipt::PopReceipt;
pub use properties::{QueueCreated, QueueProperties};
pub use request::{
    GetMessages, PutMessage, TimeToLive, UpdateMessage, check_count, check_text, out_of_range,
};
pub use service::QueueService;

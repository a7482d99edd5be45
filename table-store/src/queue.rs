//! Message queues with the limits and error codes of Azure Queue storage.
//!
//! Getting a message does not delete it. The message becomes invisible for some time, and becomes visible again unless
//! it is deleted with its [`PopReceipt`]. Work is therefore done at least once, even if a worker fails while processing
//! a message. Messages are returned approximately in the order in which they become visible.
//!
//! ```
//! # #[cfg(feature = "embedded")]
//! # pollster::block_on(async {
//! use std::time::Duration;
//! use table_store::{Metadata, QueueService, embedded::Store, queue::{GetMessages, PutMessage}};
//!
//! let store = Store::in_memory()?;
//! let queue = "photos-to-shrink".parse()?;
//! store.create_queue(&queue, Metadata::new()).await?;
//! store.put_message(&queue, PutMessage::new("photo 223")).await?;
//!
//! // A worker has ten seconds for it; then another one may get it.
//! let get = GetMessages::new().visibility(Duration::from_secs(10));
//! for message in store.get_messages(&queue, get).await? {
//!     assert_eq!((message.text.as_str(), message.dequeue_count), ("photo 223", 1));
//!     store.delete_message(&queue, message.id, &message.pop_receipt).await?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
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
#[cfg(feature = "embedded")]
pub(crate) use request::out_of_range;
pub use request::{GetMessages, PutMessage, TimeToLive, UpdateMessage, check_count, check_text};
pub use service::QueueService;

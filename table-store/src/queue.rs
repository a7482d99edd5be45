//! Queues: messages that wait to be worked on, with the limits and error codes of Azure Queue storage.
//!
//! A message that was got is not gone: it is invisible for a while, and comes back unless it is deleted by the
//! [`PopReceipt`] that came with it. So work is done at least once, also if a worker dies over it. Messages come in about
//! the order in which they become visible.
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

use http::HeaderMap;
use table_model::{
    TableError,
    queue::{MessageUpdated, PopReceipt, QueueProperties},
};

use crate::wire::{fields, http_date::HttpDate, metadata};

/// The approximate number of messages in a queue.
pub const MESSAGES_COUNT: &str = "x-ms-approximate-messages-count";
/// The pop receipt of an updated message.
pub const POP_RECEIPT: &str = "x-ms-popreceipt";
/// The time at which an updated message becomes visible.
pub const TIME_NEXT_VISIBLE: &str = "x-ms-time-next-visible";

/// Writes the properties of a queue.
pub fn write_properties(properties: &QueueProperties, headers: &mut HeaderMap) {
    fields::set(headers, MESSAGES_COUNT, properties.approximate_messages);
    metadata::write(&properties.metadata, headers);
}

/// Reads the properties of a queue.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`; see also [`metadata::read`].
pub fn read_properties(headers: &HeaderMap) -> Result<QueueProperties, TableError> {
    let count = fields::parsed(headers, MESSAGES_COUNT)?;
    let approximate_messages = fields::required(count, MESSAGES_COUNT)?;
    Ok(QueueProperties { metadata: metadata::read(headers)?, approximate_messages })
}

/// Writes the response headers of a message update.
pub fn write_updated(updated: &MessageUpdated, headers: &mut HeaderMap) {
    fields::set(headers, POP_RECEIPT, &updated.pop_receipt);
    fields::set(headers, TIME_NEXT_VISIBLE, HttpDate(updated.next_visible));
}

/// Reads the response headers of a message update.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_updated(headers: &HeaderMap) -> Result<MessageUpdated, TableError> {
    let receipt = fields::required(fields::text(headers, POP_RECEIPT)?, POP_RECEIPT)?;
    let next = fields::required(fields::time(headers, TIME_NEXT_VISIBLE)?, TIME_NEXT_VISIBLE)?;
    Ok(MessageUpdated { pop_receipt: PopReceipt::new(receipt), next_visible: next })
}

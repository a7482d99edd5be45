use http::HeaderMap;
use table_store::{
    TableError,
    queue::{MessageUpdated, PopReceipt, QueueProperties},
};

use crate::wire::{fields, http_date::HttpDate, metadata};

/// How many messages a queue holds, about.
pub const MESSAGES_COUNT: &str = "x-ms-approximate-messages-count";
/// The receipt of a message that was updated.
pub const POP_RECEIPT: &str = "x-ms-popreceipt";
/// When a message that was updated becomes visible.
pub const TIME_NEXT_VISIBLE: &str = "x-ms-time-next-visible";

/// Writes what is known of a queue.
pub fn write_properties(properties: &QueueProperties, headers: &mut HeaderMap) {
    fields::set(headers, MESSAGES_COUNT, properties.approximate_messages);
    metadata::write(&properties.metadata, headers);
}

/// Reads what is known of a queue.
///
/// # Errors
/// `InvalidHeaderValue`; see [`metadata::read`].
pub fn read_properties(headers: &HeaderMap) -> Result<QueueProperties, TableError> {
    let count = fields::parsed(headers, MESSAGES_COUNT)?;
    let approximate_messages = fields::required(count, MESSAGES_COUNT)?;
    Ok(QueueProperties { metadata: metadata::read(headers)?, approximate_messages })
}

/// Writes what updating a message answers.
pub fn write_updated(updated: &MessageUpdated, headers: &mut HeaderMap) {
    fields::set(headers, POP_RECEIPT, &updated.pop_receipt);
    fields::set(headers, TIME_NEXT_VISIBLE, HttpDate(updated.next_visible));
}

/// Reads what updating a message answers.
///
/// # Errors
/// `InvalidHeaderValue`.
pub fn read_updated(headers: &HeaderMap) -> Result<MessageUpdated, TableError> {
    let receipt = fields::required(fields::text(headers, POP_RECEIPT)?, POP_RECEIPT)?;
    let next = fields::required(fields::time(headers, TIME_NEXT_VISIBLE)?, TIME_NEXT_VISIBLE)?;
    Ok(MessageUpdated { pop_receipt: PopReceipt::new(receipt), next_visible: next })
}

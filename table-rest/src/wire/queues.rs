//! Wire format of queues and messages: bodies, headers and parameters, with reader and writer.

mod headers;
mod listing;
mod messages;
mod parameters;

pub use headers::{
    MESSAGES_COUNT, POP_RECEIPT, TIME_NEXT_VISIBLE, read_properties, read_updated, write_properties,
    write_updated,
};
pub use listing::{list_parameters, read_list_parameters, read_queues, write_queues};
pub use messages::{
    MESSAGE_BODY_BYTES, read_got, read_message, read_peeked, read_put, write_got, write_message,
    write_peeked, write_put,
};
pub use parameters::{
    get_parameters, peek_parameters, put_parameters, read_get_parameters, read_peek_parameters,
    read_put_parameters, read_receipt_parameters, read_update_parameters, receipt_parameters,
    update_parameters,
};

/// Names and values of a query, not yet encoded.
pub type Parameters = Vec<(&'static str, String)>;

#[cfg(test)]
mod tests;

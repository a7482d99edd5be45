use bytes::Bytes;
use table_model::{
    ErrorCode, TableError, Timestamp, Uuid,
    queue::{Message, MessagePut, PeekedMessage, PopReceipt, limits::MESSAGE_BYTES},
};

use crate::wire::{
    http_date::HttpDate,
    xml::{Element, Limits, Writer, parse},
};

/// Maximum size of a request body: a message in which every character has its longest escape, and the surrounding
/// elements.
pub const MESSAGE_BODY_BYTES: usize = 6 * MESSAGE_BYTES + 1024;

/// The expiry of messages that never expire: the last representable second.
const NEVER: HttpDate = HttpDate(Timestamp::MAX);

/// Writes a message to put, or the new content of an update.
#[must_use]
pub fn write_message(text: &str) -> Bytes {
    let mut xml = Writer::unmarked();
    xml.element("QueueMessage", |xml| xml.text("MessageText", text));
    xml.finish()
}

/// Reads the content of a put or an update.
///
/// # Errors
///
/// Returns `InvalidXmlDocument` or `MissingRequiredXmlNode`.
pub fn read_message(body: &[u8]) -> Result<String, TableError> {
    let limits = Limits { bytes: MESSAGE_BODY_BYTES, ..Limits::REQUEST };
    let message = parse(body, limits)?.named("QueueMessage")?;
    let text = message.children.into_iter().find(|child| *child.name == *"MessageText");
    text.map(|element| element.text).ok_or_else(|| ErrorCode::MissingRequiredXmlNode.into())
}

/// Writes the response to a put.
#[must_use]
pub fn write_put(message: &MessagePut) -> Bytes {
    write([message], |message, xml| {
        write_times(xml, message.id, message.inserted, message.expires);
        write_receipt(xml, &message.pop_receipt, message.next_visible);
    })
}

/// Reads the response to a put.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode` or `InvalidXmlNodeValue`.
pub fn read_put(body: &[u8]) -> Result<MessagePut, TableError> {
    let mut put = read(body, |message| {
        Ok(MessagePut {
            id: parsed(message, "MessageId")?,
            inserted: time(message, "InsertionTime")?,
            expires: expires(message)?,
            pop_receipt: PopReceipt::new(message.required("PopReceipt")?),
            next_visible: time(message, "TimeNextVisible")?,
        })
    })?;
    put.pop().ok_or_else(|| ErrorCode::MissingRequiredXmlNode.into())
}

/// Writes received messages.
#[must_use]
pub fn write_got(messages: &[Message]) -> Bytes {
    write(messages, |message, xml| {
        write_times(xml, message.id, message.inserted, message.expires);
        write_receipt(xml, &message.pop_receipt, message.next_visible);
        write_content(xml, message.dequeue_count, &message.text);
    })
}

/// Reads received messages.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode` or `InvalidXmlNodeValue`.
pub fn read_got(body: &[u8]) -> Result<Vec<Message>, TableError> {
    read(body, |message| {
        Ok(Message {
            id: parsed(message, "MessageId")?,
            inserted: time(message, "InsertionTime")?,
            expires: expires(message)?,
            pop_receipt: PopReceipt::new(message.required("PopReceipt")?),
            next_visible: time(message, "TimeNextVisible")?,
            dequeue_count: parsed(message, "DequeueCount")?,
            text: message.required("MessageText")?.to_owned(),
        })
    })
}

/// Writes peeked messages.
#[must_use]
pub fn write_peeked(messages: &[PeekedMessage]) -> Bytes {
    write(messages, |message, xml| {
        write_times(xml, message.id, message.inserted, message.expires);
        write_content(xml, message.dequeue_count, &message.text);
    })
}

/// Reads peeked messages.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode` or `InvalidXmlNodeValue`.
pub fn read_peeked(body: &[u8]) -> Result<Vec<PeekedMessage>, TableError> {
    read(body, |message| {
        Ok(PeekedMessage {
            id: parsed(message, "MessageId")?,
            inserted: time(message, "InsertionTime")?,
            expires: expires(message)?,
            dequeue_count: parsed(message, "DequeueCount")?,
            text: message.required("MessageText")?.to_owned(),
        })
    })
}

fn write<T>(messages: impl IntoIterator<Item = T>, each: impl Fn(T, &mut Writer)) -> Bytes {
    let mut xml = Writer::new();
    xml.element("QueueMessagesList", |xml| {
        for message in messages {
            xml.element("QueueMessage", |xml| each(message, xml));
        }
    });
    xml.finish()
}

fn write_times(xml: &mut Writer, id: Uuid, inserted: Timestamp, expires: Option<Timestamp>) {
    xml.value("MessageId", id);
    xml.value("InsertionTime", HttpDate(inserted));
    xml.value("ExpirationTime", expires.map_or(NEVER, HttpDate));
}

fn write_receipt(xml: &mut Writer, receipt: &PopReceipt, next_visible: Timestamp) {
    xml.text("PopReceipt", receipt.as_str());
    xml.value("TimeNextVisible", HttpDate(next_visible));
}

fn write_content(xml: &mut Writer, dequeue_count: u32, text: &str) {
    xml.value("DequeueCount", dequeue_count);
    xml.text("MessageText", text);
}

fn read<T>(body: &[u8], each: impl Fn(&Element) -> Result<T, TableError>) -> Result<Vec<T>, TableError> {
    parse(body, Limits::ANSWER)?.named("QueueMessagesList")?.children.iter().map(each).collect()
}

fn parsed<T: std::str::FromStr>(message: &Element, name: &str) -> Result<T, TableError> {
    message.required(name)?.parse().map_err(|_| ErrorCode::InvalidXmlNodeValue.into())
}

fn time(message: &Element, name: &str) -> Result<Timestamp, TableError> {
    parsed::<HttpDate>(message, name).map(|date| date.0)
}

fn expires(message: &Element) -> Result<Option<Timestamp>, TableError> {
    let text = message.required("ExpirationTime")?;
    if text == NEVER.to_string() {
        return Ok(None);
    }
    time(message, "ExpirationTime").map(Some)
}

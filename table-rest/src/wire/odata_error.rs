//! Errors of the table service as JSON.

use std::borrow::Cow;

use serde::Deserialize;
use table_model::{ErrorCode, TableError, Timestamp, Uuid};

use super::{storage_error, value::push_text};

/// Writes an error. Its index, if present, precedes the message. For an internal fault, only the kind is written.
///
/// ```
/// use table_rest::wire::odata_error;
/// use table_model::{ErrorCode, TableError, Timestamp, Uuid};
///
/// let error = TableError::new(ErrorCode::TableNotFound).at(0);
/// let body = odata_error::write(&error, Uuid::nil(), Timestamp::UNIX_EPOCH);
/// assert_eq!(
///     body,
///     r#"{"odata.error":{"code":"TableNotFound","message":{"lang":"en-US","value":"0:The table specified does not exist.\nRequestId:00000000-0000-0000-0000-000000000000\nTime:1970-01-01T00:00:00.0000000Z"}}}"#
/// );
/// let read = odata_error::read(404, body.as_bytes());
/// assert_eq!((read.code(), read.index(), read.message()), (error.code(), Some(0), error.message()));
/// ```
#[must_use]
pub fn write(error: &TableError, request: Uuid, time: Timestamp) -> String {
    let index = error.index().map(|index| format!("{index}:")).unwrap_or_default();
    let message = storage_error::public_message(error);
    let text = format!("{index}{message}\nRequestId:{request}\nTime:{}", time.to_full_string());
    let mut body = String::with_capacity(text.len() + 96);
    body.push_str("{\"odata.error\":{\"code\":\"");
    body.push_str(error.code().as_str());
    body.push_str("\",\"message\":{\"lang\":\"en-US\",\"value\":");
    push_text(&mut body, &text);
    body.push_str("}}}");
    body
}

/// Reads the error of a response with this status, as a client. An unknown code is replaced by the closest code for the
/// status, and appended to the message.
#[must_use]
pub fn read(status: u16, body: &[u8]) -> TableError {
    #[derive(Deserialize)]
    struct Body<'a> {
        #[serde(borrow, rename = "odata.error")]
        error: Said<'a>,
    }
    #[derive(Deserialize)]
    struct Said<'a> {
        #[serde(borrow)]
        code: Cow<'a, str>,
        #[serde(borrow)]
        message: Option<Message<'a>>,
    }
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        value: Cow<'a, str>,
    }
    match serde_json::from_slice::<Body<'_>>(body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)) {
        Ok(Body { error }) => {
            said(status, &error.code, error.message.as_ref().map_or("", |message| &message.value))
        }
        Err(_) => {
            TableError::with_message(of_status(status), format!("The service returned status {status}."))
        }
    }
}

/// Creates an error from a status, a code and a message, and removes the lines that the service adds to the message.
#[must_use]
pub fn said(status: u16, code: &str, message: &str) -> TableError {
    let message = message.split("\nRequestId:").next().unwrap_or_default().trim_end();
    let (index, message) = match message.split_once(':') {
        Some((index, rest)) if index.len() <= 3 && !index.is_empty() => match index.parse::<u8>() {
            Ok(index) => (Some(usize::from(index)), rest),
            Err(_) => (None, message),
        },
        _ => (None, message),
    };
    let known = ErrorCode::ALL.iter().copied().find(|known| known.as_str() == code);
    let error = match known {
        Some(known) if known.message() == message || message.is_empty() => TableError::new(known),
        Some(known) => TableError::with_message(known, message),
        None => TableError::with_message(of_status(status), format!("{code}: {message}")),
    };
    match index {
        Some(index) => error.at(index),
        None => error,
    }
}

/// Returns the table error code that is closest to a status.
fn of_status(status: u16) -> ErrorCode {
    match status {
        409 => ErrorCode::EntityAlreadyExists,
        412 => ErrorCode::UpdateConditionNotSatisfied,
        other => storage_error::of_status(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_back_with_its_index() {
        for &code in ErrorCode::ALL {
            for error in [
                TableError::new(code),
                TableError::new(code).at(99),
                TableError::with_message(code, "a\n\"ö\""),
            ] {
                let read = read(error.status(), write(&error, Uuid::max(), Timestamp::MAX).as_bytes());
                assert_eq!(format!("{read:?}"), format!("{error:?}"));
            }
        }
    }

    #[test]
    fn an_answer_that_says_nothing_known_is_read_by_its_status() {
        let error = read(409, br#"{"odata.error":{"code":"NewCode","message":{"lang":"en-US","value":"12:Text.\nRequestId:x"}}}"#);
        assert_eq!(
            (error.code(), error.index(), error.message()),
            (ErrorCode::EntityAlreadyExists, Some(12), "NewCode: Text.")
        );
        for body in ["", "<html/>", "{\"odata.error\":1}", "{}"] {
            assert_eq!(read(503, body.as_bytes()).code(), ErrorCode::ServerBusy, "{body}");
        }
        let error = read(
            400,
            br#"{"odata.error":{"code":"InvalidInput","message":{"lang":"en-US","value":"Error: 5:6"}}}"#,
        );
        assert_eq!((error.index(), error.message()), (None, "Error: 5:6"));
        assert_eq!(
            read(404, br#"{"odata.error":{"code":"TableNotFound"}}"#).code(),
            ErrorCode::TableNotFound
        );
    }
}

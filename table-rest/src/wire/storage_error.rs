//! Errors as XML: for queues, blobs, and table requests with XML responses.

use bytes::Bytes;
use table_model::{ErrorCode, StorageFault, TableError, Timestamp, Uuid};

use super::xml::{Limits, Writer, parse};

/// The media type of an error.
pub const CONTENT_TYPE: &str = "application/xml";

/// The two forms of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `<Error>`: queues and blobs.
    Storage,
    /// `<m:error>`: access policies and service properties of tables.
    Table,
}

const NAMESPACE: &str = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata";

/// Writes an error. `details` are additional elements, which the table form does not support. `request` and `time` are
/// appended to the message, to find the request in a log.
#[must_use]
pub fn write(
    shape: Shape,
    error: &TableError,
    details: &[(&str, String)],
    request: Uuid,
    time: Timestamp,
) -> Bytes {
    let message = message(error, request, time);
    match shape {
        Shape::Storage => {
            let mut xml = Writer::new();
            xml.element("Error", |xml| {
                xml.text("Code", error.code().as_str());
                xml.text("Message", &message);
                for (name, text) in details {
                    xml.text(name, text);
                }
            });
            xml.finish()
        }
        Shape::Table => {
            let mut xml = Writer::unmarked();
            xml.element_with("m:error", &[("xmlns:m", NAMESPACE)], |xml| {
                xml.text("m:code", error.code().as_str());
                let language = [("xml:lang", "en-US")];
                xml.element_with("m:message", &language, |xml| xml.characters(&message));
            });
            xml.finish()
        }
    }
}

/// Returns the error message with request ID and time.
fn message(error: &TableError, request: Uuid, time: Timestamp) -> String {
    let message = public_message(error);
    format!("{message}\nRequestId:{request}\nTime:{}", time.to_full_string())
}

/// Returns the message of an error as clients see it. For an internal fault, clients see only its kind, without paths
/// and contents of files; these are in the server log.
pub(crate) fn public_message(error: &TableError) -> &str {
    match error.fault() {
        None => error.message(),
        Some(StorageFault::DiskFull { .. }) => {
            "The server encountered an internal error: no space is left on the device."
        }
        Some(StorageFault::Corrupt { .. }) => {
            "The server encountered an internal error: a stored record is damaged."
        }
        Some(_) => error.code().message(),
    }
}

/// Reads the error of a response: from its body in either form; else from the header `x-ms-error-code`; else from its
/// status.
#[must_use]
pub fn read(status: u16, code: Option<&str>, body: &[u8]) -> TableError {
    if status == 304 {
        return TableError::not_modified();
    }
    let error = parse(body, Limits::REQUEST).ok().filter(|error| error.name.eq_ignore_ascii_case("error"));
    let text = |upper, lower| error.as_ref().and_then(|error| error.text_of(upper).or(error.text_of(lower)));
    let known = |code: &str| ErrorCode::ALL.iter().find(|known| known.as_str() == code).copied();
    let said = text("Code", "code").or(code);
    let code = said.and_then(known).unwrap_or_else(|| of_status(status));
    let message = text("Message", "message").map(own_part).unwrap_or_default();
    match said {
        _ if !message.is_empty() => TableError::with_message(code, message),
        Some(said) if said != code.as_str() => TableError::with_message(code, said),
        _ => code.into(),
    }
}

/// Returns the message without the lines that identify the request.
fn own_part(message: &str) -> &str {
    let end = message.find("\nRequestId:").unwrap_or(message.len());
    message.get(..end).unwrap_or(message).trim_end()
}

/// Returns the closest error code for a status without a code.
#[must_use]
pub fn of_status(status: u16) -> ErrorCode {
    match status {
        304 | 412 => ErrorCode::ConditionNotMet,
        401 => ErrorCode::NoAuthenticationInformation,
        403 => ErrorCode::AuthorizationFailure,
        404 => ErrorCode::ResourceNotFound,
        405 => ErrorCode::MethodNotAllowed,
        408 => ErrorCode::OperationTimedOut,
        411 => ErrorCode::MissingContentLengthHeader,
        413 => ErrorCode::RequestBodyTooLarge,
        415 => ErrorCode::MediaTypeNotSupported,
        416 => ErrorCode::InvalidRange,
        429 | 503 => ErrorCode::ServerBusy,
        501 => ErrorCode::NotImplemented,
        400..=499 => ErrorCode::InvalidInput,
        _ => ErrorCode::InternalError,
    }
}

#[cfg(test)]
mod tests {
    use table_model::StorageFault;

    use super::*;

    const ID: Uuid = Uuid::from_u128(0x29cc_0000_0002_0000_0000_0000_0000_0000);

    fn time() -> Timestamp {
        "2017-08-30T13:20:10.4954562Z".parse().unwrap()
    }

    fn written(shape: Shape, error: &TableError, details: &[(&str, String)]) -> String {
        String::from_utf8(write(shape, error, details, ID, time()).to_vec()).unwrap()
    }

    #[test]
    fn an_error_of_a_queue_or_blob_has_a_mark_and_its_details_last() {
        let error = TableError::new(ErrorCode::QueueNotFound);
        let details = [("QueryParameterName", "a<b".to_owned())];
        assert_eq!(
            written(Shape::Storage, &error, &details),
            "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>QueueNotFound</Code><Message>The \
             specified queue does not exist.\nRequestId:29cc0000-0002-0000-0000-000000000000\n\
             Time:2017-08-30T13:20:10.4954562Z</Message>\
             <QueryParameterName>a&lt;b</QueryParameterName></Error>"
        );
    }

    #[test]
    fn an_error_of_a_tables_policies_is_in_the_namespace_of_its_metadata() {
        let error = TableError::new(ErrorCode::InvalidXmlDocument);
        assert_eq!(
            written(Shape::Table, &error, &[]),
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error \
             xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">\
             <m:code>InvalidXmlDocument</m:code><m:message xml:lang=\"en-US\">XML specified is not syntactically \
             valid.\nRequestId:29cc0000-0002-0000-0000-000000000000\nTime:2017-08-30T13:20:10.4954562Z</m:message>\
             </m:error>"
        );
    }

    #[test]
    fn every_code_reads_back_from_both_shapes_and_from_the_header_alone() {
        for &code in ErrorCode::ALL {
            let error = TableError::with_message(code, "why & wherefore");
            for shape in [Shape::Storage, Shape::Table] {
                let found = read(error.status(), None, written(shape, &error, &[]).as_bytes());
                assert_eq!((found.code(), found.message()), (code, "why & wherefore"));
            }
            let found = read(error.status(), Some(code.as_str()), b"");
            assert_eq!((found.code(), found.message()), (code, code.message()));
        }
    }

    #[test]
    fn an_answer_that_says_nothing_we_know_is_taken_by_its_status() {
        let found = read(409, Some("PendingCopyOperation"), b"<html>");
        assert_eq!((found.code(), found.message()), (ErrorCode::InvalidInput, "PendingCopyOperation"));
        assert_eq!(read(503, None, b"").code(), ErrorCode::ServerBusy);
        assert!(read(304, Some("ConditionNotMet"), b"").is_not_modified());
        assert!(read(502, None, b"Bad Gateway").is_outcome_unknown());
    }

    #[test]
    fn a_fault_below_the_service_is_not_told() {
        let fault = StorageFault::Corrupt { what: "page 7 of /data/account.tables".to_owned() };
        assert!(!written(Shape::Storage, &fault.into(), &[]).contains("/data/"));
    }
}

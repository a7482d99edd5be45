//! Error responses.

use http::HeaderMap;
use table_model::{ErrorCode, TableError};

use super::answer::header;
use crate::{
    ServiceKind,
    wire::{odata_error, storage_error},
};

/// Returns the error of a response: the error code of the service, or an error derived from the status.
///
/// A `503` without `ServerBusy` may come from an intermediary while the service still executes the request, so its
/// outcome is unknown.
pub(super) fn read(kind: ServiceKind, status: u16, headers: &HeaderMap, body: &[u8]) -> TableError {
    let code = header(headers, "x-ms-error-code");
    let is_json = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    let error = if kind == ServiceKind::Table && is_json {
        odata_error::read(status, body)
    } else {
        storage_error::read(status, code, body)
    };
    let says_so = || code.is_some() || memchr::memmem::find(body, b"ServerBusy").is_some();
    if status == 503 && error.code() == ErrorCode::ServerBusy && !says_so() {
        return TableError::no_response("status 503 without a code, not from the service");
    }
    match header(headers, "x-ms-request-id") {
        Some(id) => error.of_request(id),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(status: u16, body: &str) -> TableError {
        read(ServiceKind::Table, status, &HeaderMap::new(), body.as_bytes())
    }

    #[test]
    fn tables_answer_in_json_and_their_settings_in_xml() {
        let json = r#"{"odata.error":{"code":"TableNotFound","message":{"lang":"en-US","value":"x"}}}"#;
        assert_eq!(table(404, json).code(), ErrorCode::TableNotFound);
        let xml =
            "<m:error xmlns:m='m'><m:code>InvalidXmlDocument</m:code><m:message>x</m:message></m:error>";
        assert_eq!(table(400, xml).code(), ErrorCode::InvalidXmlDocument);
    }

    #[test]
    fn error_contains_the_id_of_the_request() {
        let headers =
            [("x-ms-request-id", "a1")].map(|(name, id)| (name.parse().unwrap(), id.parse().unwrap()));
        let error = read(ServiceKind::Queue, 404, &headers.into_iter().collect(), b"");
        assert_eq!(error.request_id(), Some("a1"));
        assert_eq!(table(404, "").request_id(), None);
    }

    #[test]
    fn only_who_says_that_it_is_busy_has_surely_done_nothing() {
        let busy = r#"{"odata.error":{"code":"ServerBusy","message":{"lang":"en-US","value":"x"}}}"#;
        assert!(!table(503, busy).is_outcome_unknown());
        assert!(table(503, "upstream connect error or disconnect/reset before headers").is_outcome_unknown());
        assert!(table(503, "").is_outcome_unknown());
        assert!(table(500, "").is_outcome_unknown());
        assert!(table(502, "<html>").is_outcome_unknown());
        // The form that Cosmos DB uses.
        let cosmos = r#"{"odata.error":{"code":"TooManyRequests","message":{"lang":"en-US","value":"x"}}}"#;
        assert_eq!(table(429, cosmos).code(), ErrorCode::ServerBusy);
    }
}

use http::{HeaderName, StatusCode, header};

use super::{Call, Refusal, Reply};
use crate::{
    ServiceKind,
    wire::storage_error::{self, Shape},
};

const ERROR_CODE: HeaderName = HeaderName::from_static("x-ms-error-code");

/// The answer to a request that was refused, in the form of the service it came to.
pub(crate) fn refused(call: &Call, refusal: &Refusal) -> Reply {
    let error = &refusal.error;
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let shape = match call.kind {
        ServiceKind::Blob | ServiceKind::Queue => Shape::Storage,
        ServiceKind::Table => Shape::Table,
    };
    Reply::new(status)
        .header(ERROR_CODE, error.code().as_str())
        .header(header::CONTENT_TYPE, storage_error::CONTENT_TYPE)
        .body(storage_error::write(shape, error, &refusal.details, call.id, call.received))
}

use http::{HeaderName, StatusCode};

use super::{Call, Refusal, Reply};

const ERROR_CODE: HeaderName = HeaderName::from_static("x-ms-error-code");

/// The answer to a request that was refused, in the form of the service it came to.
pub(crate) fn refused(_call: &Call, refusal: &Refusal) -> Reply {
    let error = &refusal.error;
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Reply::new(status).header(ERROR_CODE, error.code().as_str())
}

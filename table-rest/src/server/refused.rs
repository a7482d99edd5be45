use http::{HeaderName, StatusCode, header};
use table_model::ErrorCode;

use super::{Call, Refusal, Reply};
use crate::{
    ServiceKind,
    wire::{
        level::Level,
        odata_error,
        storage_error::{self, Shape},
    },
};

const ERROR_CODE: HeaderName = HeaderName::from_static("x-ms-error-code");

/// Returns the response to a rejected request in the format of its service: JSON for tables, except for their settings,
/// otherwise XML.
pub(crate) fn refused(call: &Call, refusal: &Refusal) -> Reply {
    let error = &refusal.error;
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut reply = Reply::new(status).header(ERROR_CODE, error.code().as_str());
    if refusal.is_logged() {
        reply.refusal = Some(Box::new(refusal.clone()));
    }
    if error.code() == ErrorCode::ServerBusy {
        reply = reply.header(header::RETRY_AFTER, "1");
    }
    if error.code() == ErrorCode::NoAuthenticationInformation {
        reply = reply.header(header::WWW_AUTHENTICATE, "SharedKey");
    }
    let shape = match call.kind {
        ServiceKind::Blob | ServiceKind::Queue => Shape::Storage,
        ServiceKind::Table if call.query.get("comp").is_some() => Shape::Table,
        ServiceKind::Table => {
            let level = Level::asked(call.header("accept"), call.query.get("$format")).unwrap_or_default();
            return reply.header(header::CONTENT_TYPE, level.content_type()).body(odata_error::write(
                error,
                call.id,
                call.received,
            ));
        }
    };
    reply.header(header::CONTENT_TYPE, storage_error::CONTENT_TYPE).body(storage_error::write(
        shape,
        error,
        &refusal.details,
        call.id,
        call.received,
    ))
}

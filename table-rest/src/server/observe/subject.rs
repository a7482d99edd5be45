use std::net::IpAddr;

use metrics::Counter;
use table_model::{ErrorCode, StorageFault, Uuid};

use crate::{
    ServiceKind, TraceContext,
    server::{Call, Refusal},
};

/// The request of a log entry.
#[derive(Debug)]
pub(in crate::server) struct Subject {
    service: ServiceKind,
    account: String,
    id: Uuid,
    peer: IpAddr,
    operation: &'static str,
    trace_id: Option<String>,
    /// The counter of requests that found damaged data.
    damage: Option<Counter>,
}

impl Subject {
    pub(in crate::server) fn of(call: &Call, operation: &'static str) -> Self {
        Self {
            service: call.kind,
            account: call.account.clone(),
            id: call.id,
            peer: call.peer,
            operation,
            trace_id: TraceContext::of_headers(&call.headers)
                .map(|context| context.texts())
                .map(|[trace, ..]| trace),
            damage: None,
        }
    }

    /// Sets the counter of requests that found damaged data.
    pub(super) fn counting(self, damage: Option<Counter>) -> Self {
        Self { damage, ..self }
    }

    /// Logs the reason why a request failed or was not permitted. The log entry contains all fields, since the span may
    /// be filtered out.
    pub(in crate::server) fn log(&self, refusal: &Refusal) {
        let error = &refusal.error;
        let Self { service, account, id, peer, operation, trace_id, damage } = self;
        let (service, trace_id) = (service.as_str(), trace_id.as_deref());
        let (status, code) = (error.status(), error.code().as_str());
        let fault = error.fault().map(StorageFault::name);
        if let (Some(counter), Some(StorageFault::Corrupt { .. })) = (damage, error.fault()) {
            counter.increment(1);
        }
        let cause = match (&refusal.cause, error.fault()) {
            (Some(cause), _) => cause.to_string(),
            (None, Some(fault)) => fault.to_string(),
            (None, None) => error.message().to_owned(),
        };
        macro_rules! line {
            ($level:ident, $message:literal) => {
                tracing::$level!(
                    service, account, %id, %peer, trace_id, operation, status, code, fault, cause, $message
                )
            };
        }
        match error.code() {
            ErrorCode::InternalError => line!(error, "request failed"),
            _ if status >= 500 => line!(error, "request not served"),
            _ => line!(warn, "request not permitted"),
        }
    }
}

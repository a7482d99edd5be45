//! Sends single requests, with timeouts and retries.

use std::{fmt, future::Future, sync::Arc, time::Duration};

use azure_core::{
    error::ErrorKind,
    http::{AsyncRawResponse, AsyncResponseBody, Context, Pipeline, PipelineStreamOptions, Request},
};
use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use http::HeaderMap;
use table_model::{ErrorCode, Result, TableError};
use uuid::Uuid;

use super::{
    Clock, Endpoint, Retry,
    answer::{Answer, header, received},
    empty_pages::EmptyPages,
    hidden::hidden,
    outgoing::Outgoing,
    refused, unconnected,
};
use crate::{ServiceKind, TraceContext};

/// Response timeout, extended by one second for each [`SLOWEST`] bytes of the request body.
const PATIENCE: Duration = Duration::from_secs(60);
const SLOWEST: usize = 64 * 1024;
/// Maximum number of bytes read from an error body.
const ERROR_BYTES: usize = 64 * 1024;

/// The head of a response with a success status, and its unread body.
pub(super) struct Begun {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: AsyncResponseBody,
}

/// Sends the requests of one service of one account.
pub(super) struct Sender {
    pub(super) kind: ServiceKind,
    pub(super) endpoint: Endpoint,
    pub(super) pipeline: Pipeline,
    pub(super) retry: Retry,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) trace: Option<Arc<dyn Fn() -> Option<TraceContext> + Send + Sync>>,
    pub(super) empty_pages: EmptyPages,
}

/// Reason why a request has no success response.
pub(super) struct Failure {
    pub(super) error: TableError,
    pub(super) certainty: Certainty,
    /// The wait that the server requested.
    pub(super) asked: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// The request was rejected and would be rejected again.
    Refused,
    /// The request was not done; a retry may succeed.
    NotDone,
    /// The outcome is unknown.
    Unknown,
}

impl Sender {
    /// Sends a request and returns the complete response.
    ///
    /// # Errors
    ///
    /// Returns the error of the service. The outcome is [unknown](TableError::is_outcome_unknown) if the response was
    /// lost, unless the request is idempotent and a retry succeeded.
    pub(super) async fn send(&self, outgoing: &Outgoing) -> Result<Answer> {
        self.repeat(outgoing, || async {
            let patience = PATIENCE + Duration::from_secs((outgoing.body.len() / SLOWEST) as u64);
            let answered = async {
                let Begun { status, headers, body } = self.begin(outgoing).await?;
                Ok(Answer { status, headers, body: whole(body, outgoing.most).await? })
            };
            match tokio::time::timeout(patience, answered).await {
                Ok(answer) => answer,
                Err(_) => Err(lost(format!("no response within {} s", patience.as_secs()))),
            }
        })
        .await
    }

    /// Sends a request and returns the head of the response with its unread body. Later failures are not retried.
    ///
    /// # Errors
    ///
    /// Fails like [`send`](Self::send).
    pub(super) async fn stream(&self, outgoing: &Outgoing) -> Result<Begun> {
        self.repeat(outgoing, || self.begin(outgoing)).await
    }

    /// Retries until a response arrives or the retry policy ends.
    async fn repeat<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        outgoing: &Outgoing,
        send: impl Fn() -> F,
    ) -> Result<T> {
        let began = self.clock.elapsed();
        let mut tries = 0;
        loop {
            let failure = match send().await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            tries += 1;
            let may_repeat = match failure.certainty {
                Certainty::Refused => false,
                Certainty::NotDone => true,
                Certainty::Unknown => outgoing.is_repeatable,
            };
            let elapsed = self.clock.elapsed().saturating_sub(began);
            let is_connected = !failure.error.is_not_connected();
            let retry = if is_connected { self.retry } else { self.retry.without_connection() };
            let wait = retry.wait(tries, elapsed, failure.asked, self.clock.random());
            let Some(wait) = wait.filter(|_| may_repeat) else { return Err(self.clean(failure.error)) };
            tracing::info!(
                target: "table_rest::retry",
                reason = failure.error.code().as_str(),
                tries,
                wait_micros = u64::try_from(wait.as_micros()).unwrap_or(u64::MAX),
                "request is retried"
            );
            self.clock.sleep(wait).await;
        }
    }

    /// Removes the signature of requests from an error.
    pub(super) fn clean(&self, error: TableError) -> TableError {
        hidden(error, |text| self.endpoint.without_signature(text))
    }

    /// Sends the request once and returns the head of a success response.
    async fn begin(&self, outgoing: &Outgoing) -> Result<Begun, Failure> {
        let mut request = self.request(outgoing).map_err(Failure::refused)?;
        // Error responses are parsed here, with the error codes of the service.
        let options = PipelineStreamOptions { skip_checks: true, ..PipelineStreamOptions::default() };
        let response = self.pipeline.stream(&Context::new(), &mut request, Some(options)).await;
        let response = response.map_err(|error| unsent(&error, &self.endpoint))?;
        if response.status().is_success() {
            let (status, headers, body) = response.deconstruct();
            return Ok(Begun { status: status.into(), headers: received(&headers), body });
        }
        Err(self.failure(response).await)
    }

    fn request(&self, outgoing: &Outgoing) -> Result<Request> {
        let url = self.endpoint.url(&outgoing.path, outgoing.query.as_str())?;
        let mut request = Request::new(url, outgoing.method);
        request.insert_header("x-ms-client-request-id", Uuid::new_v4().to_string());
        if let Some(trace) = self.trace.as_ref().and_then(|trace| trace()) {
            request.insert_header("traceparent", trace.to_string());
            if let Some(state) = trace.state() {
                request.insert_header("tracestate", state.to_owned());
            }
        }
        for (name, value) in &outgoing.headers {
            // Names in a header map are lowercase, as the pipeline requires.
            if let Ok(value) = value.to_str() {
                request.insert_header(name.as_str().to_owned(), value.to_owned());
            }
        }
        if !outgoing.body.is_empty() {
            request.set_body(outgoing.body.clone());
        }
        Ok(request)
    }

    async fn failure(&self, response: AsyncRawResponse) -> Failure {
        let (status, headers, body) = response.deconstruct();
        let headers = received(&headers);
        // If the body is lost, the status is sufficient.
        let body = whole(body, ERROR_BYTES).await.unwrap_or_default();
        let error = refused::read(self.kind, u16::from(status), &headers, &body);
        let certainty = match error.code() {
            ErrorCode::ServerBusy => Certainty::NotDone,
            _ if error.is_outcome_unknown() => Certainty::Unknown,
            _ => Certainty::Refused,
        };
        Failure { error, certainty, asked: asked(&headers) }
    }
}

impl Failure {
    fn refused(error: TableError) -> Self {
        Self { error, certainty: Certainty::Refused, asked: None }
    }
}

fn lost(reason: impl Into<String>) -> Failure {
    Failure { error: TableError::no_response(reason), certainty: Certainty::Unknown, asked: None }
}

/// Classifies a failure of the pipeline by its effect on the request.
fn unsent(error: &azure_core::Error, endpoint: &Endpoint) -> Failure {
    let reason = chain(error);
    match error.kind() {
        ErrorKind::Connection => unconnected::failure(endpoint, &reason),
        ErrorKind::Credential => {
            let message = format!("No token could be obtained for the request: {reason}");
            Failure::refused(TableError::with_message(ErrorCode::AuthenticationFailed, message))
        }
        ErrorKind::Io | ErrorKind::HttpResponse { .. } => lost(reason),
        // The request could not be built.
        _ => Failure::refused(TableError::with_message(ErrorCode::InvalidInput, reason)),
    }
}

/// Returns an error message with all causes: the outermost error rarely contains the reason.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut inner = error.source();
    while let Some(cause) = inner {
        let said = cause.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        inner = cause.source();
    }
    text
}

/// Reads a complete body up to the maximum size.
async fn whole(body: AsyncResponseBody, most: usize) -> Result<Bytes, Failure> {
    let mut body = std::pin::pin!(body);
    let mut pieces = BytesMut::new();
    while let Some(piece) = std::future::poll_fn(|context| body.as_mut().poll_next(context)).await {
        let piece = piece.map_err(|error| lost(format!("the response was truncated: {}", chain(&error))))?;
        if pieces.len().saturating_add(piece.len()) > most {
            // A retry would return the same body.
            let error = TableError::no_response(format!("the response is longer than {most} bytes"));
            return Err(Failure::refused(error));
        }
        if pieces.is_empty() {
            pieces = BytesMut::from(piece);
        } else {
            pieces.extend_from_slice(&piece);
        }
    }
    Ok(pieces.freeze())
}

/// Returns the wait that the server requests.
fn asked(headers: &HeaderMap) -> Option<Duration> {
    let number = |name| header(headers, name)?.trim().parse::<u64>().ok();
    number("x-ms-retry-after-ms")
        .or_else(|| number("retry-after-ms"))
        .map(Duration::from_millis)
        .or_else(|| number("retry-after").map(Duration::from_secs))
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender")
            .field("kind", &self.kind)
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

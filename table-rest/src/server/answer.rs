//! Conversion of a reply to an HTTP response.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, header};
use hyper::body::{Frame, SizeHint};

use super::{
    Call, Refusal, Reply, ReplyBody, connection::Processing, connections::Busy, observe::Subject,
    share::UNCOUNTED,
};
use crate::{ServiceKind, auth::X_MS_VERSION};

const CLIENT_REQUEST_ID: HeaderName = HeaderName::from_static("x-ms-client-request-id");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-ms-request-id");

/// Maximum length of an `x-ms-client-request-id` that is echoed.
const MOST_ECHOED: usize = 1024;

/// Adds the headers of every response, and closes the connection if no further request can follow.
/// `subject` is the request in log entries of a streamed body.
pub(super) fn response(
    call: &Call,
    reply: Reply,
    subject: Option<Box<Subject>>,
    goes_on: bool,
) -> Response<Body> {
    let mut response = Response::new(Body { content: reply.body, subject, _processing: None });
    *response.status_mut() = reply.status;
    let mut headers = reply.headers;
    headers.insert(header::SERVER, server(call.kind));
    let mut id = [0; uuid::fmt::Hyphenated::LENGTH];
    if let Ok(id) = HeaderValue::from_str(call.id.hyphenated().encode_lower(&mut id)) {
        headers.insert(REQUEST_ID, id);
    }
    if let Ok(version) = HeaderValue::from_str(call.version()) {
        headers.insert(X_MS_VERSION.clone(), version);
    }
    let echoed = call.headers.get(CLIENT_REQUEST_ID).filter(|id| is_echoed(id.as_bytes()));
    if let Some(id) = echoed {
        headers.insert(CLIENT_REQUEST_ID, id.clone());
    }
    if !goes_on {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    *response.headers_mut() = headers;
    *response.extensions_mut() = reply.spelling.extensions();
    response
}

fn is_echoed(id: &[u8]) -> bool {
    id.len() <= MOST_ECHOED && id.iter().all(|byte| (b' '..=b'~').contains(byte))
}

const fn server(kind: ServiceKind) -> HeaderValue {
    match kind {
        ServiceKind::Blob => {
            const { HeaderValue::from_static("Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0") }
        }
        ServiceKind::Queue => {
            const { HeaderValue::from_static("Windows-Azure-Queue/1.0 Microsoft-HTTPAPI/2.0") }
        }
        ServiceKind::Table => {
            const { HeaderValue::from_static("Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0") }
        }
    }
}

/// A response body for the HTTP library.
#[derive(Debug)]
pub(super) struct Body {
    content: ReplyBody,
    /// The request, for log entries: streamed content may fail to be read.
    subject: Option<Box<Subject>>,
    /// The request of the body. It is processed until the response has been produced.
    _processing: Option<Processing>,
}

impl Body {
    /// Ends `processing` when the body is dropped. A large response keeps the connection busy until it is sent; the HTTP
    /// library drops the body when it has taken the last piece.
    pub(super) fn until_sent(mut self, mut processing: Processing) -> Self {
        if let ReplyBody::Whole(bytes) = &mut self.content
            && bytes.len() > UNCOUNTED
        {
            let (content, busy) = (std::mem::take(bytes), processing.take_busy());
            *bytes = Bytes::from_owner(Sent { content, _busy: busy });
        }
        Self { _processing: Some(processing), ..self }
    }
}

/// The content of a large response while it is sent.
struct Sent {
    content: Bytes,
    _busy: Option<Busy>,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.content
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        let body = self.get_mut();
        match &mut body.content {
            ReplyBody::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            ReplyBody::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            ReplyBody::Stream(left, pieces) => pieces.as_mut().poll_next(context).map(|piece| {
                piece.map(|piece| {
                    let piece = piece.map_err(|refusal| {
                        if let Some(subject) = &body.subject {
                            subject.log(&refusal);
                        }
                        Broken(refusal)
                    })?;
                    *left = left.saturating_sub(piece.len() as u64);
                    Ok(Frame::data(piece))
                })
            }),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.content, ReplyBody::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match &self.content {
            ReplyBody::Whole(bytes) => bytes.len() as u64,
            ReplyBody::Stream(left, _) => *left,
        })
    }
}

/// Reason why a body could not be read to its end. The client sees a truncated response.
#[derive(Debug, thiserror::Error)]
#[error("the response body could not be read completely: {}", .0.error)]
pub(super) struct Broken(Refusal);

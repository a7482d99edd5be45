//! A request body while it arrives. A service reads it in pieces; the unread rest is discarded.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use futures_core::Stream;
use hyper::body::{Body, Incoming};
use table_model::{ErrorCode, TableError};

use super::{Refusal, RequestBody};

/// The body of one request. `None` if the head specifies no body.
pub(super) struct Arriving(Option<Shared>);

type Shared = Arc<Mutex<State>>;

struct State {
    incoming: Incoming,
    begun: bool,
    ended: bool,
    /// The body did not end as its head specifies, so no request can follow.
    broken: bool,
}

impl Arriving {
    pub(super) fn new(incoming: Incoming) -> Self {
        let state = (!incoming.is_end_stream()).then(|| State {
            incoming,
            begun: false,
            ended: false,
            broken: false,
        });
        Self(state.map(|state| Arc::new(Mutex::new(state))))
    }

    /// Returns the body for a service.
    pub(super) fn body(&self) -> RequestBody {
        let Some(shared) = &self.0 else { return RequestBody::empty() };
        let length = lock(shared).incoming.size_hint().exact();
        RequestBody::new(length, Pieces(Arc::clone(shared)))
    }

    /// Reads and drops the unread rest of a body, up to `most` bytes, so that the next request can follow. Returns
    /// `false` if more bytes remain, or if the client waits for `100 Continue`.
    pub(super) async fn discard(self, waits: bool, most: u64) -> bool {
        let Some(shared) = self.0 else { return true };
        let length = {
            let state = lock(&shared);
            if state.ended {
                return !state.broken;
            }
            if waits && !state.begun {
                return false;
            }
            state.incoming.size_hint().upper()
        };
        if length.is_some_and(|length| length > most) {
            return false;
        }
        let mut pieces = Pieces(shared);
        let mut read = 0;
        loop {
            match std::future::poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await {
                None => return true,
                Some(Err(_)) => return false,
                Some(Ok(piece)) => read += piece.len() as u64,
            }
            if read > most {
                return false;
            }
        }
    }
}

struct Pieces(Shared);

impl Stream for Pieces {
    type Item = Result<Bytes, Refusal>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut state = lock(&self.0);
        loop {
            if state.ended {
                return Poll::Ready(None);
            }
            state.begun = true;
            match ready!(Pin::new(&mut state.incoming).poll_frame(context)) {
                None => state.ended = true,
                Some(Ok(frame)) => {
                    if let Ok(piece) = frame.into_data() {
                        return Poll::Ready(Some(Ok(piece)));
                    }
                }
                Some(Err(error)) => {
                    (state.ended, state.broken) = (true, true);
                    return Poll::Ready(Some(Err(refusal(&error))));
                }
            }
        }
    }
}

/// Converts an error of a body that does not match its head. The size limit is checked elsewhere, by counting bytes.
fn refusal(error: &hyper::Error) -> Refusal {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut) {
            return Refusal::from(ErrorCode::OperationTimedOut)
                .because("the client stopped sending the body");
        }
        cause = error.source();
    }
    TableError::with_message(
        ErrorCode::InvalidInput,
        "The request body does not match the framing in its headers.",
    )
    .into()
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

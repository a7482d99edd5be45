use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use table_model::ErrorCode;

use super::Refusal;

/// The body of a request, read as a stream.
pub struct RequestBody {
    length: Option<u64>,
    pieces: Pin<Box<dyn Stream<Item = Result<Bytes, Refusal>> + Send>>,
}

impl RequestBody {
    /// Creates a body from a stream of chunks; `length` is the length that the request specifies.
    pub fn new(
        length: Option<u64>,
        pieces: impl Stream<Item = Result<Bytes, Refusal>> + Send + 'static,
    ) -> Self {
        Self { length, pieces: Box::pin(pieces) }
    }

    /// Creates an empty body.
    #[must_use]
    pub fn empty() -> Self {
        Self { length: Some(0), pieces: Box::pin(Nothing) }
    }

    /// Returns the value of `Content-Length`.
    #[must_use]
    pub const fn length(&self) -> Option<u64> {
        self.length
    }

    /// Returns the next chunk, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the body does not match its head, or if the connection fails.
    pub async fn next(&mut self) -> Option<Result<Bytes, Refusal>> {
        std::future::poll_fn(|context| self.pieces.as_mut().poll_next(context)).await
    }

    /// Reads the complete body. Reads nothing if the specified length is too large.
    ///
    /// # Errors
    ///
    /// Returns `RequestBodyTooLarge` for more than `most` bytes, or the error of reading.
    pub async fn whole(mut self, most: usize) -> Result<Bytes, Refusal> {
        let too_large = || Refusal::from(ErrorCode::RequestBodyTooLarge);
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        if self.length.is_some_and(|length| length > most) {
            return Err(too_large());
        }
        let mut whole = BytesMut::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            let length = whole.len().saturating_add(piece.len());
            if u64::try_from(length).unwrap_or(u64::MAX) > most {
                return Err(too_large());
            }
            if whole.is_empty() && self.length.is_some_and(|said| said == piece.len() as u64) {
                return Ok(piece);
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole.freeze())
    }
}

struct Nothing;

impl Stream for Nothing {
    type Item = Result<Bytes, Refusal>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(None)
    }
}

impl std::fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RequestBody").field("length", &self.length).finish_non_exhaustive()
    }
}

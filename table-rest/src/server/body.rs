use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use table_store::ErrorCode;

use super::Refusal;

/// What a request carries, as it comes in.
pub struct RequestBody {
    length: Option<u64>,
    pieces: Pin<Box<dyn Stream<Item = Result<Bytes, Refusal>> + Send>>,
}

impl RequestBody {
    /// A body whose pieces come one after the other; `length` is what the request says of it.
    pub fn new(
        length: Option<u64>,
        pieces: impl Stream<Item = Result<Bytes, Refusal>> + Send + 'static,
    ) -> Self {
        Self { length, pieces: Box::pin(pieces) }
    }

    /// No body.
    #[must_use]
    pub fn empty() -> Self {
        Self { length: Some(0), pieces: Box::pin(Nothing) }
    }

    /// What `Content-Length` says.
    #[must_use]
    pub const fn length(&self) -> Option<u64> {
        self.length
    }

    /// The next piece; none at the end.
    pub async fn next(&mut self) -> Option<Result<Bytes, Refusal>> {
        std::future::poll_fn(|context| self.pieces.as_mut().poll_next(context)).await
    }

    /// All of it in one piece. Nothing is read of a body that is said to be too long.
    ///
    /// # Errors
    /// `RequestBodyTooLarge` above `most` bytes; what reading it ran into.
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

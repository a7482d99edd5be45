use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures_core::Stream;
use table_model::ErrorCode;

use super::{
    Refusal, ServedAccount,
    share::{Budget, Reservation, UNCOUNTED},
};

/// Minimum allocation for a body of several chunks.
const FIRST_BYTES: usize = 16 << 10;

/// The body of a request, read as a stream.
pub struct RequestBody {
    length: Option<u64>,
    /// The memory of the account, once that is known.
    budget: Option<Arc<Budget>>,
    pieces: Pin<Box<dyn Stream<Item = Result<Bytes, Refusal>> + Send>>,
}

impl RequestBody {
    /// Creates a body from a stream of chunks; `length` is the length that the request specifies.
    pub fn new(
        length: Option<u64>,
        pieces: impl Stream<Item = Result<Bytes, Refusal>> + Send + 'static,
    ) -> Self {
        Self { length, budget: None, pieces: Box::pin(pieces) }
    }

    /// Creates an empty body.
    #[must_use]
    pub fn empty() -> Self {
        Self { length: Some(0), budget: None, pieces: Box::pin(Nothing) }
    }

    /// Counts the body in the memory of an account.
    pub(super) fn of(self, account: &ServedAccount) -> Self {
        Self { budget: Some(Arc::clone(account.share.budget())), ..self }
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

    /// Reads the complete body. Reads nothing if the specified length is too large. Memory is reserved for what has
    /// arrived and not for what was announced, until the result is dropped.
    ///
    /// # Errors
    ///
    /// Returns `RequestBodyTooLarge` for more than `most` bytes, `ServerBusy` if the memory is exhausted, or the error of
    /// reading.
    pub async fn whole(mut self, most: usize) -> Result<Bytes, Refusal> {
        let too_large = || Refusal::from(ErrorCode::RequestBodyTooLarge);
        let length = self.length.map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        if length.is_some_and(|length| length > most) {
            return Err(too_large());
        }
        let mut held = self.budget.take().map(Reservation::new);
        let mut whole = Vec::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            let read = whole.len().saturating_add(piece.len());
            if read > most {
                return Err(too_large());
            }
            if whole.is_empty() && length == Some(piece.len()) {
                return Ok(piece);
            }
            if read > whole.capacity() {
                let room =
                    read.max(2 * whole.capacity()).max(FIRST_BYTES).min(length.unwrap_or(most).max(read));
                if let Some(held) = held.as_mut().filter(|_| room > UNCOUNTED) {
                    held.grow_to(room).await?;
                }
                whole.reserve_exact(room - whole.len());
            }
            whole.extend_from_slice(&piece);
        }
        let whole = Bytes::from(whole);
        Ok(match held {
            Some(held) => held.carry(whole),
            None => whole,
        })
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

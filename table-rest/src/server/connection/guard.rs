//! A socket wrapper that forwards only valid framing.

mod alarm;
mod head;
#[cfg(test)]
mod tests;
mod writing;

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::{Buf, BytesMut};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    time::{Instant, timeout},
};

use self::{
    alarm::Alarm,
    head::{Head, head_end},
};
use super::{
    chunks::Chunks,
    framing::{Framing, Unframed, framing},
    in_progress::InProgress,
    pace::Pace,
};
use crate::server::{Limits, Spelling};

/// A byte that is invalid at the start of a head or chunk size. It replaces rejected input: the HTTP library responds
/// to all earlier requests, then with 400, and closes the connection.
const POISON: &[u8] = &[0];

const PIECE: usize = 4096;

/// Maximum number of bytes read before the HTTP library is created.
const FIRST: usize = 1024;

/// Buffers every head until it is complete and unambiguous, tracks the body after it, and drops a client that is too
/// slow. See [`framing`] for the rejected heads.
///
/// The HTTP library receives exactly the checked bytes, so both agree on the end of each request.
pub(super) struct Guard<S> {
    socket: S,
    /// Bytes read and not yet forwarded. The first `open` bytes may be forwarded.
    held: BytesMut,
    open: usize,
    /// The state after these bytes.
    next: Next,
    head_bytes: usize,
    head_time: std::time::Duration,
    idle_time: std::time::Duration,
    /// Start of the wait for the next head, or for the rest of a head. Only a complete head, a response and the first
    /// byte of a head restart it. `None` while a request is processed.
    awaited: Option<Instant>,
    served: bool,
    in_progress: InProgress,
    /// The client exceeded a limit, and no response to it is pending.
    abandoned: bool,
    reading: (Pace, Alarm),
    writing: (Pace, Alarm),
}

/// The kind of the next byte.
#[derive(Debug)]
enum Next {
    /// A head, with the number of bytes already checked.
    Head(usize),
    /// A body with this number of remaining bytes.
    Body(u64),
    /// A chunked body.
    Chunks(Chunks),
    /// Rejected input: the poison byte is forwarded first.
    Refused,
    /// The end: nothing more is read.
    Over,
}

impl<S> Guard<S> {
    pub(super) fn new(socket: S, limits: &Limits, in_progress: InProgress) -> Self {
        let pace = || (Pace::new(limits.stall_time, limits.least_rate), Alarm::default());
        Self {
            socket,
            held: BytesMut::new(),
            open: 0,
            next: Next::Head(0),
            head_bytes: limits.head_bytes,
            head_time: limits.head_time,
            idle_time: limits.idle_time,
            awaited: Some(Instant::now()),
            served: false,
            in_progress,
            abandoned: false,
            reading: pace(),
            writing: pace(),
        }
    }

    /// Checks the buffered bytes and releases the valid ones.
    fn look(&mut self) {
        let Some(behind) = self.held.get(self.open..).filter(|behind| !behind.is_empty()) else { return };
        match &mut self.next {
            Next::Head(looked_at) => match head_end(behind, looked_at) {
                Head::Whole(end) if end > self.head_bytes => self.give_up(self.head_bytes),
                Head::Whole(end) => match behind.get(..end).map_or(Err(Unframed::Ambiguous), framing) {
                    Ok(framing) => self.pass(end, framing),
                    Err(Unframed::Ambiguous) => self.refuse(),
                    Err(Unframed::TooManyFields) => self.give_up(end),
                },
                Head::Begun if behind.len() > self.head_bytes => self.give_up(self.head_bytes),
                Head::Begun => {}
                Head::Broken => self.refuse(),
            },
            Next::Body(left) => {
                let here = behind.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                self.open += here;
                *left -= here as u64;
                if *left == 0 {
                    self.next = Next::Head(0);
                }
            }
            Next::Chunks(chunks) => match chunks.pass(behind) {
                Ok(here) => {
                    self.open += here;
                    if *chunks == Chunks::Ended {
                        self.next = Next::Head(0);
                    }
                }
                Err(here) => {
                    self.open += here;
                    self.refuse();
                }
            },
            Next::Refused | Next::Over => {}
        }
    }

    /// Releases a head.
    fn pass(&mut self, length: usize, framing: Framing) {
        let end = self.open + length;
        self.in_progress.announce(Spelling::of_head(self.held.get(self.open..end).unwrap_or_default()));
        self.open = end;
        self.served = true;
        self.awaited = None;
        self.next = match framing {
            Framing::Length(0) => Next::Head(0),
            Framing::Length(length) => Next::Body(length),
            Framing::Chunked => Next::Chunks(Chunks::START),
        };
    }

    /// Drops the buffered bytes and marks the input as rejected.
    fn refuse(&mut self) {
        self.held.truncate(self.open);
        self.next = Next::Refused;
    }

    /// Releases the start of a head that is too large, and nothing after it: the HTTP library has the same limits and
    /// returns the error.
    fn give_up(&mut self, length: usize) {
        self.held.truncate(self.open + length);
        self.open = self.held.len();
        self.next = Next::Over;
    }

    fn in_body(&self) -> bool {
        matches!(self.next, Next::Body(_) | Next::Chunks(_))
    }

    /// Returns the time by which the next bytes of a body, or a complete head, must arrive.
    fn deadline(&mut self) -> Option<Instant> {
        if self.in_body() { Some(self.reading.0.wait(Instant::now())) } else { self.head_deadline() }
    }

    /// Returns the time by which the next head must start, or be complete if it has started. `None` while a request is
    /// processed: then the client waits for the server.
    fn head_deadline(&mut self) -> Option<Instant> {
        if self.in_progress.any() {
            self.awaited = None;
            return None;
        }
        let limit = if self.served && self.held.is_empty() { self.idle_time } else { self.head_time };
        Some(*self.awaited.get_or_insert_with(Instant::now) + limit)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Guard<S> {
    /// Waits for the first bytes. Returns `false` on end of stream or timeout.
    pub(super) async fn hears(&mut self) -> bool {
        let heard = std::future::poll_fn(|context| {
            let mut piece = [0; FIRST];
            self.read_on(&mut ReadBuf::new(&mut piece), context)
        });
        heard.await.is_ok() && !self.held.is_empty()
    }

    /// Closes the connection. Input of a client that is still sending is drained for a moment; closing immediately
    /// would discard the unread response. A client that exceeded a limit is closed without a further wait.
    pub(super) async fn close(mut self) {
        const MOMENT: std::time::Duration = std::time::Duration::from_secs(1);
        if self.abandoned {
            return;
        }
        let unread = !matches!(self.next, Next::Head(_)) || !self.held.is_empty();
        let _ = timeout(MOMENT, self.socket.shutdown()).await;
        if unread {
            let mut piece = vec![0; PIECE];
            let rest = async { while matches!(self.socket.read(&mut piece).await, Ok(1..)) {} };
            let _ = timeout(MOMENT, rest).await;
        }
    }

    /// Continues reading. Body bytes remain in `into`; all other bytes are buffered.
    fn read_on(&mut self, into: &mut ReadBuf<'_>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.socket).poll_read(context, into);
        if let (Poll::Pending, Some(deadline)) = (&read, self.deadline()) {
            ready!(self.reading.1.rings(deadline, context));
            // The service that reads a stalled body responds to it.
            self.abandoned = !self.in_body();
            self.next = Next::Over;
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        ready!(read)?;
        let piece = into.filled().get(before..).unwrap_or_default();
        self.reading.0.moved(piece.len(), Instant::now);
        if piece.is_empty() {
            self.next = Next::Over;
            return Poll::Ready(Ok(()));
        }
        let of_body = match &mut self.next {
            Next::Body(left) => {
                let here = piece.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= here as u64;
                if *left == 0 {
                    self.next = Next::Head(0);
                }
                here
            }
            _ => 0,
        };
        if of_body < piece.len() {
            if self.held.is_empty() {
                self.awaited = Some(Instant::now());
            }
            self.held.extend_from_slice(piece.get(of_body..).unwrap_or_default());
            into.set_filled(before + of_body);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Guard<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        let before = into.filled().len();
        while into.filled().len() == before && into.remaining() > 0 {
            if guard.open == 0 {
                guard.look();
            }
            match guard.next {
                _ if guard.open > 0 => {
                    let here = guard.open.min(into.remaining());
                    into.put_slice(guard.held.get(..here).unwrap_or_default());
                    guard.held.advance(here);
                    guard.open -= here;
                }
                Next::Refused => {
                    into.put_slice(POISON);
                    guard.next = Next::Over;
                }
                Next::Over => break,
                _ => ready!(guard.read_on(into, context))?,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S> std::fmt::Debug for Guard<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").field("next", &self.next).finish_non_exhaustive()
    }
}

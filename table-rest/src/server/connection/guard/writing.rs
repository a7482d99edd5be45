//! The write direction: responses pass unchanged unless the client stops reading.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::{io::AsyncWrite, time::Instant};

use super::Guard;

impl<S> Guard<S> {
    /// Accounts for a write call of the socket that sent some bytes, or none.
    ///
    /// A call that sent nothing grants no time: the HTTP library flushes whenever it is woken, also for each fragment
    /// of a head.
    fn wrote(
        &mut self,
        result: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let (pace, alarm) = &mut self.writing;
        let Poll::Ready(result) = result else {
            ready!(alarm.rings(pace.wait(Instant::now()), context));
            self.abandoned = true;
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        };
        if let Ok(bytes) = result {
            pace.moved(bytes, Instant::now);
            if bytes > 0 {
                self.awaited = None;
            }
            // The HTTP library waits for the next head with the read that it started during the response, and does not
            // poll again. It must be woken when the client is late.
            if !self.in_body()
                && let Some(deadline) = self.head_deadline()
            {
                let _ = self.reading.1.rings(deadline, context);
            }
        }
        Poll::Ready(result)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guard<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let guard = self.get_mut();
        let wrote = Pin::new(&mut guard.socket).poll_write(context, bytes);
        guard.wrote(wrote, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let guard = self.get_mut();
        let wrote = Pin::new(&mut guard.socket).poll_write_vectored(context, pieces);
        guard.wrote(wrote, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        let flushed = Pin::new(&mut guard.socket).poll_flush(context);
        guard.wrote(flushed.map_ok(|()| 0), context).map_ok(drop)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let guard = self.get_mut();
        let ended = Pin::new(&mut guard.socket).poll_shutdown(context);
        guard.wrote(ended.map_ok(|()| 0), context).map_ok(drop)
    }
}

//! The other direction: answers go out as they are, unless nobody takes them.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::{io::AsyncWrite, time::Instant};

use super::Guard;

impl<S> Guard<S> {
    fn wrote(
        &mut self,
        result: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let (pace, alarm) = &mut self.writing;
        match result {
            Poll::Pending => {
                ready!(alarm.rings(pace.wait(Instant::now()), context));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            Poll::Ready(result) => {
                if let Ok(bytes) = result {
                    self.moved = Instant::now();
                    pace.moved(bytes, || self.moved);
                    // The HTTP library waits for the next head with the read that it began during the answer, and
                    // does not come back to it: it has to be woken when the client is idle for too long.
                    let _ = self.reading.1.rings(self.moved + self.idle_time, context);
                }
                Poll::Ready(result)
            }
        }
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
        Pin::new(&mut self.get_mut().socket).poll_shutdown(context)
    }
}

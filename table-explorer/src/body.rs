//! Bodies of responses that are sent while they are produced.

use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper::body::Frame;
use tokio::{sync::mpsc, task, time};

/// The body of a response.
pub(crate) type Body = UnsyncBoxBody<Bytes, io::Error>;

/// Time after which a body that is produced ends with an error.
pub(crate) const MOST_TIME: Duration = Duration::from_secs(30 * 60);

/// Creates a body of known bytes.
pub(crate) fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// Sends the pieces of a body.
#[derive(Clone, Debug)]
pub(crate) struct Pieces(mpsc::Sender<io::Result<Bytes>>);

impl Pieces {
    /// Waits until the previous piece is being sent, so that at most two are in memory. An empty piece lets other requests
    /// run.
    ///
    /// # Errors
    ///
    /// Returns an error if the client has left.
    pub(crate) async fn send(&self, piece: impl Into<Bytes>) -> io::Result<()> {
        let piece = piece.into();
        if piece.is_empty() {
            task::yield_now().await;
            return if self.0.is_closed() { Err(left()) } else { Ok(()) };
        }
        self.0.send(Ok(piece)).await.map_err(|_| left())
    }
}

fn left() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the client has left")
}

/// Creates a body of the pieces that `produce` sends. It ends when the client leaves. After an error the connection is
/// closed before the end of the body, so that the client does not keep a part as if it were complete.
pub(crate) fn produced<F>(produce: impl FnOnce(Pieces) -> F) -> Body
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(1);
    let work = produce(Pieces(sender.clone()));
    tokio::spawn(async move {
        let ended = tokio::select! {
            ended = time::timeout(MOST_TIME, work) => ended.unwrap_or_else(|late| Err(late.into())),
            () = sender.closed() => Ok(()),
        };
        if let Err(error) = ended {
            tracing::warn!(%error, "a download ended before its end");
            let _ = sender.send(Err(error)).await;
        }
    });
    Received(receiver).boxed_unsync()
}

struct Received(mpsc::Receiver<io::Result<Bytes>>);

impl hyper::body::Body for Received {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_error_is_not_the_end_of_a_body() {
        let body = produced(|out| async move {
            out.send("a").await?;
            out.send("").await?;
            out.send("b").await
        });
        assert_eq!(body.collect().await.unwrap().to_bytes(), "ab");
        let body = produced(|out| async move {
            out.send("a").await?;
            Err(io::Error::other("lost"))
        });
        assert_eq!(body.collect().await.unwrap_err().to_string(), "lost");
    }

    #[tokio::test]
    async fn a_producer_ends_with_its_client() {
        for piece in ["a", ""] {
            let (held, dropped) = tokio::sync::oneshot::channel::<()>();
            let body = produced(move |out| async move {
                let _held = held;
                loop {
                    out.send(piece).await?;
                }
            });
            drop(body);
            assert!(dropped.await.is_err(), "the producer is dropped with what it holds");
        }
    }
}

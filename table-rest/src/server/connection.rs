//! One connection: what its client sends is guarded, then read by the HTTP library, then answered.

mod chunks;
mod framing;
mod guard;
mod in_progress;
mod pace;

use std::{net::IpAddr, sync::Arc};

use http::{Request, Response};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::watch,
};

pub(super) use self::in_progress::Processing;
use self::{guard::Guard, in_progress::InProgress};
use super::{answer::Body, handler::Handler};
use crate::ServiceKind;

/// Who is at the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    /// The service whose port it came to.
    pub(super) kind: ServiceKind,
    pub(super) address: IpAddr,
    /// Whether it came over TLS.
    pub(super) secure: bool,
}

/// Serves a connection to its end. When the server ends, it ends after the request that is being answered.
pub(super) async fn serve<S>(handler: Arc<Handler>, peer: Peer, socket: S, mut end: watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let limits = handler.limits;
    let in_progress = InProgress::default();
    let mut guard = Guard::new(socket, &limits, in_progress.clone());
    // Who says nothing takes no more than a socket and a place: the HTTP library's buffers are for those who speak.
    let speaks = tokio::select! {
        speaks = guard.hears() => speaks,
        () = async { drop(end.wait_for(|end| *end).await) } => false,
    };
    if !speaks {
        return guard.close().await;
    }
    let service = service_fn(move |request: Request<Incoming>| {
        let (handler, processing) = (Arc::clone(&handler), in_progress.start());
        async move {
            let response = handler.answer(peer, request).await;
            let response = response.map(|body| body.until_sent(processing));
            Ok::<Response<Body>, std::convert::Infallible>(response)
        }
    });
    let mut connection = http1::Builder::new()
        .header_read_timeout(None)
        .max_headers(framing::MOST_FIELDS)
        .max_buf_size(limits.head_bytes)
        .serve_connection(TokioIo::new(guard), service);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = async { drop(end.wait_for(|end| *end).await) } => {
            std::pin::Pin::new(&mut connection).graceful_shutdown();
            (&mut connection).await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(service = %peer.kind, peer = %peer.address, %error, "a connection was given up");
    }
    connection.into_parts().io.into_inner().close().await;
}

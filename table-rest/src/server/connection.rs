//! A single connection: the guard validates incoming bytes, the HTTP library parses them, and the handler responds.

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
use super::{answer::Body, connections::Place, handler::Handler};
use crate::ServiceKind;

/// The client side of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    /// The service of the port.
    pub(super) kind: ServiceKind,
    pub(super) address: IpAddr,
    /// `true` for TLS.
    pub(super) secure: bool,
}

/// Serves a connection to its end. On shutdown, it ends after the current request. It also ends if another connection
/// needs its place.
pub(super) async fn serve<S>(
    handler: Arc<Handler>,
    peer: Peer,
    socket: S,
    place: Arc<Place>,
    mut end: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let limits = handler.limits;
    let presence = Arc::clone(place.presence());
    let in_progress = InProgress::of(Arc::clone(&presence));
    let mut guard = Guard::new(socket, &limits, in_progress.clone());
    // An idle client uses only a socket and a connection slot; the buffers of the HTTP library are allocated after its
    // first bytes.
    let speaks = tokio::select! {
        speaks = guard.hears() => speaks,
        () = async { drop(end.wait_for(|end| *end).await) } => false,
        () = presence.evicted() => return,
    };
    if !speaks {
        return guard.close().await;
    }
    let service = service_fn(move |mut request: Request<Incoming>| {
        let (processing, spelling) = in_progress.start();
        request.extensions_mut().insert(spelling);
        let (handler, place) = (Arc::clone(&handler), Arc::clone(&place));
        async move {
            let response = handler.answer(peer, &place, request).await;
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
        () = presence.evicted() => {
            if presence.is_waiting() {
                return;
            }
            // A request has arrived in the meantime.
            std::pin::Pin::new(&mut connection).graceful_shutdown();
            (&mut connection).await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(service = %peer.kind, peer = %peer.address, %error, "connection closed after an \
                                                                             error");
    }
    connection.into_parts().io.into_inner().close().await;
}

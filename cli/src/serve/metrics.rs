//! Prometheus metrics on a loopback address. Access from other machines requires a proxy.

mod process;
mod stores;

use std::{
    convert::Infallible,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use http_body_util::Full;
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use table_store::Store;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time,
};

pub(super) use self::stores::Commits;
use super::Account;

/// Bucket bounds of request durations, in seconds.
const BOUNDS: [f64; 12] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];

/// Interval at which the recorder drains its samples, also without requests: otherwise its memory grows.
const UPKEEP: Duration = Duration::from_secs(5);

/// Few clients read metrics, each with short requests.
const MOST_CONNECTIONS: usize = 8;
const MOST_TIME: Duration = Duration::from_secs(10);

/// The metrics of the process.
#[derive(Clone)]
pub(super) struct Metrics {
    handle: PrometheusHandle,
    stores: Arc<[(Account, Store)]>,
}

/// Starts counting. Everything that counts must be created later.
pub(super) fn start() -> io::Result<PrometheusHandle> {
    let (operations, bounds) = stores::OPERATIONS;
    let recorder = PrometheusBuilder::new()
        .set_buckets(&BOUNDS)
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full(operations.to_owned()), &bounds))
        .map_err(io::Error::other)?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(|error| io::Error::other(error.to_string()))?;
    stores::describe();
    Ok(handle)
}

/// Serves the metrics.
pub(super) async fn serve(
    port: u16,
    handle: PrometheusHandle,
    stores: &[(Account, Store)],
) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let address = listener.local_addr()?;
    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    tokio::spawn(listen(listener, Metrics { handle, stores: stores.into() }));
    Ok(address)
}

async fn listen(listener: TcpListener, metrics: Metrics) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        let Ok((socket, _)) = listener.accept().await else {
            time::sleep(UPKEEP).await;
            continue;
        };
        let metrics = metrics.clone();
        tokio::spawn(async move {
            let _ = time::timeout(MOST_TIME, answer(socket, metrics)).await;
            drop(place);
        });
    }
}

/// Returns the status of the response. A page whose name was bound to a loopback address (DNS rebinding) sends this
/// name in `Host`.
fn status<B>(request: &Request<B>) -> StatusCode {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    match (request.method(), request.uri().path()) {
        _ if !host.is_some_and(table_rest::server::is_loopback_host) => StatusCode::FORBIDDEN,
        (&Method::GET, "/metrics") => StatusCode::OK,
        _ => StatusCode::NOT_FOUND,
    }
}

impl Metrics {
    async fn text(&self) -> String {
        stores::update(&self.stores).await;
        self.handle.render() + &process::text()
    }
}

/// Serves one request.
async fn answer(socket: TcpStream, metrics: Metrics) {
    let service = service_fn(move |request: Request<Incoming>| {
        let (status, metrics) = (status(&request), metrics.clone());
        async move {
            let found = status == StatusCode::OK;
            let body = if found { metrics.text().await } else { String::new() };
            let mut response = Response::new(Full::new(Bytes::from(body)));
            if found {
                let text = header::HeaderValue::from_static("text/plain; version=0.0.4");
                response.headers_mut().insert(header::CONTENT_TYPE, text);
            }
            *response.status_mut() = status;
            Ok::<_, Infallible>(response)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .keep_alive(false)
        .serve_connection(TokioIo::new(socket), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "cannot send the metrics");
    }
}

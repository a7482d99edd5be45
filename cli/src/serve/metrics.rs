//! Prometheus metrics on a loopback address. Access from other machines requires a proxy.

mod database;
mod hot;
mod process;
mod samples;
mod stores;
mod totals;

use std::{
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
use table_explorer::TotalsAt;
use table_rest::server::SlowRequests;
use table_store::Timestamp;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time,
};

pub(super) use self::stores::Commits;
pub(crate) use self::{
    hot::{HotKeys, HotPartitions},
    samples::Samples,
};
use super::{Account, Backend};

/// Bucket bounds of durations, in microseconds.
pub(crate) const BOUNDS: [u32; 12] =
    [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000];

/// Interval at which the recorder drains its samples, also without requests: otherwise its memory grows.
const UPKEEP: Duration = Duration::from_secs(5);

/// Few clients read metrics, each with short requests.
const MOST_CONNECTIONS: usize = 8;
const MOST_TIME: Duration = Duration::from_secs(10);

/// The measurements of the process.
#[derive(Clone)]
pub(super) struct Metrics {
    handle: PrometheusHandle,
    commits: Arc<[Arc<Commits>]>,
    slow: SlowRequests,
}

/// Starts counting. Everything that counts must be created later.
pub(super) fn start(accounts: &[Account], keys: HotKeys, has_history: bool) -> io::Result<Metrics> {
    let recorder = builder()?.build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(|error| io::Error::other(error.to_string()))?;
    stores::describe();
    database::describe();
    let commits = accounts.iter().map(|account| Commits::of(account, keys, has_history)).collect();
    Ok(Metrics { handle, commits, slow: SlowRequests::default() })
}

/// Returns the settings of the recorder.
fn builder() -> io::Result<PrometheusBuilder> {
    let (operations, bounds) = stores::OPERATIONS;
    PrometheusBuilder::new()
        .set_buckets(&BOUNDS.map(|micros| f64::from(micros) / 1e6))
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full(operations.to_owned()), &bounds))
        .map_err(io::Error::other)
}

/// Drains the samples of the recorder, and keeps counts for the explorer, until the process ends.
pub(super) fn keep_up(metrics: Metrics) {
    tokio::spawn(async move {
        loop {
            time::sleep(UPKEEP).await;
            metrics.handle.run_upkeep();
            let now = Timestamp::now();
            let mut text = None;
            for commits in metrics.commits.iter() {
                let Some(samples) = commits.samples() else { continue };
                samples.keep(now, || {
                    let text = text.get_or_insert_with(|| metrics.handle.render());
                    totals::of_account(text, commits.account())
                });
            }
        }
    });
}

/// Serves the metrics.
pub(super) async fn serve(
    port: u16,
    metrics: Metrics,
    stores: &[(Account, Backend)],
) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(listen(listener, metrics, stores.into()));
    Ok(address)
}

async fn listen(listener: TcpListener, metrics: Metrics, stores: Arc<[(Account, Backend)]>) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        let Ok((socket, _)) = listener.accept().await else {
            time::sleep(UPKEEP).await;
            continue;
        };
        let (metrics, stores) = (metrics.clone(), Arc::clone(&stores));
        tokio::spawn(async move {
            let _ = time::timeout(MOST_TIME, answer(socket, metrics, stores)).await;
            drop(place);
        });
    }
}

/// A document of the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Document {
    Metrics,
    SlowRequests,
    HotPartitions,
    /// Whether requests can be executed.
    Ready,
}

impl Document {
    /// Returns the requested document, or the status of an error. A page whose name was bound to a loopback address (DNS
    /// rebinding) sends this name in `Host`.
    fn of<B>(request: &Request<B>) -> Result<Self, StatusCode> {
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        match (request.method(), request.uri().path()) {
            _ if !host.is_some_and(table_rest::server::is_loopback_host) => Err(StatusCode::FORBIDDEN),
            (&Method::GET, "/metrics") => Ok(Self::Metrics),
            (&Method::GET, "/slow-requests") => Ok(Self::SlowRequests),
            (&Method::GET, "/hot-partitions") => Ok(Self::HotPartitions),
            (&Method::GET, "/ready") => Ok(Self::Ready),
            _ => Err(StatusCode::NOT_FOUND),
        }
    }

    const fn content_type(self) -> &'static str {
        match self {
            Self::Metrics => "text/plain; version=0.0.4",
            Self::Ready => "text/plain",
            Self::SlowRequests | Self::HotPartitions => "application/json",
        }
    }
}

impl Metrics {
    /// Returns the observer of the store of an account.
    pub(super) fn commits(&self, account: &Account) -> Option<Arc<Commits>> {
        self.commits.iter().find(|commits| commits.is_of(account)).cloned()
    }

    /// Returns the list of slow requests, which the server fills.
    pub(super) fn slow_requests(&self) -> SlowRequests {
        self.slow.clone()
    }

    /// Returns the counts of an account in the last hour.
    pub(super) fn totals(&self, commits: &Commits) -> Vec<TotalsAt> {
        let Some(samples) = commits.samples() else { return Vec::new() };
        let totals = totals::of_account(&self.handle.render(), commits.account());
        samples.until(Timestamp::now(), totals)
    }

    async fn text(&self, document: Document, stores: &[(Account, Backend)]) -> serde_json::Result<String> {
        let hot = || self.commits.iter().filter_map(|commits| commits.hot());
        match document {
            Document::Metrics => {
                stores::update(stores).await;
                hot().for_each(drop);
                Ok(self.handle.render() + &process::text())
            }
            Document::SlowRequests => serde_json::to_string(&self.slow),
            Document::HotPartitions => serde_json::to_string(&hot().collect::<Vec<_>>()),
            Document::Ready => Ok("ready\n".to_owned()),
        }
    }
}

/// Returns whether the requests of all accounts can be executed.
async fn all_ready(stores: &[(Account, Backend)]) -> bool {
    for (_, store) in stores {
        if !store.is_ready().await {
            return false;
        }
    }
    true
}

/// Serves one request.
async fn answer(socket: TcpStream, metrics: Metrics, stores: Arc<[(Account, Backend)]>) {
    let service = service_fn(move |request: Request<Incoming>| {
        let (document, metrics, stores) = (Document::of(&request), metrics.clone(), Arc::clone(&stores));
        async move {
            let document = match document {
                Ok(Document::Ready) if !all_ready(&stores).await => Err(StatusCode::SERVICE_UNAVAILABLE),
                document => document,
            };
            let document = match document {
                Ok(document) => document,
                Err(status) => {
                    let mut response = Response::new(Full::default());
                    *response.status_mut() = status;
                    return Ok(response);
                }
            };
            let body = metrics.text(document, &stores).await?;
            let mut response = Response::new(Full::new(Bytes::from(body)));
            let content_type = header::HeaderValue::from_static(document.content_type());
            response.headers_mut().insert(header::CONTENT_TYPE, content_type);
            Ok::<_, serde_json::Error>(response)
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

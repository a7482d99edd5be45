//! The HTTP client and the server's handlers in one process. Requests and responses are real. The network between them
//! uses no sockets; it schedules each request and injects faults.

use std::{fmt, net::IpAddr, sync::Arc};

use azure_core::{
    Error as AzureError, Result as AzureResult,
    error::ErrorKind,
    http::{AsyncRawResponse, ClientOptions, HttpClient, Method, Request, Transport, headers::Headers},
};
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use table_patterns::{Error, Tables};
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    client::{Account, Backend, Clock, Retry, Settings},
    server::{Accounts, Call, Probe, ReplyBody, RequestBody, ServedAccount, Spelling, dispatch},
    wire::query_string::QueryString,
};
use table_store::{Store, Timestamp, Uuid};
use table_tests::{fate::Fate, schedule::pause};

use crate::simulation::{World, world::Late};

/// A simulated network between HTTP clients and a server with an embedded store.
#[derive(Clone)]
pub struct Network {
    world: World,
    accounts: Arc<Accounts>,
}

impl Network {
    /// Creates a server for a store.
    #[must_use]
    pub fn new(store: Store, world: World) -> Self {
        let account = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], store);
        Self { world, accounts: Arc::new([account].into_iter().collect()) }
    }

    /// Returns a handle that sends every request through the network.
    ///
    /// # Errors
    /// Returns an error if the client rejects the settings; no such case is expected.
    pub fn tables(&self) -> Result<Tables, Error> {
        let transport = Some(Transport::new(Arc::new(self.clone())));
        let options = ClientOptions { transport, ..ClientOptions::default() };
        let settings = Settings::new().backend(Backend::Server).clock(NoTime).pipeline(options);
        Tables::on(Account::development(), settings.retry(Retry::default().through_restarts()))
    }

    /// Processes a request on the server and returns its response.
    fn answer(&self, request: &Request) -> AzureResult<AsyncRawResponse> {
        let (call, body) = arrived(request).ok_or_else(|| failed("the request cannot be read"))?;
        let reply = pollster::block_on(dispatch(&self.accounts, &call, body));
        let mut headers = Headers::new();
        for (name, value) in &reply.headers {
            headers.insert(name.as_str().to_owned(), value.to_str().unwrap_or_default().to_owned());
        }
        let (length, body) = match reply.body {
            ReplyBody::Whole(bytes) => (bytes.len() as u64, bytes),
            ReplyBody::Stream(length, pieces) => (length, pollster::block_on(whole(pieces))),
        };
        if !reply.headers.contains_key("content-length") {
            headers.insert("content-length", length.to_string());
        }
        Ok(AsyncRawResponse::from_bytes(reply.status.as_u16().into(), headers, body))
    }
}

async fn whole<E>(pieces: impl stream::Stream<Item = Result<Bytes, E>> + Unpin) -> Bytes {
    let mut all = BytesMut::new();
    let mut pieces = pieces;
    while let Some(Ok(piece)) = pieces.next().await {
        all.extend_from_slice(&piece);
    }
    all.freeze()
}

fn failed(reason: &'static str) -> AzureError {
    AzureError::with_message(ErrorKind::Io, reason)
}

/// Converts a request of the client to the form that the server receives.
fn arrived(request: &Request) -> Option<(Call, RequestBody)> {
    let url = request.url();
    let account = AccountName::emulator();
    let kind = ServiceKind::ALL.into_iter().find(|kind| Some(kind.port()) == url.port())?;
    let mut headers = http::HeaderMap::new();
    for (name, value) in request.headers().iter() {
        let name: http::HeaderName = name.as_str().parse().ok()?;
        headers.insert(name, value.as_str().parse().ok()?);
    }
    let content = match request.body() {
        azure_core::http::Body::Bytes(bytes) => bytes.clone(),
        azure_core::http::Body::SeekableStream(_) => return None,
    };
    headers.insert("content-length", content.len().into());
    let call = Call {
        kind,
        method: request.method().as_ref().parse().ok()?,
        signed_path: url.path().to_owned(),
        path: url.path().strip_prefix(&format!("/{account}"))?.to_owned(),
        raw_query: url.query().unwrap_or_default().to_owned(),
        query: QueryString::parse(url.query().unwrap_or_default()).ok()?,
        headers,
        spelling: Spelling::default(),
        probe: Probe::default(),
        root: format!("http://127.0.0.1:{}/{account}", kind.port()),
        account: account.to_string(),
        secondary: false,
        peer: IpAddr::from([127, 0, 0, 1]),
        secure: false,
        id: Uuid::nil(),
        received: Timestamp::now(),
    };
    let length = Some(content.len() as u64);
    Some((call, RequestBody::new(length, stream::iter([Ok(content)]))))
}

#[async_trait::async_trait]
impl HttpClient for Network {
    async fn execute_request(&self, request: &Request) -> AzureResult<AsyncRawResponse> {
        let sent = self.world.now();
        pause().await;
        let lost = failed("the connection was reset");
        if !self.world.may_land(sent) {
            return Err(lost);
        }
        // Responses to reads are also lost, because the client retries reads.
        let fate = self.world.fate(true);
        let delay = || {
            let (network, late) = (self.clone(), request.clone());
            self.world.delay(Late::other(sent, move || drop(network.answer(&late))));
        };
        let answer = fate.apply(|| self.answer(request), delay, lost).await;
        if fate == Fate::Well {
            let writes = !matches!(request.method(), Method::Get | Method::Head);
            if writes && self.world.doubles() {
                drop(self.answer(request));
            }
            if self.world.has_slow_answers() {
                pause().await;
            }
        }
        answer
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

/// A clock on which sleeping takes no time.
#[derive(Clone, Copy, Debug)]
struct NoTime;

impl Clock for NoTime {
    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    fn sleep(&self, _: std::time::Duration) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(pause())
    }

    fn random(&self) -> u64 {
        0
    }
}

use std::{
    collections::VecDeque,
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use azure_core::{
    Error, Result,
    error::ErrorKind,
    http::{AsyncRawResponse, HttpClient, Method, Request, StatusCode, headers::Headers, new_http_client},
};
use table_rest::client::Clock;

/// The fate of a request in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The response arrives.
    Answered,
    /// The request is lost.
    LostBefore,
    /// The request is executed, and the response is lost.
    LostAfter,
    /// The request is delayed and executed right after the next request; its response is lost.
    Late,
    /// The service returns `ServerBusy`.
    Busy,
    /// The connection fails.
    Unreached,
}

/// A network that applies the given fates to writes in order, then delivers everything. Reads always succeed.
pub(crate) struct Flaky {
    below: Arc<dyn HttpClient>,
    fates: Mutex<VecDeque<Fate>>,
    late: Mutex<Option<Request>>,
    /// Methods of the writes that the server executed.
    pub(crate) done: Mutex<Vec<Method>>,
}

impl Flaky {
    pub(crate) fn new(fates: &[Fate]) -> Arc<Self> {
        static BELOW: OnceLock<Arc<dyn HttpClient>> = OnceLock::new();
        let below = BELOW.get_or_init(|| {
            // The client of the library installs it as well, but perhaps later.
            drop(rustls::crypto::ring::default_provider().install_default());
            new_http_client(None)
        });
        let below = Arc::clone(below);
        let (fates, late, done) =
            (Mutex::new(fates.iter().copied().collect()), Mutex::default(), Mutex::default());
        Arc::new(Self { below, fates, late, done })
    }

    async fn pass(&self, request: &Request) -> Result<AsyncRawResponse> {
        let response = self.below.execute_request(request).await?;
        if is_write(request) && response.status().is_success() {
            self.done.lock().unwrap().push(request.method());
        }
        Ok(response)
    }
}

fn is_write(request: &Request) -> bool {
    !matches!(request.method(), Method::Get | Method::Head)
}

#[async_trait::async_trait]
impl HttpClient for Flaky {
    async fn execute_request(&self, request: &Request) -> Result<AsyncRawResponse> {
        let fate = if is_write(request) { self.fates.lock().unwrap().pop_front() } else { None };
        let lost = || Err(Error::with_message(ErrorKind::Io, "the connection was reset"));
        let answer = match fate.unwrap_or(Fate::Answered) {
            Fate::Answered => self.pass(request).await,
            Fate::LostBefore => lost(),
            Fate::LostAfter => {
                self.pass(request).await?;
                lost()
            }
            Fate::Late => {
                *self.late.lock().unwrap() = Some(request.clone());
                return lost();
            }
            Fate::Busy => {
                let mut headers = Headers::new();
                headers.insert("x-ms-error-code", "ServerBusy");
                headers.insert("retry-after", "3");
                Ok(AsyncRawResponse::from_bytes(StatusCode::ServiceUnavailable, headers, ""))
            }
            Fate::Unreached => Err(Error::with_message(ErrorKind::Connection, "nobody listens")),
        };
        let late = self.late.lock().unwrap().take();
        if let Some(late) = late {
            self.pass(&late).await?;
        }
        answer
    }
}

impl fmt::Debug for Flaky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flaky").finish_non_exhaustive()
    }
}

/// A clock on which waits complete immediately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hasty(pub(crate) Arc<Mutex<Duration>>);

impl Clock for Hasty {
    fn elapsed(&self) -> Duration {
        *self.0.lock().unwrap()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        *self.0.lock().unwrap() += time;
        Box::pin(async {})
    }

    fn random(&self) -> u64 {
        200
    }
}

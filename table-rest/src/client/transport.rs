//! The connection pool that all clients of the process share.

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
    time::Duration,
};

use azure_core::{
    Error,
    error::ErrorKind,
    http::{AsyncRawResponse, Context, HttpClient, Request, Transport, headers::HeaderName},
};
use table_model::{Result, StorageFault};

use super::{Endpoint, sender::chain, unconnected};
use crate::redacted;

/// Idle timeout of connections. Servers close idle connections, and a request on a closing connection loses its
/// response, so the client closes them earlier. Node, the runtime of Azurite, closes them after five seconds.
const LOCAL_REST: Duration = Duration::from_secs(4);
const CLOUD_REST: Duration = Duration::from_secs(60);
const CONNECT: Duration = Duration::from_secs(10);
/// The maximum silence within a response. The service executes a request for at most 30 s.
const SILENCE: Duration = Duration::from_secs(60);

/// Returns the shared transport for a URL scheme.
///
/// Responses are not decompressed, so a response is never larger than the received bytes. Redirects are not followed,
/// so a signature is sent to no other host.
///
/// # Errors
///
/// Returns an error if the certificates of the system cannot be loaded.
pub(super) fn shared(scheme_is_https: bool) -> Result<Transport> {
    static LOCAL: OnceLock<Result<Arc<dyn HttpClient>, String>> = OnceLock::new();
    static CLOUD: OnceLock<Result<Arc<dyn HttpClient>, String>> = OnceLock::new();
    let (made, rest) = if scheme_is_https { (&CLOUD, CLOUD_REST) } else { (&LOCAL, LOCAL_REST) };
    match made.get_or_init(|| make(rest)) {
        Ok(client) => Ok(Transport::new(Arc::clone(client))),
        Err(reason) => {
            Err(StorageFault::Bug { what: format!("cannot create the HTTP client: {reason}") }.into())
        }
    }
}

fn make(rest: Duration) -> Result<Arc<dyn HttpClient>, String> {
    // If the program has installed another provider before, that provider is used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .http1_only()
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE)
        .pool_idle_timeout(rest)
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .build();
    client.map(|client| Arc::new(client) as Arc<dyn HttpClient>).map_err(|error| error.to_string())
}

/// Wraps a transport so that its errors contain no credential. The pipeline logs these errors, and the layers below
/// include the complete URL.
pub(super) fn quiet(below: Transport, endpoint: &Endpoint) -> Transport {
    Transport::new(Arc::new(Quiet { below, endpoint: endpoint.clone() }))
}

#[derive(Debug)]
struct Quiet {
    below: Transport,
    endpoint: Endpoint,
}

#[async_trait::async_trait]
impl HttpClient for Quiet {
    async fn execute_request(&self, request: &Request) -> azure_core::Result<AsyncRawResponse> {
        let mut request = request.clone();
        match self.below.send(&Context::new(), &mut request).await {
            Ok(response) if self.endpoint.is_signed() => Ok(self.without_echo(response)),
            Ok(response) => Ok(response),
            Err(error) => {
                let text = match error.kind() {
                    ErrorKind::Connection => unconnected::cause(&error),
                    _ => chain(&error),
                };
                let text = redacted(&self.endpoint.without_signature(&text)).into_owned();
                Err(Error::with_message(error.kind().clone(), text))
            }
        }
    }
}

impl Quiet {
    /// Hides the signature in response headers that repeat it.
    fn without_echo(&self, response: AsyncRawResponse) -> AsyncRawResponse {
        let hidden: Vec<(HeaderName, String)> = response
            .headers()
            .iter()
            .filter_map(|(name, value)| match self.endpoint.without_signature(value.as_str()) {
                Cow::Owned(hidden) => Some((name.clone(), hidden)),
                Cow::Borrowed(_) => None,
            })
            .collect();
        if hidden.is_empty() {
            return response;
        }
        let (status, mut headers, body) = response.deconstruct();
        for (name, value) in hidden {
            headers.insert(name, value);
        }
        AsyncRawResponse::new(status, headers, Box::pin(body))
    }
}

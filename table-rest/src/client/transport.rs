//! The connections that all clients of the process share.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use azure_core::http::{HttpClient, Transport};
use table_store::{Result, StorageFault};

/// Servers drop connections that rest: a request that meets this has lost its answer, so they rest for less here. Node, in
/// which Azurite runs, waits five seconds.
const LOCAL_REST: Duration = Duration::from_secs(4);
const CLOUD_REST: Duration = Duration::from_secs(60);
const CONNECT: Duration = Duration::from_secs(10);
/// The longest silence within an answer. The service works at most 30 s on a request.
const SILENCE: Duration = Duration::from_secs(60);

/// Connections to an address of this scheme.
///
/// Nothing is decompressed, so an answer is never longer than what was received; nothing is redirected, so a signature goes
/// nowhere else.
///
/// # Errors
/// If the system's certificates cannot be had.
pub(super) fn shared(scheme_is_https: bool) -> Result<Transport> {
    static LOCAL: OnceLock<Result<Arc<dyn HttpClient>, String>> = OnceLock::new();
    static CLOUD: OnceLock<Result<Arc<dyn HttpClient>, String>> = OnceLock::new();
    let (made, rest) = if scheme_is_https { (&CLOUD, CLOUD_REST) } else { (&LOCAL, LOCAL_REST) };
    match made.get_or_init(|| make(rest)) {
        Ok(client) => Ok(Transport::new(Arc::clone(client))),
        Err(why) => Err(StorageFault::Bug { what: format!("no HTTP client could be made: {why}") }.into()),
    }
}

fn make(rest: Duration) -> Result<Arc<dyn HttpClient>, String> {
    // Another may have been chosen by the program before: then that one is used.
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

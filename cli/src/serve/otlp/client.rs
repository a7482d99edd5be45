use std::{io, time::Duration};

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use tokio::runtime::{Builder, Runtime};

/// Maximum time of a request to the collector.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Sends spans from the thread of their processor, which belongs to no runtime.
#[derive(Debug)]
pub(super) struct Client {
    runtime: Runtime,
    client: reqwest::Client,
}

impl Client {
    pub(super) fn new() -> io::Result<Self> {
        // If another provider is installed, it is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let client = reqwest::Client::builder().timeout(MOST_TIME).build().map_err(io::Error::other)?;
        Ok(Self { runtime, client })
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let exchange = async {
            let answer = self.client.execute(request.try_into()?).await?;
            let mut response = Response::builder().status(answer.status());
            if let Some(headers) = response.headers_mut() {
                headers.clone_from(answer.headers());
            }
            Ok(response.body(answer.bytes().await?)?)
        };
        self.runtime.block_on(exchange)
    }
}

//! Servers and transports that repeat the request.

use std::net::SocketAddr;

use azure_core::{
    Error, Result,
    credentials::{AccessToken, TokenCredential, TokenRequestOptions},
    error::ErrorKind,
    http::{AsyncRawResponse, HttpClient, Request},
    time::{Duration, OffsetDateTime},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// The behavior of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Html,
    Xml,
    Json,
    Success,
    Redirect,
    Unavailable,
    Broken,
    /// The connection ends within the head of the response.
    Cut,
    /// The connection ends immediately.
    Closed,
}

impl Form {
    pub(crate) const ALL: [Self; 9] = [
        Self::Html,
        Self::Xml,
        Self::Json,
        Self::Success,
        Self::Redirect,
        Self::Unavailable,
        Self::Broken,
        Self::Cut,
        Self::Closed,
    ];

    /// Returns a response that contains the head of the request.
    fn answer(self, head: &str) -> String {
        let target = head.split(' ').nth(1).unwrap_or_default();
        let said: String = head.replace(['\r', '\n', '"'], " ");
        let (status, extra, body) = match self {
            Self::Html => ("403 Forbidden", String::new(), format!("<html>You sent {said}</html>")),
            Self::Xml => (
                "403 Forbidden",
                String::new(),
                format!(
                    "<Error><Code>AuthenticationFailed</Code><Message>{}</Message></Error>",
                    said.replace('&', "&amp;")
                ),
            ),
            Self::Json => (
                "403 Forbidden",
                "content-type: application/json\r\n".to_owned(),
                format!(
                    r#"{{"odata.error":{{"code":"{said}","message":{{"lang":"en","value":"{said}"}}}}}}"#
                ),
            ),
            Self::Success => (
                "200 OK",
                format!("etag: {target}\r\ndate: {target}\r\nx-ms-popreceipt: {target}\r\n"),
                format!("{{\"value\":[{{\"{said}\":\"{said}\",\"{said}@odata.type\":\"{said}\"}}]}}"),
            ),
            Self::Redirect => ("302 Found", format!("location: {target}\r\n"), said),
            Self::Unavailable => ("503 Service Unavailable", format!("x-ms-error-code: {target}\r\n"), said),
            Self::Broken => ("500 Internal Server Error", String::new(), said),
            Self::Cut | Self::Closed => return format!("HTTP/1.1 200 OK\r\nlocation: {target}"),
        };
        let length = body.len();
        format!("HTTP/1.1 {status}\r\n{extra}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
    }
}

/// A server that stops with its runtime.
pub(crate) struct Echo(SocketAddr);

impl Echo {
    pub(crate) async fn new(form: Form) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, form));
            }
        });
        Self(address)
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.0
    }
}

async fn answer(mut stream: TcpStream, form: Form) -> std::io::Result<()> {
    let mut head = Vec::new();
    if form == Form::Closed {
        return Ok(());
    }
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        if stream.read_buf(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let end = head.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(head.len());
    let said = String::from_utf8_lossy(head.get(..end).unwrap_or_default()).into_owned();
    stream.write_all(form.answer(&said).as_bytes()).await?;
    stream.shutdown().await?;
    // Read the rest of the request, so that the connection is not reset.
    while stream.read_buf(&mut head).await? > 0 {}
    Ok(())
}

/// A transport whose errors contain the complete request.
#[derive(Debug)]
pub(crate) struct Shout;

#[async_trait::async_trait]
impl HttpClient for Shout {
    async fn execute_request(&self, request: &Request) -> Result<AsyncRawResponse> {
        let headers: Vec<String> = request
            .headers()
            .iter()
            .map(|(name, value)| format!("{}: {}", name.as_str(), value.as_str()))
            .collect();
        let said = format!("{} {}", request.url(), headers.join(", "));
        let inner = Error::with_message(ErrorKind::Connection, said.clone());
        Err(Error::with_error(ErrorKind::Io, inner, said))
    }
}

/// A credential.
#[derive(Debug)]
pub(crate) struct Token(pub(crate) &'static str);

#[async_trait::async_trait]
impl TokenCredential for Token {
    async fn get_token(&self, _: &[&str], _: Option<TokenRequestOptions<'_>>) -> Result<AccessToken> {
        Ok(AccessToken::new(self.0, OffsetDateTime::now_utc() + Duration::hours(1)))
    }
}

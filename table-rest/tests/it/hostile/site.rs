//! A server on loopback, and a client that sends exact bytes.

use std::{net::SocketAddr, time::Duration};

use http::{HeaderMap, HeaderName};
use table_model::Timestamp;
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Scheme, SignedRequest},
    server::{Builder, Limits, ServedAccount, Server},
    wire::{http_date::HttpDate, query_string::QueryString},
};
use table_store::Store;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Timeout of every wait, far above the expected duration.
const BOUND: Duration = Duration::from_secs(30);

pub(crate) struct Site(Server);

/// A parsed response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Site {
    pub(crate) async fn new(limits: Limits) -> Self {
        Self::of(Store::in_memory().unwrap(), limits).await
    }

    pub(crate) async fn of(store: Store, limits: Limits) -> Self {
        let account = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], store);
        Self::of_accounts([account], limits).await
    }

    pub(crate) async fn of_accounts(
        accounts: impl IntoIterator<Item = ServedAccount>,
        limits: Limits,
    ) -> Self {
        let server = Server::builder().limits(limits);
        Self::running(accounts.into_iter().fold(server, Builder::account)).await
    }

    /// Starts a server that is already configured.
    pub(crate) async fn running(server: Builder) -> Self {
        Self(server.bind().await.unwrap())
    }

    pub(crate) fn address(&self, kind: ServiceKind) -> SocketAddr {
        self.0.address(kind)
    }

    pub(crate) async fn connect(&self, kind: ServiceKind) -> TcpStream {
        TcpStream::connect(self.address(kind)).await.unwrap()
    }

    /// Sends bytes on a separate connection, and reads until the server closes it.
    pub(crate) async fn say(&self, kind: ServiceKind, bytes: &str) -> Vec<Answer> {
        let mut socket = self.connect(kind).await;
        // The server may close before it reads everything.
        let _ = timeout(BOUND, socket.write_all(bytes.as_bytes())).await.unwrap();
        answers(&read_to_end(socket).await)
    }

    /// Returns a signed head without the empty line. `lines` are additional headers.
    pub(crate) fn head(kind: ServiceKind, method: &str, path: &str, lines: &str) -> String {
        Self::head_of(&AccountName::emulator(), &AccountKey::emulator(), (kind, method, path), lines)
    }

    /// Returns the head of a request to another account.
    pub(crate) fn head_of(
        account: &AccountName,
        key: &AccountKey,
        (kind, method, target): (ServiceKind, &str, &str),
        lines: &str,
    ) -> String {
        let target = format!("/{account}{target}");
        let path = target.split('?').next().unwrap();
        let mut headers = HeaderMap::new();
        let date = HttpDate(Timestamp::now()).to_string();
        let head = format!("Host: 127.0.0.1\r\nx-ms-version: 2019-02-02\r\nx-ms-date: {date}\r\n{lines}");
        for line in head.lines() {
            let (name, value) = line.split_once(": ").unwrap();
            headers.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        }
        let signed = SignedRequest {
            kind,
            account,
            method: &method.parse().unwrap(),
            path,
            query: &QueryString::parse(target.split_once('?').map_or("", |(_, query)| query)).unwrap(),
            headers: &headers,
        };
        let authorization = signed.authorization(Scheme::SharedKey, key);
        format!("{method} {target} HTTP/1.1\r\n{head}Authorization: {authorization}\r\n")
    }

    pub(crate) async fn shutdown(self) {
        timeout(BOUND, self.0.shutdown()).await.unwrap();
    }
}

/// Reads until the connection ends.
pub(crate) async fn read_to_end(mut socket: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = timeout(BOUND, socket.read_to_end(&mut bytes)).await.expect("the connection stays open");
    bytes
}

/// Parses consecutive responses. Responses to HEAD must be the last.
pub(crate) fn answers(mut bytes: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    while !bytes.is_empty() {
        let mut fields = [httparse::EMPTY_HEADER; 64];
        let mut head = httparse::Response::new(&mut fields);
        let length = head.parse(bytes).unwrap().unwrap();
        let text = |value: &[u8]| String::from_utf8(value.to_vec()).unwrap();
        let headers = head.headers.iter().map(|field| (field.name.to_owned(), text(field.value))).collect();
        let mut answer = Answer { status: head.code.unwrap(), headers, body: String::new() };
        bytes = bytes.split_at(length).1;
        if answer.status == 100 {
            continue;
        }
        let said = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
        let (body, rest) = bytes.split_at(said.min(bytes.len()));
        answer.body = text(body);
        answers.push(answer);
        bytes = rest;
    }
    answers
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the names that start with `prefix`, ignoring case, as they are spelled.
    pub(crate) fn names(&self, prefix: &str) -> Vec<&str> {
        let names = self.headers.iter().map(|(name, _)| name.as_str());
        names.filter(|name| name.to_lowercase().starts_with(prefix)).collect()
    }
}

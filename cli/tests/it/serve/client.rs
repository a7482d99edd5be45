//! A minimal client of tables for the tests, on one connection.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Scheme, SignedRequest},
    wire::{http_date::HttpDate, query_string::QueryString},
};
use table_store::Timestamp;

use crate::serve::process::Running;

/// Timeout above any expected duration.
const BOUND: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    socket: BufReader<TcpStream>,
    host: String,
    account: AccountName,
    key: AccountKey,
    /// The `traceparent` of its requests.
    trace: Option<String>,
}

impl Client {
    pub(crate) fn new(server: &Running) -> Self {
        Self::of(server, "devstoreaccount1", &AccountKey::emulator().expose())
    }

    pub(crate) fn of(server: &Running, account: &str, key: &str) -> Self {
        let (host, _) = split(server.word("table"));
        let socket = TcpStream::connect(host).unwrap();
        socket.set_read_timeout(Some(BOUND)).unwrap();
        let (account, key) = (account.parse().unwrap(), key.parse().unwrap());
        Self { socket: BufReader::new(socket), host: host.to_owned(), account, key, trace: None }
    }

    /// Sets the `traceparent` of its requests.
    pub(crate) fn traced(self, parent: &str) -> Self {
        Self { trace: Some(parent.to_owned()), ..self }
    }

    pub(crate) fn create_table(&mut self, table: &str) {
        let status = self.try_create_table(table);
        assert!(matches!(status, 204 | 409), "{status}");
    }

    pub(crate) fn try_create_table(&mut self, table: &str) -> u16 {
        self.send("POST", "/Tables", &format!(r#"{{"TableName":"{table}"}}"#)).unwrap()
    }

    pub(crate) fn delete_table(&mut self, table: &str) -> u16 {
        self.send("DELETE", &format!("/Tables('{table}')"), "").unwrap()
    }

    pub(crate) fn insert(&mut self, table: &str, partition: &str, row: &str) {
        assert_eq!(self.try_insert(table, partition, row), Some(204));
    }

    /// Returns the status of the response; `None` without a response.
    pub(crate) fn try_insert(&mut self, table: &str, partition: &str, row: &str) -> Option<u16> {
        let entity = format!(r#"{{"PartitionKey":"{partition}","RowKey":"{row}","Text":"{row}"}}"#);
        self.send("POST", &format!("/{table}"), &entity).ok()
    }

    pub(crate) fn has(&mut self, table: &str, partition: &str, row: &str) -> bool {
        let path = format!("/{table}(PartitionKey='{partition}',RowKey='{row}')");
        self.send("GET", &path, "").unwrap() == 200
    }

    /// Reads the entities of a table. Returns the status of the response.
    pub(crate) fn query(&mut self, table: &str) -> u16 {
        self.send("GET", &format!("/{table}()"), "").unwrap()
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> io::Result<u16> {
        let path = format!("/{}{path}", self.account);
        let mut headers = http::HeaderMap::new();
        let mut put = |name: &'static str, value: &str| headers.insert(name, value.parse().unwrap());
        put("host", &self.host);
        put("accept", "application/json;odata=nometadata");
        put("prefer", "return-no-content");
        put("x-ms-version", "2019-02-02");
        put("x-ms-date", &HttpDate(Timestamp::now()).to_string());
        put("content-length", &body.len().to_string());
        if let Some(trace) = &self.trace {
            put("traceparent", trace);
        }
        if !body.is_empty() {
            put("content-type", "application/json");
        }
        let signed = SignedRequest {
            kind: ServiceKind::Table,
            account: &self.account,
            method: &method.parse().unwrap(),
            path: &path,
            query: &QueryString::default(),
            headers: &headers,
        };
        let authorization = signed.authorization(Scheme::SharedKey, &self.key);
        headers.insert("authorization", authorization.parse().unwrap());
        let lines = headers.iter().map(|(name, value)| format!("{name}: {}\r\n", value.to_str().unwrap()));
        let lines = lines.collect::<String>();
        let request = format!("{method} {path} HTTP/1.1\r\n{lines}\r\n{body}");
        self.socket.get_mut().write_all(request.as_bytes())?;
        self.receive()
    }

    /// Reads a response to its end.
    fn receive(&mut self) -> io::Result<u16> {
        let mut line = || {
            let mut line = String::new();
            match self.socket.read_line(&mut line)? {
                0 => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
                _ => Ok(line.trim_end().to_lowercase()),
            }
        };
        let status = line()?.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut length = 0;
        loop {
            let line = line()?;
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        io::copy(&mut self.socket.by_ref().take(length), &mut io::sink())?;
        status.ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

/// Returns the complete response to a GET request without a signature.
pub(crate) fn page(url: &str) -> String {
    let (host, path) = split(url);
    let mut socket = TcpStream::connect(host).unwrap();
    socket.set_read_timeout(Some(BOUND)).unwrap();
    write!(socket, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    answer
}

/// Returns the status of a request with these lines and without a signature.
pub(crate) fn status(url: &str, lines: &str) -> u16 {
    let (host, path) = split(url);
    let mut socket = TcpStream::connect(host).unwrap();
    socket.set_read_timeout(Some(BOUND)).unwrap();
    write!(socket, "GET {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

fn split(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").unwrap();
    rest.split_at(rest.find('/').unwrap())
}

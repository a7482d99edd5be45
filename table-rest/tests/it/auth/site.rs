//! A server with data in each of its services, and requests to it.

use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use table_model::{Timestamp, Uuid};
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Scheme, SignedRequest, sas::SasToken},
    server::{Accounts, Call, Probe, ReplyBody, RequestBody, ServedAccount, Spelling, dispatch},
    wire::query_string::QueryString,
};
use table_store::Store;

const NAME: &str = "acme";
const NOW: &str = "2024-03-01T00:00:00Z";
const DATE: &str = "Fri, 01 Mar 2024 00:00:00 GMT";

pub(crate) fn name() -> AccountName {
    NAME.parse().unwrap()
}

pub(crate) fn key() -> AccountKey {
    "c2VjcmV0LWNhbmFyeS1rZXktdGhhdC1pcy1sb25nLWVub3VnaA==".parse().unwrap()
}

pub(crate) fn later() -> Timestamp {
    "2024-03-01T01:00:00Z".parse().unwrap()
}

pub(crate) struct Site(Accounts);

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    /// Returns the error code, or an empty string on success.
    pub(crate) fn code(&self) -> &str {
        self.header("x-ms-error-code")
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{} {}", self.code(), self.body);
        self
    }
}

impl Site {
    /// Creates a site with the table `people`, the queue `photos` and the container `films`, each with data.
    pub(crate) fn new() -> Self {
        let account = ServedAccount::new(name(), vec![key()], Store::in_memory().unwrap());
        let site = Self([account].into_iter().collect());
        site.send(&Request::new(ServiceKind::Table, "POST", "/Tables").body(r#"{"TableName":"people"}"#))
            .expect(201);
        let jo = r#"{"PartitionKey":"p","RowKey":"r"}"#;
        site.send(&Request::new(ServiceKind::Table, "POST", "/people").body(jo)).expect(201);
        site.send(&Request::new(ServiceKind::Queue, "PUT", "/photos")).expect(201);
        let films = Request::new(ServiceKind::Blob, "PUT", "/films?restype=container");
        site.send(&films).expect(201);
        let blob = Request::new(ServiceKind::Blob, "PUT", "/films/jo").header("x-ms-blob-type", "BlockBlob");
        site.send(&blob.body("hello")).expect(201);
        site
    }

    pub(crate) fn send(&self, request: &Request) -> Answer {
        self.call(&request.call(), &request.body)
    }

    /// Sends a call that may have been changed after it was signed.
    pub(crate) fn call(&self, call: &Call, body: &Bytes) -> Answer {
        let pieces = stream::iter([Ok(body.clone())]);
        let body = RequestBody::new(Some(body.len() as u64), pieces);
        let reply = pollster::block_on(dispatch(&self.0, call, body));
        let body = match reply.body {
            ReplyBody::Whole(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            ReplyBody::Stream(..) => String::new(),
        };
        Answer { status: reply.status.as_u16(), headers: reply.headers, body }
    }
}

/// A request, signed by the account key unless it has another signature.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) kind: ServiceKind,
    method: Method,
    target: String,
    headers: HeaderMap,
    body: Bytes,
    signature: Signature,
    secondary: bool,
}

#[derive(Clone, Debug)]
enum Signature {
    Key,
    Token(String),
    None,
}

impl Request {
    pub(crate) fn new(kind: ServiceKind, method: &str, target: &str) -> Self {
        let headers = HeaderMap::new();
        let request = Self {
            kind,
            method: method.parse().unwrap(),
            target: target.to_owned(),
            headers,
            body: Bytes::new(),
            signature: Signature::Key,
            secondary: false,
        };
        request.header("x-ms-version", "2021-06-08").header("accept", "application/json")
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        self
    }

    pub(crate) fn body(mut self, body: &str) -> Self {
        self.body = Bytes::copy_from_slice(body.as_bytes());
        self.header("content-type", "application/json")
    }

    pub(crate) fn sas(mut self, token: &SasToken) -> Self {
        self.signature = Signature::Token(token.to_string());
        self
    }

    pub(crate) fn unsigned(mut self) -> Self {
        self.signature = Signature::None;
        self
    }

    pub(crate) fn secondary(mut self) -> Self {
        self.secondary = true;
        self
    }

    /// Returns the signed request in the form the server receives.
    pub(crate) fn call(&self) -> Call {
        let (path, query) = self.target.split_once('?').unwrap_or((&self.target, ""));
        let raw_query = match &self.signature {
            Signature::Token(token) if query.is_empty() => token.clone(),
            Signature::Token(token) => format!("{query}&{token}"),
            Signature::Key | Signature::None => query.to_owned(),
        };
        let mut headers = self.headers.clone();
        headers.insert("x-ms-date", HeaderValue::from_static(DATE));
        headers.insert("content-length", HeaderValue::from(self.body.len()));
        let mut call = Call {
            kind: self.kind,
            method: self.method.clone(),
            signed_path: format!("/{NAME}{path}"),
            path: path.to_owned(),
            query: QueryString::parse(&raw_query).unwrap(),
            raw_query,
            headers,
            spelling: Spelling::default(),
            probe: Probe::default(),
            account: NAME.to_owned(),
            secondary: self.secondary,
            root: format!("http://127.0.0.1/{NAME}"),
            peer: [127, 0, 0, 1].into(),
            secure: false,
            id: Uuid::from_u128(1),
            received: NOW.parse().unwrap(),
        };
        if matches!(self.signature, Signature::Key) {
            let authorization = signed(&call).authorization(Scheme::SharedKey, &key());
            call.headers.insert("authorization", HeaderValue::from_str(&authorization).unwrap());
        }
        call
    }
}

/// Returns the signed parts of a request.
pub(crate) fn signed(call: &Call) -> SignedRequest<'_> {
    SignedRequest {
        kind: call.kind,
        account: &call.account,
        method: &call.method,
        path: &call.signed_path,
        query: &call.query,
        headers: &call.headers,
    }
}

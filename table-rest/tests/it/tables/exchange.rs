//! A server, requests to it, and its responses.

use std::{
    net::{IpAddr, Ipv4Addr},
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use table_model::{Timestamp, Uuid};
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Scheme, SignedRequest},
    server::{
        Accounts, Call, Facts, Probe, Refusal, ReplyBody, RequestBody, ServedAccount, Spelling, dispatch,
    },
    wire::query_string::QueryString,
};
use table_store::Store;

pub(crate) const ROOT: &str = "http://127.0.0.1:10002/devstoreaccount1";
const ACCOUNT: &str = "/devstoreaccount1";
const DATE: &str = "Fri, 01 Mar 2024 00:00:00 GMT";

pub(crate) struct Server(Accounts);

impl Server {
    pub(crate) fn new() -> Self {
        let store = Store::in_memory().unwrap();
        let account = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], store);
        Self([account].into_iter().collect())
    }

    /// Creates a server with a table `people`.
    pub(crate) fn with_people() -> Self {
        let server = Self::new();
        server.post("/Tables", r#"{"TableName":"people"}"#).expect(201);
        server
    }

    pub(crate) fn send(&self, request: Request) -> Answer {
        let (path, raw_query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let signed_path = format!("{ACCOUNT}{path}");
        let mut headers = request.headers;
        headers.insert("x-ms-date", HeaderValue::from_static(DATE));
        if let Some(body) = &request.body {
            headers.insert("content-length", HeaderValue::from(body.len()));
        }
        let query = QueryString::parse(raw_query).unwrap();
        let account = AccountName::emulator();
        let signed = SignedRequest {
            kind: ServiceKind::Table,
            account: &account,
            method: &request.method,
            path: &signed_path,
            query: &query,
            headers: &headers,
        };
        let authorization = signed.authorization(Scheme::SharedKey, &AccountKey::emulator());
        if request.signed {
            headers.insert("authorization", HeaderValue::from_str(&authorization).unwrap());
        }
        let call = Call {
            kind: ServiceKind::Table,
            method: request.method,
            path: path.to_owned(),
            signed_path,
            raw_query: raw_query.to_owned(),
            query,
            headers,
            spelling: Spelling::default(),
            account: account.to_string(),
            secondary: request.secondary,
            root: ROOT.to_owned(),
            peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
            secure: false,
            id: Uuid::from_u128(1),
            received: "2024-03-01T00:00:00Z".parse().unwrap(),
            probe: Probe::default(),
        };
        let body = request.body.unwrap_or_default();
        let body = RequestBody::new(Some(body.len() as u64), Once(Some(body)));
        let reply = pollster::block_on(dispatch(&self.0, &call, body));
        let ReplyBody::Whole(body) = reply.body else { panic!("a table answers at once") };
        Answer {
            status: reply.status.as_u16(),
            headers: reply.headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
            facts: reply.facts,
        }
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.send(Request::new("GET", target))
    }

    pub(crate) fn post(&self, target: &str, body: &str) -> Answer {
        self.send(Request::new("POST", target).json(body))
    }
}

/// A body of one chunk.
struct Once(Option<Bytes>);

impl futures_core::Stream for Once {
    type Item = Result<Bytes, Refusal>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.take().map(Ok))
    }
}

/// A request that accepts minimal metadata, signed by default.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    method: Method,
    target: String,
    headers: HeaderMap,
    body: Option<Bytes>,
    pub(crate) signed: bool,
    pub(crate) secondary: bool,
}

impl Request {
    pub(crate) fn new(method: &str, target: &str) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert("accept", HeaderValue::from_static("application/json;odata=minimalmetadata"));
        headers.insert("x-ms-version", HeaderValue::from_static("2019-02-02"));
        let method = method.parse().unwrap();
        Self { method, target: target.to_owned(), headers, body: None, signed: true, secondary: false }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        self
    }

    pub(crate) fn accept(mut self, value: &str) -> Self {
        self.headers.insert("accept", HeaderValue::from_str(value).unwrap());
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    /// Sets a shared access signature instead of the account key.
    pub(crate) fn sas(mut self, token: &str) -> Self {
        let mark = if self.target.contains('?') { '&' } else { '?' };
        self.target = format!("{}{mark}{token}", self.target);
        self.signed = false;
        self
    }

    pub(crate) fn json(self, body: impl Into<String>) -> Self {
        self.header("content-type", "application/json").body(body.into())
    }

    pub(crate) fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = Some(body.into());
        self
    }
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
    pub(crate) facts: Facts,
}

impl Answer {
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    /// Asserts the error code and the first line of the error message.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str, message: &str) -> Self {
        let answer = self.expect(status);
        assert_eq!(answer.header("x-ms-error-code"), Some(code));
        let (found, text) = answer.error();
        assert_eq!((found.as_str(), text.as_str()), (code, message));
        answer
    }

    #[track_caller]
    pub(crate) fn code(&self) -> String {
        self.error().0
    }

    #[track_caller]
    fn error(&self) -> (String, String) {
        error_in(&self.body)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    #[track_caller]
    pub(crate) fn etag(&self) -> String {
        self.header("etag").unwrap_or_else(|| panic!("no ETag: {self:?}")).to_owned()
    }

    /// Returns the timestamp in the ETag.
    #[track_caller]
    pub(crate) fn time(&self) -> Timestamp {
        self.etag().parse::<table_model::ETag>().unwrap().timestamp().unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }
}

/// Returns the error code, and the message without the required lines that identify the request.
#[track_caller]
pub(crate) fn error_in(body: &str) -> (String, String) {
    let json: serde_json::Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("no error: {body}"));
    let error = &json["odata.error"];
    assert_eq!(error["message"]["lang"], "en-US", "{body}");
    let end = "\nRequestId:00000000-0000-0000-0000-000000000001\nTime:2024-03-01T00:00:00.0000000Z";
    let text = error["message"]["value"].as_str().unwrap();
    let message = text.strip_suffix(end).unwrap_or_else(|| panic!("{text}"));
    (error["code"].as_str().unwrap().to_owned(), message.to_owned())
}

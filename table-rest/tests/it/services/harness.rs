use std::net::{IpAddr, Ipv4Addr};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use table_model::{
    BlobService, Metadata, Timestamp, Uuid,
    blob::{BlobAddress, PutBlob},
};
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Scheme, SignedRequest},
    server::{Accounts, Call, Probe, Refusal, ReplyBody, RequestBody, ServedAccount, Spelling, dispatch},
    wire::{
        query_string::QueryString,
        xml::{Element, Limits, parse},
    },
};
use table_store::Store;

/// One service of the emulator account, with an in-memory store.
pub(super) struct Site {
    kind: ServiceKind,
    accounts: Accounts,
}

impl Site {
    pub(super) fn new(kind: ServiceKind) -> Self {
        let store = Store::in_memory().unwrap();
        let account = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], store);
        Self { kind, accounts: [account].into_iter().collect() }
    }

    /// Creates a site with another account, and returns its name and key. It has the blob `jo` in `films`.
    pub(super) async fn with_another() -> (Self, AccountName, AccountKey) {
        let (name, key) = ("another".parse::<AccountName>().unwrap(), AccountKey::new([7; 32]).unwrap());
        let store = Store::in_memory().unwrap();
        let jo = BlobAddress::new("films", "jo").unwrap();
        store.create_container(&jo.container, Metadata::new()).await.unwrap();
        store.put_blob(&jo, "of another account".into(), PutBlob::new()).await.unwrap();
        let own = Store::in_memory().unwrap();
        let own = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], own);
        let another = ServedAccount::new(name.clone(), vec![key.clone()], store);
        let site = Self { kind: ServiceKind::Blob, accounts: [own, another].into_iter().collect() };
        (site, name, key)
    }

    /// Sends a request without a body.
    pub(super) async fn ask(&self, method: &str, target: &str) -> Answer {
        self.send(Ask::new(method, target)).await
    }

    pub(super) async fn send(&self, ask: Ask) -> Answer {
        let (method, call, body) = ask.signed(self.kind);
        let reply = dispatch(&self.accounts, &call, body).await;
        let body = match reply.body {
            ReplyBody::Whole(bytes) => Ok(bytes.to_vec()),
            ReplyBody::Stream(length, pieces) => {
                let pieces: Vec<Result<Bytes, Refusal>> = pieces.collect().await;
                let pieces = pieces.into_iter().collect::<Result<Vec<_>, _>>();
                if let Ok(pieces) = &pieces {
                    assert_eq!(pieces.iter().map(|piece| piece.len() as u64).sum::<u64>(), length);
                }
                pieces.map(|pieces| pieces.concat())
            }
        };
        assert!(method != Method::HEAD || !reply.status.is_success() || body.as_ref().unwrap().is_empty());
        Answer {
            status: reply.status.as_u16(),
            operation: reply.facts.operation,
            headers: reply.headers,
            body: body.unwrap(),
        }
    }
}

/// A request.
#[derive(Clone)]
pub(super) struct Ask {
    method: Method,
    target: String,
    headers: HeaderMap,
    pieces: Vec<Result<Bytes, Refusal>>,
    length: Option<u64>,
    is_signed: bool,
}

impl Ask {
    pub(super) fn new(method: &str, target: &str) -> Self {
        Self {
            method: method.parse().unwrap(),
            target: target.to_owned(),
            headers: HeaderMap::new(),
            pieces: Vec::new(),
            length: Some(0),
            is_signed: true,
        }
    }

    pub(super) fn header(mut self, name: &str, value: impl AsRef<str>) -> Self {
        self.headers.append(name.parse::<HeaderName>().unwrap(), value.as_ref().parse().unwrap());
        self
    }

    pub(super) fn body(self, body: impl AsRef<[u8]>) -> Self {
        let body = Bytes::copy_from_slice(body.as_ref());
        self.pieces(body.len() as u64, vec![Ok(body)])
    }

    /// Sets a body in chunks, and its specified length.
    pub(super) fn pieces(mut self, length: u64, pieces: Vec<Result<Bytes, Refusal>>) -> Self {
        self.length = Some(length);
        self.pieces = pieces;
        self
    }

    pub(super) fn without_length(mut self) -> Self {
        self.length = None;
        self
    }

    /// Adds text to the target.
    pub(super) fn with_query(mut self, text: &str) -> Self {
        self.target.push_str(text);
        self
    }

    pub(super) fn unsigned(mut self) -> Self {
        self.is_signed = false;
        self
    }

    fn signed(mut self, kind: ServiceKind) -> (Method, Call, RequestBody) {
        let (path, raw_query) = self.target.split_once('?').unwrap_or((self.target.as_str(), ""));
        let signed_path = format!("/devstoreaccount1{path}");
        let query = QueryString::parse(raw_query).unwrap();
        self.headers.insert("x-ms-date", HeaderValue::from_static("Fri, 01 Mar 2024 00:00:00 GMT"));
        self.headers.insert("x-ms-version", HeaderValue::from_static("2025-05-05"));
        if let Some(length) = self.length {
            self.headers.insert("content-length", length.into());
        }
        let account = AccountName::emulator();
        let request = SignedRequest {
            kind,
            account: &account,
            method: &self.method,
            path: &signed_path,
            query: &query,
            headers: &self.headers,
        };
        let authorization = request.authorization(Scheme::SharedKey, &AccountKey::emulator());
        if self.is_signed {
            self.headers.insert("authorization", authorization.parse().unwrap());
        }
        let call = Call {
            kind,
            method: self.method.clone(),
            path: path.to_owned(),
            signed_path,
            raw_query: raw_query.to_owned(),
            query,
            headers: self.headers,
            spelling: Spelling::default(),
            probe: Probe::default(),
            account: account.as_str().to_owned(),
            secondary: false,
            root: "http://127.0.0.1:10000/devstoreaccount1".to_owned(),
            peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
            secure: false,
            id: Uuid::from_u128(7),
            received: "2024-03-01T00:00:00Z".parse::<Timestamp>().unwrap(),
        };
        (self.method, call, RequestBody::new(self.length, stream::iter(self.pieces)))
    }
}

/// A response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) operation: &'static str,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// Returns the status and the error code.
    pub(super) fn outcome(&self) -> (u16, &str) {
        (self.status, self.header("x-ms-error-code"))
    }

    /// Asserts the status and returns the response.
    #[track_caller]
    pub(super) fn is(self, status: u16) -> Self {
        assert_eq!(self.outcome(), (status, ""), "{}", self.text());
        self
    }

    /// Asserts the error and returns the response.
    #[track_caller]
    pub(super) fn fails(self, status: u16, code: &str) -> Self {
        assert_eq!(self.outcome(), (status, code), "{}", self.text());
        self
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(super) fn xml(&self) -> Element {
        assert!(self.body.starts_with(b"\xef\xbb\xbf"), "{}", self.text());
        parse(&self.body, Limits::ANSWER).unwrap()
    }
}

/// Documents that require far more resources than their size.
pub(super) fn bombs() -> Vec<String> {
    let laugh = |level: u32| format!("<!ENTITY l{level} \"{}\">", format!("&l{};", level - 1).repeat(10));
    let laughs: Vec<String> = (1..10).map(laugh).collect();
    vec![
        format!("<!DOCTYPE a [<!ENTITY l0 \"lol\">{}]><a>&l9;</a>", laughs.concat()),
        format!("<!DOCTYPE a [<!ENTITY x \"{}\">]><a>{}</a>", "x".repeat(9_000), "&x;".repeat(9_000)),
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><a>&x;</a>".to_owned(),
        "<!DOCTYPE a SYSTEM \"http://127.0.0.1/a.dtd\"><a/>".to_owned(),
        "<a>".repeat(50_000),
        format!("<a {}/>", "b='' ".repeat(50_000)),
        "<a".to_owned(),
        "\u{0}".to_owned(),
    ]
}

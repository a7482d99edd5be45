//! A server whose scans never end.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use azure_core::{
    Result,
    http::{AsyncRawResponse, ClientOptions, HttpClient, Request, StatusCode, Transport, headers::Headers},
};
use table_model::{ErrorCode, Query, TableService, service::ListTables};
use table_rest::{
    AccountName,
    auth::AccountKey,
    client::{Account, Backend, Settings},
    connection::ConnectionString,
};

/// Each page is empty and has a continuation: the first hundred different ones, then the same.
struct Endless(AtomicU32);

#[async_trait::async_trait]
impl HttpClient for Endless {
    async fn execute_request(&self, request: &Request) -> Result<AsyncRawResponse> {
        let page = self.0.fetch_add(1, Ordering::SeqCst).min(100).to_string();
        let mut headers = Headers::new();
        let name = if request.url().path().ends_with("/Tables") {
            "x-ms-continuation-nexttablename"
        } else {
            "x-ms-continuation-nextpartitionkey"
        };
        headers.insert(name, page);
        Ok(AsyncRawResponse::from_bytes(StatusCode::Ok, headers, r#"{"value":[]}"#))
    }
}

impl fmt::Debug for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endless").finish_non_exhaustive()
    }
}

fn account(server: &Arc<Endless>, backend: Option<Backend>) -> Account {
    let text = ConnectionString::new(AccountName::emulator(), AccountKey::emulator())
        .with_endpoint(table_rest::ServiceKind::Table, "http://127.0.0.1:1/devstoreaccount1")
        .unwrap();
    let transport = Transport::new(Arc::<Endless>::clone(server));
    let options = ClientOptions { transport: Some(transport), ..ClientOptions::default() };
    let settings = Settings::new().pipeline(options);
    let settings = if let Some(backend) = backend { settings.backend(backend) } else { settings };
    Account::from_parsed(&text).unwrap().with_settings(settings)
}

#[tokio::test]
async fn a_scan_that_never_ends_is_cut_off() {
    let server = Arc::new(Endless(AtomicU32::new(0)));
    let tables = account(&server, None).tables().unwrap();
    let (table, mut query) = ("people".parse().unwrap(), Query::new());
    let error = loop {
        match tables.query(&table, query.clone()).await {
            Ok(segment) => query.continuation = segment.continuation,
            Err(error) => break error,
        }
    };
    assert_eq!(error.code(), ErrorCode::InternalError);
    assert!(error.message().contains("does not end the scan"), "{error}");
    assert_eq!(server.0.load(Ordering::SeqCst), 102);

    let mut list = ListTables::new();
    let error = loop {
        match tables.list_tables(list.clone()).await {
            Ok(segment) => list.continuation = segment.continuation,
            Err(error) => break error,
        }
    };
    assert!(error.message().contains("does not end the scan"), "{error}");
}

/// A server that ignores the order of a query: declared as ours, at an address that is not known, and as another one.
#[tokio::test]
async fn an_order_that_the_server_does_not_confirm_is_refused() {
    let server = Arc::new(Endless(AtomicU32::new(0)));
    let refused = async |backend| {
        let tables = account(&server, backend).tables().unwrap();
        let table = "people".parse().unwrap();
        let before = server.0.load(Ordering::SeqCst);
        for _ in 0..2 {
            let error = tables.query(&table, Query::new().descending()).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::NotImplemented);
        }
        let sent = server.0.load(Ordering::SeqCst) - before;
        assert!(tables.query(&table, Query::new()).await.is_ok());
        sent
    };
    assert_eq!(refused(Some(Backend::Server)).await, 1, "the first response is remembered");
    assert_eq!(refused(None).await, 1);
    assert_eq!(refused(Some(Backend::Azurite)).await, 0, "nothing is sent");
    assert_eq!(refused(Some(Backend::Azure)).await, 0);
}

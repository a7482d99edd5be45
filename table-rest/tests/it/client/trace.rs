//! The trace of the caller in the log of the server.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use table_model::{Query, TableService};
use table_rest::{
    ServiceKind, TraceContext,
    auth::AccountKey,
    client::{Account, Backend, Settings},
    connection::ConnectionString,
};

use super::served;
use crate::lines::Lines;

#[tokio::test]
async fn each_request_carries_the_trace_of_its_caller() {
    let (server, account) = served().await;
    let spans = Arc::new(AtomicU64::new(0));
    let current = Arc::clone(&spans);
    let trace = move || {
        let context = TraceContext::new(0x4bf9, current.fetch_add(1, Ordering::SeqCst) + 1, true)?;
        Some(context.with_state("vendor=1"))
    };
    let settings = Settings::new().backend(Backend::Server).trace(trace);
    let table = "people".parse().unwrap();
    // The headers are not signed.
    account.clone().with_settings(settings.clone()).tables().unwrap().create_table(&table).await.unwrap();
    assert_eq!(spans.load(Ordering::SeqCst), 1);

    let other_key = AccountKey::new(*b"another key of the tests, 32 by.").unwrap();
    let endpoint = format!("http://{}/acme", server.address(ServiceKind::Table));
    let text = ConnectionString::new("acme".parse().unwrap(), other_key);
    let text = text.with_endpoint(ServiceKind::Table, &endpoint).unwrap();
    let refused = Account::from_parsed(&text).unwrap().with_settings(settings).tables().unwrap();
    let (lines, _guard) = Lines::capture_spans();
    refused.query(&table, Query::new()).await.unwrap_err();
    server.shutdown().await;
    let span = lines.span();
    assert_eq!(span["trace_id"], format!("{:032x}", 0x4bf9), "{span}");
    assert_eq!(span["parent_id"], format!("{:016x}", 2), "{span}");
}

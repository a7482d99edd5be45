//! The client against servers: all three services, with the embedded store behind each.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on says why")]

mod blobs;
mod endless;
mod flaky;
mod lost;
mod queues;
mod tables;
mod touches;
mod trace;

use table_model::{ErrorCode, Uuid};
use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    client::{Account, Backend, Settings},
    connection::ConnectionString,
    server::{ServedAccount, Server},
};
use table_store::Store;

fn code<T: std::fmt::Debug>(result: table_model::Result<T>) -> ErrorCode {
    result.unwrap_err().code()
}

/// Returns a name that is unique across runs.
fn fresh(prefix: &str) -> String {
    format!("{prefix}{}", Uuid::new_v4().simple())
}

async fn everything(account: &Account) {
    tables::all(account).await;
    queues::all(account).await;
    blobs::all(account).await;
}

/// Starts a server with an in-memory store. Returns it with its account.
async fn served() -> (Server, Account) {
    let name: AccountName = "acme".parse().unwrap();
    let key = AccountKey::new(*b"a key of the tests, of 32 bytes.").unwrap();
    let store = Store::in_memory().unwrap();
    let account = ServedAccount::new(name.clone(), vec![key.clone()], store);
    let server = Server::builder().account(account).bind().await.unwrap();
    let mut text = ConnectionString::new(name, key);
    for kind in ServiceKind::ALL {
        text = text.with_endpoint(kind, &format!("http://{}/acme", server.address(kind))).unwrap();
    }
    let settings = Settings::new().backend(Backend::Server);
    (server, Account::from_parsed(&text).unwrap().with_settings(settings))
}

#[tokio::test]
async fn our_server_answers_as_the_store_does() {
    let (server, account) = served().await;
    everything(&account).await;
    server.shutdown().await;
}

/// Uses a running server; `TABLES_PEER` contains its connection string.
#[tokio::test]
async fn a_peer_answers_as_the_store_does() {
    let Ok(text) = std::env::var("TABLES_PEER") else { return };
    let settings = Settings::new().backend(Backend::Azurite);
    everything(&Account::from_connection_string(&text).unwrap().with_settings(settings)).await;
}

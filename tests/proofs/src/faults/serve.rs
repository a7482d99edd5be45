//! The server without the CLI, for runs of seconds: only this program must be built for them.

use std::path::Path;

use table_rest::{
    AccountName, ServiceKind,
    auth::AccountKey,
    server::{ServedAccount, Server},
};
use table_store::Store;

use crate::faults::connect::Failure;

/// Serves the store of a directory until it is killed.
///
/// # Errors
///
/// Returns an error if the server cannot start.
pub fn serve(data: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(data)?;
    let store = Store::open(data.join("devstoreaccount1.tables"))?;
    let account = ServedAccount::new(AccountName::emulator(), vec![AccountKey::emulator()], store);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::builder().account(account).bind().await?;
        for kind in ServiceKind::ALL {
            println!("{} http://{}/devstoreaccount1", kind.as_str(), server.address(kind));
        }
        println!("ready own");
        std::future::pending::<()>().await;
        drop(server);
        Ok(())
    })
}

/// Returns the connection string of the emulator's account at these ports, of blobs, queues and tables.
#[must_use]
pub fn connection(ports: [u16; 3]) -> String {
    let key = AccountKey::emulator();
    let account = AccountName::emulator();
    let mut text = table_rest::connection::ConnectionString::new(account, key);
    for (kind, port) in [ServiceKind::Blob, ServiceKind::Queue, ServiceKind::Table].into_iter().zip(ports) {
        let url = format!("http://127.0.0.1:{port}/devstoreaccount1");
        text = text.clone().with_endpoint(kind, &url).unwrap_or(text);
    }
    text.expose().to_string()
}

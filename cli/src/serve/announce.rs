//! The startup message: one line per value, each with a keyword.

use std::{
    io::{self, Write},
    net::SocketAddr,
};

use table_rest::{ServiceKind, auth::AccountKey, connection::ConnectionString, server::Server};

use super::Account;

/// Prints the addresses of the services and the connection string. A key other than the well-known key is shown only on
/// request.
///
/// Errors of standard output are ignored.
pub(super) fn announce<'a>(
    server: &Server,
    secure: bool,
    accounts: impl Iterator<Item = &'a Account>,
    show_keys: bool,
    metrics: Option<SocketAddr>,
) {
    let scheme = if secure { "https" } else { "http" };
    let mut out = io::stdout().lock();
    let mut print = |word: &str, value: &str| {
        let _ = writeln!(out, "{word:<8} {value}");
    };
    for account in accounts {
        for (kind, address) in server.addresses() {
            print(kind.as_str(), &format!("{scheme}://{address}/{}", account.name));
        }
        let known = account.keys.contains(&AccountKey::emulator());
        match connection(server.addresses(), scheme, account) {
            Some(connection) if show_keys || known => {
                print("connect", &connection.expose());
            }
            _ => {
                print("connect", &format!("requires a key of {}; use --show-keys to print it", account.name));
            }
        }
    }
    if let Some(address) = metrics {
        print("metrics", &format!("http://{address}/metrics"));
    }
    print("ready", env!("CARGO_PKG_VERSION"));
    let _ = out.flush();
}

/// Returns the connection string of an account at these addresses.
pub(crate) fn connection(
    addresses: [(ServiceKind, SocketAddr); 3],
    scheme: &str,
    account: &Account,
) -> Option<ConnectionString> {
    let string = ConnectionString::new(account.name.clone(), account.keys.first()?.clone());
    addresses.into_iter().try_fold(string, |string, (kind, address)| {
        string.with_endpoint(kind, &format!("{scheme}://{address}/{}", account.name)).ok()
    })
}

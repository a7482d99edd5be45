//! The startup message on standard output.

use std::{
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use table_rest::{ServiceKind, auth::AccountKey, server::Server};

use crate::serve::{Account, announce::connection};

/// Prints the lines of Azurite that container libraries and scripts wait for, and then the lines of `tables serve`.
///
/// Errors of standard output are ignored.
pub(super) fn announce<'a>(server: &Server, secure: bool, accounts: impl Iterator<Item = &'a Account>) {
    let scheme = if secure { "https" } else { "http" };
    let addresses = server.addresses();
    let mut out = io::stdout().lock();
    for (kind, address) in addresses {
        let name = match kind {
            ServiceKind::Blob => "Blob",
            ServiceKind::Queue => "Queue",
            ServiceKind::Table => "Table",
        };
        let _ = writeln!(out, "Azurite {name} service is successfully listening at {scheme}://{address}");
    }
    let mut print = |word: &str, value: &str| {
        let _ = writeln!(out, "{word:<8} {value}");
    };
    let addresses = addresses.map(reachable);
    let known = AccountKey::emulator();
    for account in accounts {
        for (kind, address) in addresses {
            print(kind.as_str(), &format!("{scheme}://{address}/{}", account.name));
        }
        // A key of the environment is not printed.
        match connection(addresses, scheme, account).filter(|_| account.keys.contains(&known)) {
            Some(connection) => print("connect", &connection.expose()),
            None => print("connect", &format!("requires a key of {}, from AZURITE_ACCOUNTS", account.name)),
        }
    }
    print("ready", env!("CARGO_PKG_VERSION"));
    let _ = out.flush();
}

/// Returns an address for clients on this machine.
fn reachable((kind, address): (ServiceKind, SocketAddr)) -> (ServiceKind, SocketAddr) {
    let host = match address.ip() {
        IpAddr::V4(host) if host.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(host) if host.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        host => host,
    };
    (kind, SocketAddr::new(host, address.port()))
}

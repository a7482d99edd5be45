//! The startup message on standard output.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use table_rest::{ServiceKind, server::Server};

use crate::serve::{Account, announce::Lines};

/// Prints the lines of Azurite that container libraries and scripts wait for, and then the lines of `tables serve`. A key
/// of the environment is not printed.
pub(super) fn announce<'a>(server: &Server, secure: bool, accounts: impl Iterator<Item = &'a Account>) {
    let addresses = server.addresses();
    let mut lines = Lines::new(secure, addresses.map(reachable));
    for (kind, address) in addresses {
        let name = match kind {
            ServiceKind::Blob => "Blob",
            ServiceKind::Queue => "Queue",
            ServiceKind::Table => "Table",
        };
        let scheme = lines.scheme;
        lines.print(&format!("Azurite {name} service is successfully listening at {scheme}://{address}"));
    }
    for account in accounts {
        lines.account(account, false, ", from AZURITE_ACCOUNTS");
    }
    lines.ready();
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

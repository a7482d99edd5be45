//! The startup message: one line per value, each with a keyword.

use std::{
    io::{self, StdoutLock, Write},
    net::SocketAddr,
};

use table_rest::{ServiceKind, auth::AccountKey, connection::ConnectionString, server::Server};

use super::Account;

/// Prints the addresses of the services and the connection string. A key other than the well-known key is shown only on
/// request.
pub(super) fn announce<'a>(
    server: &Server,
    secure: bool,
    accounts: impl Iterator<Item = &'a Account>,
    show_keys: bool,
    metrics: Option<SocketAddr>,
    explorer: Option<&str>,
) {
    let mut lines = Lines::new(secure, server.addresses());
    for account in accounts {
        lines.account(account, show_keys, "; use --show-keys to print it");
    }
    if let Some(address) = metrics {
        lines.value("metrics", &format!("http://{address}/metrics"));
    }
    if let Some(url) = explorer {
        lines.value("explorer", url);
    }
    lines.ready();
}

/// The lines of a server on standard output, whose errors are ignored.
pub(crate) struct Lines {
    out: StdoutLock<'static>,
    pub(crate) scheme: &'static str,
    addresses: [(ServiceKind, SocketAddr); 3],
}

impl Lines {
    pub(crate) fn new(secure: bool, addresses: [(ServiceKind, SocketAddr); 3]) -> Self {
        Self { out: io::stdout().lock(), scheme: scheme(secure), addresses }
    }

    pub(crate) fn print(&mut self, line: &str) {
        let _ = writeln!(self.out, "{line}");
    }

    fn value(&mut self, word: &str, value: &str) {
        self.print(&format!("{word:<8} {value}"));
    }

    /// Prints the addresses of an account, and its connection string. `remedy` follows the message that the key is not
    /// shown.
    pub(crate) fn account(&mut self, account: &Account, show_keys: bool, remedy: &str) {
        for (kind, address) in self.addresses {
            self.value(kind.as_str(), &format!("{}://{address}/{}", self.scheme, account.name));
        }
        match shown(self.addresses, self.scheme, account, show_keys) {
            Some(connection) => self.value("connect", &connection.expose()),
            None => self.value("connect", &format!("requires a key of {}{remedy}", account.name)),
        }
    }

    /// Prints the last line, for which programs wait.
    pub(crate) fn ready(mut self) {
        self.value("ready", env!("CARGO_PKG_VERSION"));
        let _ = self.out.flush();
    }
}

/// Returns the connection string of an account with its first key, which may not be shown.
pub(super) fn connection(server: &Server, secure: bool, account: &Account) -> Option<ConnectionString> {
    shown(server.addresses(), scheme(secure), account, true)
}

const fn scheme(secure: bool) -> &'static str {
    if secure { "https" } else { "http" }
}

/// Returns the connection string of an account at these addresses, if it has a key that may be shown: the well-known key,
/// or with `show_keys` the first one.
fn shown(
    addresses: [(ServiceKind, SocketAddr); 3],
    scheme: &str,
    account: &Account,
    show_keys: bool,
) -> Option<ConnectionString> {
    let known = AccountKey::emulator();
    let key = account.keys.iter().find(|key| show_keys || **key == known)?;
    let string = ConnectionString::new(account.name.clone(), key.clone());
    addresses.into_iter().try_fold(string, |string, (kind, address)| {
        string.with_endpoint(kind, &format!("{scheme}://{address}/{}", account.name)).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_well_known_key_is_shown_unless_all_keys_are() {
        let known = AccountKey::emulator();
        let secret = AccountKey::new(vec![7; 64]).unwrap();
        let addresses = ServiceKind::ALL.map(|kind| (kind, SocketAddr::from(([127, 0, 0, 1], 1))));
        for (keys, show_keys, shown) in [
            (vec![known.clone()], false, Some(&known)),
            (vec![secret.clone()], false, None),
            (vec![secret.clone(), known.clone()], false, Some(&known)),
            (vec![secret.clone(), known.clone()], true, Some(&secret)),
        ] {
            let account = Account { name: "acme".parse().unwrap(), keys };
            let connection = super::shown(addresses, "http", &account, show_keys);
            let expected = shown.map(|key| ConnectionString::new(account.name.clone(), key.clone()));
            let key_of = |string: ConnectionString| {
                let text = string.expose().to_string();
                text.split(';').find(|part| part.starts_with("AccountKey=")).unwrap().to_owned()
            };
            assert_eq!(connection.map(key_of), expected.map(key_of));
        }
    }
}

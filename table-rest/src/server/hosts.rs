//! Allowed hosts and origins.
//!
//! A browser lets every web page send requests to a server on the same machine. Two headers distinguish such requests
//! from requests of other programs. A page whose name resolves to a loopback address (DNS rebinding) has its name in
//! `Host`, and every other page has its origin in `Origin`.

use std::net::IpAddr;

use http::header;
use table_model::{ErrorCode, TableError};

use super::{Call, Refusal};
use crate::ServiceKind;

/// The hosts that requests may name.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    bound: [(ServiceKind, IpAddr); 3],
    /// In lowercase, addresses in canonical form.
    allowed: Vec<String>,
    private_names: bool,
}

impl Hosts {
    pub(super) fn new(bound: [(ServiceKind, IpAddr); 3], allowed: &[String], private_names: bool) -> Self {
        Self { bound, allowed: allowed.iter().map(|name| spelled(name)).collect(), private_names }
    }

    /// Rejects a request whose `Host` is neither loopback, nor the listening address, nor configured.
    pub(super) fn admit(&self, call: &Call) -> Result<(), Refusal> {
        let host = call.header(header::HOST).unwrap_or_default();
        if self.permits(host, call.kind) {
            return Ok(());
        }
        let message = format!(
            "The host {host} is not allowed. Requests must use a loopback host, the listening address of the \
             server, or a configured name: start the server with --allow-host {}",
            without_port(host).unwrap_or("NAME")
        );
        Err(TableError::with_message(ErrorCode::AuthorizationFailure, message).into())
    }

    fn permits(&self, host: &str, kind: ServiceKind) -> bool {
        let Some(name) = without_port(host) else { return false };
        let Some((_, bound)) = self.bound.iter().find(|(known, _)| *known == kind) else { return false };
        if let Some(address) = address(name) {
            // The server listens on all addresses of the machine. A page can have a literal address as its host only if
            // it is served from that address.
            return address.is_loopback()
                || bound.to_canonical() == address
                || bound.is_unspecified()
                || self.allows(&address.to_string());
        }
        let name = normal(name);
        is_localhost(&name)
            || (self.private_names && !bound.is_loopback() && is_private(&name))
            || self.allows(&name)
            || parent(&name, kind).is_some_and(|parent| self.allows(parent))
    }

    fn allows(&self, name: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed == name)
    }
}

/// Returns `true` if a `Host` header contains a loopback address or name, with or without a port.
pub fn is_loopback_host(host: &str) -> bool {
    without_port(host).is_some_and(|name| {
        address(name).map_or_else(|| is_localhost(&normal(name)), |address| address.is_loopback())
    })
}

fn is_localhost(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

/// Returns `true` for a name without dots, such as that of a service in a compose network, and for a name below
/// `.internal`, such as `host.docker.internal`. Such a name cannot be registered in the public DNS: `.internal` is reserved
/// (ICANN, resolution 2024.07.29.06), and names without dots are those of top-level domains. A page cannot bind it to this machine,
/// except with the help of the local network; a client there can reach a server that listens beyond loopback in any case.
fn is_private(name: &str) -> bool {
    let is_name =
        name.split('.').all(|label| !label.is_empty()) && name.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_name && (!name.contains('.') || name.ends_with(".internal"))
}

/// Parses an address, with or without brackets.
fn address(name: &str) -> Option<IpAddr> {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

/// Returns the canonical form of a configured name or address.
fn spelled(name: &str) -> String {
    address(name).map_or_else(|| normal(name), |address| address.to_string())
}

/// Converts to lowercase, without a trailing dot.
fn normal(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Returns the name or address of a `Host` header, or `None` if its port is invalid.
fn without_port(host: &str) -> Option<&str> {
    let end = if host.starts_with('[') { host.find(']')? + 1 } else { host.find(':').unwrap_or(host.len()) };
    let (name, port) = host.split_at_checked(end)?;
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|port| port.is_empty() || port.parse::<u16>().is_ok_and(|_| !port.starts_with('+')));
    (is_port && !name.is_empty()).then_some(name)
}

/// Returns the domain after the account and the service, as in `company.table.example.com`.
fn parent(name: &str, kind: ServiceKind) -> Option<&str> {
    let (_, rest) = name.split_once('.')?;
    rest.strip_prefix(kind.as_str())?.strip_prefix('.')
}

/// Returns the origin of a request from a page of another site. A page of this server has the host of the server.
pub(super) fn foreign_origin(call: &Call) -> Option<&str> {
    let is_own = |origin: &str| {
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        authority
            .zip(call.header(header::HOST))
            .is_some_and(|(authority, host)| host.eq_ignore_ascii_case(authority))
    };
    let mut origins =
        call.headers.get_all(header::ORIGIN).iter().map(|origin| origin.to_str().unwrap_or("null"));
    origins.find(|origin| !is_own(origin))
}

/// Returns `true` if a browser reports that a page of another site caused the request. Requests for images and frames
/// have no `Origin`.
pub(super) fn is_cross_site(call: &Call) -> bool {
    matches!(call.header("sec-fetch-site"), Some("cross-site" | "same-site"))
}

/// Returns the error for a page that no CORS rule allows.
pub(super) fn refused_origin(call: &Call, origin: &str) -> Refusal {
    let message = format!(
        "No CORS rule of the {} service allows the origin {origin} to use {}. Add a rule to the properties of the service.",
        call.kind.as_str(),
        call.method
    );
    TableError::with_message(ErrorCode::CorsPreflightFailure, message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(bound: &str, allowed: &[&str], host: &str) -> bool {
        let allowed: Vec<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
        hosts(bound, &allowed, false).permits(host, ServiceKind::Table)
    }

    /// Only tables are served at `bound`.
    fn hosts(bound: &str, allowed: &[String], private_names: bool) -> Hosts {
        let loopback: IpAddr = [127, 0, 0, 1].into();
        let bound = bound.parse().unwrap();
        let of = |kind| (kind, if kind == ServiceKind::Table { bound } else { loopback });
        Hosts::new(ServiceKind::ALL.map(of), allowed, private_names)
    }

    #[test]
    fn private_names_are_served_beyond_loopback_where_they_are_asked_for() {
        for (host, served) in [
            ("azurite:10002", true),
            ("AZURITE.", true),
            ("my_service", true),
            ("host.docker.internal:10002", true),
            ("example.com", false),
            ("internal.example.com", false),
            ("docker-internal.com", false),
            (".internal", false),
            ("host..internal", false),
            ("2130706433", false),
            (".", false),
            ("azurite.", true),
            ("azurite..", false),
            ("azurite:x", false),
        ] {
            let at = |bound, private, kind| hosts(bound, &[], private).permits(host, kind);
            assert_eq!(at("0.0.0.0", true, ServiceKind::Table), served, "{host}");
            assert_eq!(at("192.0.2.1", true, ServiceKind::Table), served, "{host}");
            assert!(!at("0.0.0.0", false, ServiceKind::Table), "{host}");
            // A page could bind the name to a loopback address.
            assert!(!at("127.0.0.1", true, ServiceKind::Table), "{host}");
            assert!(!at("0.0.0.0", true, ServiceKind::Queue), "{host}");
        }
    }

    #[test]
    fn loopback_hosts_are_served_in_every_spelling() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:10002",
            "127.9.8.7:1",
            "[::1]",
            "[::1]:65535",
            "[::ffff:127.0.0.1]:1",
            "[0:0:0:0:0:0:0:1]",
            "localhost",
            "localhost:",
            "LocalHost:80",
            "localhost.",
            "localhost.:10002",
            "devstoreaccount1.table.localhost:10002",
            "anything.localhost",
        ] {
            assert!(permits("127.0.0.1", &[], host) && is_loopback_host(host), "{host}");
        }
    }

    #[test]
    fn other_hosts_are_not_served() {
        for host in [
            "",
            ":80",
            "example.com",
            "localhost.example.com",
            "localhostexample.com",
            "notlocalhost",
            "127.0.0.1.example.com",
            "127.1",
            "2130706433",
            "0x7f.0.0.1",
            "0.0.0.0",
            "192.0.2.1",
            "[2001:db8::1]",
            "[::1",
            "::1",
            "[::1]x",
            "localhost:x",
            "localhost:+80",
            "localhost:99999",
            "localhost:80:80",
            "localhost..",
            "xn--lcalhost-k5a",
            "devstoreaccount1.table.core.windows.net",
        ] {
            assert!(!permits("127.0.0.1", &[], host) && !is_loopback_host(host), "{host}");
        }
    }

    #[test]
    fn bound_addresses_and_configured_names_are_served() {
        assert!(permits("192.0.2.1", &[], "192.0.2.1:10002"));
        assert!(!permits("192.0.2.1", &[], "192.0.2.2"));
        assert!(permits("0.0.0.0", &[], "192.0.2.2") && permits("::", &[], "[2001:db8::1]:1"));
        assert!(!permits("0.0.0.0", &[], "example.com"));
        let addresses = &["2001:DB8:0:0:0:0:0:1", "[2001:db8::2]", "::ffff:192.0.2.7"];
        for host in ["[2001:db8::1]:80", "[2001:db8::2]", "192.0.2.7:1", "[::ffff:192.0.2.7]"] {
            assert!(permits("127.0.0.1", addresses, host), "{host}");
        }
        let names = &["Tables.Example.com.", "xn--bcher-kva.example"];
        for host in ["tables.example.com", "TABLES.example.COM.:10002", "company.table.tables.example.com"] {
            assert!(permits("127.0.0.1", names, host), "{host}");
        }
        assert!(permits("127.0.0.1", names, "xn--bcher-kva.example:1"));
        for host in ["other.example.com", "a.b.tables.example.com", "company.blob.tables.example.com"] {
            assert!(!permits("127.0.0.1", names, host), "{host}");
        }
    }
}

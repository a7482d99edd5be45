//! Routing: the addressed account and service, and checks that apply to every service.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicU64, Ordering},
};

use http::{header, request::Parts};
use percent_encoding::percent_decode_str;
use table_model::{ErrorCode, Timestamp};
use uuid::Uuid;

use super::{Call, Probe, Refusal, connection::Peer};
use crate::{ServiceKind, auth::X_MS_VERSION, wire::query_string::QueryString};

/// Generator of request IDs. They are unique within a server, and almost certainly across servers.
#[derive(Debug)]
pub(super) struct Ids {
    server: u64,
    next: AtomicU64,
}

impl Ids {
    pub(super) fn new() -> Self {
        let (server, next) = Uuid::new_v4().as_u64_pair();
        Self { server, next: AtomicU64::new(next) }
    }

    /// The lowest 24 bits are zero, as in the IDs of the service.
    fn next(&self) -> Uuid {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        Uuid::from_u64_pair(self.server ^ number >> 40, number << 24)
    }
}

/// Reason why a request does not reach a service.
#[derive(Debug)]
pub(super) enum Unrouted {
    /// The response is an empty 400, and the connection closes: no service would have received the request.
    Bare,
    /// The response is an error in the format of the service.
    Refused(Refusal),
}

impl From<ErrorCode> for Unrouted {
    fn from(code: ErrorCode) -> Self {
        Self::Refused(code.into())
    }
}

/// Creates a call from a request head. The call is always valid for an error response; the result contains the error.
/// With `path_style`, a host names no account.
pub(super) fn route(
    peer: Peer,
    mut head: Parts,
    ids: &Ids,
    path_style: bool,
) -> (Call, Result<(), Unrouted>) {
    let signed_path = head.uri.path().to_owned();
    let raw_query = head.uri.query().unwrap_or_default().to_owned();
    let query = QueryString::parse(&raw_query);
    let host = head.headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let scheme = if peer.secure { "https" } else { "http" };
    let (account, path, root) =
        if let Some(account) = account_of_host(host, peer.kind).filter(|_| !path_style) {
            (account, signed_path.as_str(), [scheme, "://", host].concat())
        } else {
            let (account, path) = account_of_path(&signed_path);
            (account, path, [scheme, "://", host, "/", account].concat())
        };
    let path = path.to_owned();
    let (account, secondary) = match account.strip_suffix("-secondary") {
        Some(primary) => (primary.to_owned(), true),
        None => (account.to_owned(), false),
    };
    let (query, readable) = match query {
        Ok(query) => (query, Ok(())),
        Err(error) => (QueryString::default(), Err(Unrouted::Refused(error.into()))),
    };
    let call = Call {
        kind: peer.kind,
        method: head.method,
        signed_path,
        path,
        raw_query,
        query,
        headers: head.headers,
        spelling: head.extensions.remove().unwrap_or_default(),
        account,
        secondary,
        root,
        peer: peer.address,
        secure: peer.secure,
        id: ids.next(),
        received: Timestamp::now(),
        probe: Probe::default(),
    };
    let admitted = readable.and_then(|()| admit(&call));
    (call, admitted)
}

/// Returns the account that another URL of the server of a request addresses, and the path after it.
pub(super) fn account_and_path<'u>(call: &Call, host: &'u str, path: &'u str) -> (&'u str, &'u str) {
    let own = call.header(header::HOST).unwrap_or_default();
    // The server reads no account from hosts if it did not for this request.
    let path_style = call.signed_path != call.path && account_of_host(own, call.kind).is_some();
    match account_of_host(host, call.kind).filter(|_| !path_style) {
        Some(account) => (account, path),
        None => account_of_path(path),
    }
}

/// Returns the first segment of a path, and the path after it.
fn account_of_path(path: &str) -> (&str, &str) {
    let rest = path.strip_prefix('/').unwrap_or(path);
    let (account, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    (account, if path.is_empty() { "/" } else { path })
}

/// Returns the account of a host like `account.table.localhost`.
fn account_of_host(host: &str, kind: ServiceKind) -> Option<&str> {
    let (account, rest) = host.split_once('.')?;
    let (service, rest) = rest.split_once('.')?;
    let name = account.strip_suffix("-secondary").unwrap_or(account);
    (service.eq_ignore_ascii_case(kind.as_str()) && !rest.is_empty() && is_account(name)).then_some(account)
}

fn is_account(name: &str) -> bool {
    (3..=24).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn admit(call: &Call) -> Result<(), Unrouted> {
    match call.header(header::HOST) {
        None | Some("") => return Err(ErrorCode::HostInformationNotPresent.into()),
        Some(host) if !is_host(host) => return Err(Unrouted::Bare),
        Some(_) => {}
    }
    if !is_plain(&call.signed_path, call.kind) {
        return Err(Unrouted::Bare);
    }
    if let Some(version) = call.headers.get(&X_MS_VERSION) {
        // Later versions are treated as the latest supported version, since clients send them before a server supports
        // them.
        if !version.to_str().is_ok_and(is_version) {
            let refusal = Refusal::from(ErrorCode::InvalidHeaderValue).with("HeaderName", "x-ms-version");
            let shown = String::from_utf8_lossy(version.as_bytes());
            return Err(Unrouted::Refused(refusal.with("HeaderValue", shown)));
        }
    }
    // A blob keeps its content coding. All other bodies must be uncompressed, since the server does not decompress.
    let coding = call.headers.get(header::CONTENT_ENCODING).filter(|coding| {
        call.kind != ServiceKind::Blob
            && !coding.is_empty()
            && !coding.as_bytes().eq_ignore_ascii_case(b"identity")
    });
    if coding.is_some() {
        let refusal = Refusal::from(ErrorCode::UnsupportedHeader);
        return Err(Unrouted::Refused(refusal.with("HeaderName", "Content-Encoding")));
    }
    Ok(())
}

/// Returns `true` for a name or an address, with an optional port. It becomes part of the returned links.
fn is_host(host: &str) -> bool {
    host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte))
}

/// Returns `true` if all parties understand an encoded path in the same way.
pub(super) fn is_plain(path: &str, kind: ServiceKind) -> bool {
    if !path.contains("/.") && !path.contains('%') {
        return true;
    }
    let decoded: Cow<'_, [u8]> = percent_decode_str(path).into();
    !leads_elsewhere(&decoded) && !is_unspeakable(&decoded, kind)
}

/// Returns `true` if a decoded path has segments that only some implementations resolve.
fn leads_elsewhere(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').any(|segment| segment == b"." || segment == b"..")
}

/// Returns `true` if a decoded path contains characters that the front end of the service rejects: NUL, and for tables
/// most control characters.
fn is_unspeakable(path: &[u8], kind: ServiceKind) -> bool {
    match kind {
        ServiceKind::Blob | ServiceKind::Queue => path.contains(&0),
        ServiceKind::Table => {
            path.iter().any(u8::is_ascii_control)
                || path.windows(2).any(|pair| matches!(pair, [0xc2, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d]))
        }
    }
}

/// Returns `true` for the form of a date: `2019-02-02`.
fn is_version(text: &str) -> bool {
    let number = |from: usize, to: usize| text.get(from..to).and_then(|digits| digits.parse::<u16>().ok());
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
        && number(5, 7).is_some_and(|month| (1..=12).contains(&month))
        && number(8, 10).is_some_and(|day| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn routed(host: &str, target: &str) -> Call {
        routed_by(host, target, false)
    }

    fn routed_by(host: &str, target: &str, path_style: bool) -> Call {
        let peer = Peer { kind: ServiceKind::Table, address: IpAddr::V4(Ipv4Addr::LOCALHOST), secure: false };
        let request = http::Request::builder().uri(target).header("host", host).body(()).unwrap();
        let (call, admitted) = route(peer, request.into_parts().0, &Ids::new(), path_style);
        assert!(admitted.is_ok(), "{host} {target}: {admitted:?}");
        call
    }

    #[test]
    fn an_account_is_in_the_path_or_in_the_host() {
        for (host, target, account, secondary, path, root) in [
            ("127.0.0.1:1", "/acme/t?a=b", "acme", false, "/t", "http://127.0.0.1:1/acme"),
            ("127.0.0.1:1", "/acme", "acme", false, "/", "http://127.0.0.1:1/acme"),
            ("127.0.0.1:1", "/acme/", "acme", false, "/", "http://127.0.0.1:1/acme"),
            ("localhost", "/acme-secondary/t", "acme", true, "/t", "http://localhost/acme-secondary"),
            ("[::1]:1", "/acme/t", "acme", false, "/t", "http://[::1]:1/acme"),
            ("acme.table.localhost:1", "/t", "acme", false, "/t", "http://acme.table.localhost:1"),
            ("acme.table.core.windows.net", "/", "acme", false, "/", "http://acme.table.core.windows.net"),
            (
                "acme-secondary.table.localhost",
                "/t",
                "acme",
                true,
                "/t",
                "http://acme-secondary.table.localhost",
            ),
            // Not an account host: another service, an empty name, a missing suffix.
            ("acme.blob.localhost", "/other/t", "other", false, "/t", "http://acme.blob.localhost/other"),
            ("A.table.localhost", "/other/t", "other", false, "/t", "http://A.table.localhost/other"),
            ("acme.table", "/other/t", "other", false, "/t", "http://acme.table/other"),
        ] {
            let call = routed(host, target);
            let found = (&*call.account, call.secondary, &*call.path, &*call.root);
            assert_eq!(found, (account, secondary, path, root), "{host} {target}");
            assert_eq!(call.signed_path, target.split('?').next().unwrap());
        }
        assert_eq!(routed("h", "/acme/t?a=b%20c").raw_query, "a=b%20c");
        let call = routed_by("acme.table.localhost", "/other/t", true);
        assert_eq!((&*call.account, &*call.path), ("other", "/t"));
    }

    #[test]
    fn another_url_of_the_server_names_its_account() {
        let by_path = routed("127.0.0.1:1", "/acme/t");
        let by_host = routed("acme.table.localhost:1", "/t");
        let path_style = routed_by("acme.table.localhost:1", "/acme/t", true);
        for (call, host, path, expected) in [
            (&by_path, "127.0.0.1:1", "/other/u/v", ("other", "/u/v")),
            (&by_path, "other.table.localhost:1", "/u", ("other", "/u")),
            (&by_host, "127.0.0.1:1", "/other/u", ("other", "/u")),
            (&by_host, "other.table.localhost:1", "/u", ("other", "/u")),
            (&path_style, "other.table.localhost:1", "/acme/u", ("acme", "/u")),
        ] {
            assert_eq!(account_and_path(call, host, path), expected, "{host}{path}");
        }
    }

    #[test]
    fn a_version_is_a_date_by_its_form() {
        for version in ["2019-02-02", "2009-09-19", "2099-12-31"] {
            assert!(is_version(version), "{version}");
        }
        for version in [
            "",
            "2019",
            "2019-2-2",
            "2019-00-01",
            "2019-01-32",
            "2019/02/02",
            "2019-02-02 ",
            "latest",
            "２019-02-",
        ] {
            assert!(!is_version(version), "{version}");
        }
    }

    #[test]
    fn ids_differ_and_end_as_those_of_the_service() {
        let ids = Ids::new();
        let some: std::collections::HashSet<_> = (0..1000).map(|_| ids.next()).collect();
        assert_eq!(some.len(), 1000);
        assert!(some.iter().all(|id| id.to_string().ends_with("000000")));
    }
}

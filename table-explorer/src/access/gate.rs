//! The checks of a request before anything is read: its host, its origin and its session.

use hyper::{
    HeaderMap, Method, StatusCode, Uri,
    header::{COOKIE, HOST, HeaderName, ORIGIN},
    http::uri::Authority,
};

use super::Session;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// A refused request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// A header that is checked occurs twice.
    Ambiguous,
    /// The name of the host is bound to the loopback address by somebody else (DNS rebinding).
    ForeignHost,
    /// A page of another origin has sent the request.
    ForeignOrigin,
    /// A link of another page, which a person may follow.
    ForeignLink,
    /// There is no session.
    NoSession,
}

impl Refused {
    /// Returns the status of the response.
    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::Ambiguous => StatusCode::BAD_REQUEST,
            Self::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            Self::ForeignOrigin | Self::NoSession => StatusCode::FORBIDDEN,
            Self::ForeignLink => StatusCode::OK,
        }
    }
}

/// The checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate<'s>(pub(crate) &'s Session);

impl Gate<'_> {
    /// Checks the host and the origin of a request.
    ///
    /// Cookies do not tell ports of one host apart, so `SameSite` does not protect against other programs of this
    /// machine: `Sec-Fetch-Site` and `Origin` do.
    pub(crate) fn check_origin(self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        if [HOST, ORIGIN, SITE, DESTINATION].iter().any(|name| headers.get_all(name).iter().count() > 1) {
            return Err(Refused::Ambiguous);
        }
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text(HOST).unwrap_or_default();
        // An absolute URI has a host, too.
        let mut hosts = uri.authority().map(Authority::as_str).into_iter().chain([host]);
        if !hosts.all(|host| self.is_own_host(host)) {
            return Err(Refused::ForeignHost);
        }
        let site = text(SITE);
        if !site.is_none_or(|site| matches!(site, "same-origin" | "none")) {
            let is_page = text(DESTINATION) == Some("document");
            let is_link = *method == Method::GET && is_page;
            return Err(if is_link { Refused::ForeignLink } else { Refused::ForeignOrigin });
        }
        let origin = text(ORIGIN);
        let is_own = origin.is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
        if !is_own && (*method != Method::GET || origin.is_some()) {
            return Err(Refused::ForeignOrigin);
        }
        Ok(())
    }

    /// Checks that a request belongs to the session.
    pub(crate) fn check_session(self, headers: &HeaderMap) -> Result<(), Refused> {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let mut known = cookies.filter(|cookie| self.0.contains(cookie));
        known.next().map(drop).ok_or(Refused::NoSession)
    }

    fn is_own_host(self, host: &str) -> bool {
        let name = host.strip_suffix(&format!(":{}", self.0.port()));
        matches!(name, Some("127.0.0.1" | "localhost" | "[::1]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(method: &Method, headers: &[(&'static str, &str)]) -> Result<(), Refused> {
        let session = Session::new(7).unwrap();
        let headers =
            headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        Gate(&session).check_origin(method, &Uri::from_static("/"), &headers.collect())
    }

    #[test]
    fn only_the_names_of_the_loopback_address_with_the_port_are_hosts() {
        for host in ["127.0.0.1:7", "localhost:7", "[::1]:7"] {
            assert_eq!(checked(&Method::GET, &[("host", host)]), Ok(()), "{host}");
        }
        for host in
            ["", "127.0.0.1", "127.0.0.1:8", "evil.example:7", "127.0.0.1.evil.example:7", "a:127.0.0.1:7"]
        {
            assert_eq!(checked(&Method::GET, &[("host", host)]), Err(Refused::ForeignHost), "{host}");
        }
        assert_eq!(checked(&Method::GET, &[]), Err(Refused::ForeignHost));
    }

    #[test]
    fn other_sites_only_link() {
        let host = ("host", "127.0.0.1:7");
        let site = |site: &'static str| ("sec-fetch-site", site);
        let document = ("sec-fetch-dest", "document");
        for (method, headers, expected) in [
            (Method::GET, vec![host, site("same-origin")], Ok(())),
            (Method::GET, vec![host, site("none"), document], Ok(())),
            (Method::GET, vec![host, site("same-site")], Err(Refused::ForeignOrigin)),
            (Method::GET, vec![host, site("cross-site"), document], Err(Refused::ForeignLink)),
            (Method::POST, vec![host, site("cross-site"), document], Err(Refused::ForeignOrigin)),
            (Method::POST, vec![host], Err(Refused::ForeignOrigin)),
            (Method::POST, vec![host, ("origin", "null")], Err(Refused::ForeignOrigin)),
            (Method::POST, vec![host, ("origin", "http://127.0.0.1:8")], Err(Refused::ForeignOrigin)),
            (Method::POST, vec![host, ("origin", "http://localhost:7")], Err(Refused::ForeignOrigin)),
            (Method::POST, vec![host, ("origin", "http://127.0.0.1:7")], Ok(())),
            (Method::GET, vec![host, ("origin", "http://evil.example")], Err(Refused::ForeignOrigin)),
        ] {
            assert_eq!(checked(&method, &headers), expected, "{method} {headers:?}");
        }
    }
}

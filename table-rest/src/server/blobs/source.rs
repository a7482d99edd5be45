//! Sources of copies: blobs of this server, named by a URL.
//!
//! The server sends no requests. A source on another server is rejected, because a client could otherwise make this
//! server send requests to hosts that only the server can reach (server-side request forgery). A source on this server is
//! read directly, with the permissions of its URL.

use http::{HeaderMap, Method, Uri, uri::Authority};
use table_model::{
    ErrorCode, TableError,
    blob::{BlobAddress, BlobFeature},
};

use super::operation::{Operation, Request};
use crate::{
    auth::{Need, X_MS_VERSION},
    server::{
        Accounts, Call, Grant, Refusal, ServedAccount, Spelling, authenticate, is_loopback_host,
        refuse_unknown, route,
    },
    wire::{
        blobs::{COPY_SOURCE, copies_tags},
        fields,
        query_string::QueryString,
    },
};

/// Source of a copy.
pub(super) struct Source<'a> {
    /// Account of the source.
    pub(super) account: &'a ServedAccount,
    pub(super) address: BlobAddress,
    /// URL without credentials.
    pub(super) url: String,
}

impl<'a> Source<'a> {
    /// Reads the source of a request, and checks the permission to read it: a signature in its URL, or the permissions
    /// of the request itself if they apply to all blobs of its account. The permission to read does not include the tags.
    ///
    /// # Errors
    ///
    /// Returns `InvalidHeaderValue`, `NotImplemented` for another server, and `CannotVerifyCopySource` without
    /// permission.
    pub(super) async fn read(
        accounts: &'a Accounts,
        account: &'a ServedAccount,
        grant: &Grant,
        call: &Call,
    ) -> Result<Self, Refusal> {
        let invalid = || Refusal::from(fields::invalid(COPY_SOURCE)).with("HeaderName", COPY_SOURCE);
        let text = fields::text(&call.headers, COPY_SOURCE)?.ok_or_else(invalid)?;
        let uri: Uri = text.parse().map_err(|_| invalid())?;
        let (Some(scheme @ ("http" | "https")), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(invalid());
        };
        if !is_this_server(call, scheme, authority) {
            return Err(elsewhere(authority.host()));
        }
        let inner = inner_call(call, &uri)?;
        let request = Request::read(&inner)?;
        if request.operation != Operation::GetBlob {
            return Err(invalid());
        }
        let is_same = inner.account == call.account;
        let owner = if is_same { Some(account) } else { accounts.find(&inner.account) };
        let copies_tags = copies_tags(&call.headers)?;
        let permit_read = |permit: &dyn Fn(&Need) -> Result<(), Refusal>| {
            permit(&Operation::GetBlob.need())?;
            if copies_tags { permit(&Operation::GetBlobTags.need()) } else { Ok(()) }
        };
        let permitted = match (inner.query.said("sig"), owner) {
            (Some(_), Some(owner)) => {
                authenticate(owner, &inner).await.and_then(|grant| permit_read(&|need| grant.permit(need)))
            }
            (Some(_), None) => Err(refuse_unknown(&inner)),
            (None, _) if is_same => permit_read(&|need| grant.permit_in_account(need)),
            (None, _) => Err(ErrorCode::AuthorizationFailure.into()),
        };
        permitted.map_err(|refusal| unverified(&refusal))?;
        let address = request.blob()?;
        let snapshot = address.snapshot.map(|snapshot| format!("?snapshot={snapshot}")).unwrap_or_default();
        let url = format!("{scheme}://{}{}{snapshot}", authority.as_str(), uri.path());
        Ok(Self { account: owner.unwrap_or(account), address, url })
    }

    /// Checks that the source is in the account of the request.
    ///
    /// # Errors
    ///
    /// Returns `NotImplemented` for another account.
    pub(super) fn check_account(&self, account: &ServedAccount) -> Result<(), Refusal> {
        if self.account.name == account.name { Ok(()) } else { Err(elsewhere(self.account.name.as_str())) }
    }
}

/// Returns `true` if a URL has the host and port of the request itself. All loopback hosts are the same.
fn is_this_server(call: &Call, scheme: &str, source: &Authority) -> bool {
    let Some(own) = call.header(http::header::HOST).and_then(|host| host.parse::<Authority>().ok()) else {
        return false;
    };
    // The scheme of the request can differ from that of its URL, behind a proxy.
    let default = |scheme: &str| if scheme == "https" { 443 } else { 80 };
    let own_port = own.port_u16().unwrap_or(default(if call.secure { "https" } else { scheme }));
    let same_port = own_port == source.port_u16().unwrap_or(default(scheme));
    let same_host = own.host().eq_ignore_ascii_case(source.host());
    let loopback = is_loopback_host(own.host()) && is_loopback_host(source.host());
    !source.as_str().contains('@') && same_port && (same_host || loopback)
}

/// Returns the read of the source.
fn inner_call(call: &Call, uri: &Uri) -> Result<Call, Refusal> {
    let raw_query = uri.query().unwrap_or_default();
    let mut headers = HeaderMap::new();
    if let Some(version) = call.headers.get(&X_MS_VERSION) {
        headers.insert(X_MS_VERSION.clone(), version.clone());
    }
    let signed_path = uri.path().to_owned();
    if !route::is_plain(&signed_path, call.kind) {
        return Err(ErrorCode::InvalidUri.into());
    }
    let host = uri.authority().map(Authority::as_str).unwrap_or_default();
    let (account, path) = route::account_and_path(call, host, &signed_path);
    let account = account.strip_suffix("-secondary").unwrap_or(account);
    Ok(Call {
        method: Method::GET,
        path: path.to_owned(),
        account: account.to_owned(),
        raw_query: raw_query.to_owned(),
        query: QueryString::parse(raw_query)?,
        headers,
        spelling: Spelling::default(),
        signed_path,
        ..call.clone()
    })
}

/// Returns the error for a source on another server or in another account, by its name.
fn elsewhere(name: &str) -> Refusal {
    let refusal = Refusal::from(BlobFeature::Copy.refusal());
    refusal.with("HeaderName", COPY_SOURCE).with("HeaderValue", name)
}

/// Returns the error for a source that the request may not read.
fn unverified(refusal: &Refusal) -> Refusal {
    let code = ErrorCode::CannotVerifyCopySource;
    let message = format!("{} {}", code.message(), refusal.error.message());
    let refusal = Refusal::from(TableError::with_message(code, message));
    refusal.because("the copy source may not be read")
}

//! Bearer tokens in an emulator: JSON Web Tokens whose signature is not verified. What is checked is what Azurite
//! documents for `--oauth basic` (its README, "OAuth Configuration"): the form, the issuer, the audience and the times.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Deserialize;

use super::failed;
use crate::{
    ServiceKind,
    server::{Call, Refusal},
};

/// Starts of the issuers of Microsoft Entra, in all clouds. The tenant follows.
const ISSUERS: [&str; 4] = [
    "https://sts.windows.net/",
    "https://sts.microsoftonline.de/",
    "https://sts.chinacloudapi.cn/",
    "https://sts.windows-ppe.net/",
];

/// Audiences of all storage accounts: the resource of Azure Storage by its address and by its ID.
const AUDIENCES: [&str; 2] = ["https://storage.azure.com", "e406a681-f3d4-42a8-90b6-c2b029497af1"];

/// Domains of storage accounts, after the account and the service.
const DOMAINS: [&str; 4] =
    ["core.windows.net", "core.chinacloudapi.cn", "core.usgovcloudapi.net", "core.cloudapi.de"];

/// The claims that are checked.
#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    #[serde(rename = "iat")]
    _issued: i64,
    /// Start of the validity, in seconds since 1970.
    nbf: i64,
    /// End of the validity.
    exp: i64,
}

/// Returns the token of an `Authorization` header with the scheme `Bearer`.
pub(super) fn of_header(header: &str) -> Option<&str> {
    let (scheme, token) = header.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim_start())
}

/// Checks a token for a request, except for its signature.
pub(super) fn check(token: &str, call: &Call) -> Result<(), Refusal> {
    if !call.secure {
        return Err(failed("A bearer token is accepted over HTTPS only."));
    }
    let claims = claims(token).ok_or_else(|| {
        failed("The bearer token is not a JSON Web Token with the claims iss, aud, iat, nbf and exp.")
    })?;
    let now = call.received.duration_since(table_model::Timestamp::UNIX_EPOCH).as_secs();
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    if now < claims.nbf {
        return Err(failed("The bearer token is not valid yet."));
    }
    if now >= claims.exp {
        return Err(failed("The bearer token has expired."));
    }
    if !ISSUERS.iter().any(|issuer| claims.iss.starts_with(issuer)) {
        return Err(failed("The issuer of the bearer token is not Microsoft Entra."));
    }
    if !is_for(&claims.aud, call.kind, &call.account) {
        return Err(failed(format!(
            "The audience of the bearer token is not Azure Storage, nor the {} service of this account.",
            call.kind.as_str()
        )));
    }
    Ok(())
}

/// Decodes a token of three parts: a header and the claims, both JSON objects in Base64, and a signature.
fn claims(token: &str) -> Option<Claims> {
    let mut parts = token.split('.');
    let (head, claims, signature) = (parts.next()?, parts.next()?, parts.next()?);
    let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).ok();
    serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&decode(head)?).ok()?;
    decode(signature)?;
    let claims = serde_json::from_slice(&decode(claims)?).ok()?;
    parts.next().is_none().then_some(claims)
}

fn is_for(audience: &str, kind: ServiceKind, account: &str) -> bool {
    let audience = audience.strip_suffix('/').unwrap_or(audience);
    let of_account = || {
        let rest = audience.strip_prefix("https://")?.strip_prefix(account)?;
        let domain = rest.strip_prefix('.')?.strip_prefix(kind.as_str())?.strip_prefix('.')?;
        Some(DOMAINS.contains(&domain))
    };
    AUDIENCES.contains(&audience) || of_account() == Some(true)
}

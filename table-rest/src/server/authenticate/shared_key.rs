use std::{borrow::Cow, time::Duration};

use http::header;

use super::{failed, unsigned};
use crate::{
    auth::{AccountKey, Authorization, SignedRequest, X_MS_DATE},
    server::{Call, Refusal},
    wire::http_date::HttpDate,
};

/// Maximum difference between the date of a request and the time of this machine, in both directions.
const SKEW: Duration = Duration::from_secs(15 * 60);

/// Verifies that one of the keys signed the request recently.
pub(super) fn verify(
    keys: &[AccountKey],
    authorization: &Authorization<'_>,
    call: &Call,
) -> Result<(), Refusal> {
    check_date(call)?;
    let paths = [Some(Cow::Borrowed(call.signed_path.as_str())), primary_path(call)];
    let mut text = String::new();
    for path in paths.into_iter().flatten() {
        let request = SignedRequest {
            kind: call.kind,
            account: &call.account,
            method: &call.method,
            path: &path,
            query: &call.query,
            headers: &call.headers,
        };
        let signed = |text: &str| {
            // All keys are tried, so that the duration does not reveal the matching key.
            keys.iter().fold(false, |fits, key| key.verify(text, authorization.signature) | fits)
        };
        text = request.string_to_sign(authorization.scheme);
        let other = || request.string_to_sign_by_bytes(authorization.scheme);
        let fits = signed(&text) || other().is_some_and(|text| signed(&text));
        if fits && authorization.account == call.account {
            return Ok(());
        }
    }
    Err(unsigned(&text))
}

/// Returns the primary path of a request to the secondary endpoint; clients may sign either path.
fn primary_path(call: &Call) -> Option<Cow<'_, str>> {
    let rest = call.signed_path.strip_prefix('/')?.strip_prefix(&call.account)?.strip_prefix("-secondary")?;
    call.secondary.then(|| Cow::Owned(format!("/{}{rest}", call.account)))
}

fn check_date(call: &Call) -> Result<(), Refusal> {
    let header = call.header(&X_MS_DATE).or_else(|| call.header(header::DATE));
    let header = header.ok_or_else(|| failed("The request contains neither x-ms-date nor Date."))?;
    let HttpDate(date) =
        header.parse().map_err(|error| failed(format!("The date header contains an {error}.")))?;
    let apart = call.received.duration_since(date).max(date.duration_since(call.received));
    if apart > SKEW {
        let now = HttpDate(call.received);
        return Err(failed(format!("The date differs by more than 15 minutes from {now}.")));
    }
    Ok(())
}

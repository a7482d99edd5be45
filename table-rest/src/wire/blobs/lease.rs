use http::HeaderMap;
use table_model::{
    ErrorCode, TableError, Uuid,
    blob::{LeaseAction, LeaseDuration, Leased},
};

use super::{LEASE_ID, read_version, write_version};
use crate::wire::fields;

/// The operation on a lease.
pub const LEASE_ACTION: &str = "x-ms-lease-action";
/// The duration of a lease: in requests the seconds, in responses the kind.
pub(super) const LEASE_DURATION: &str = "x-ms-lease-duration";
const BREAK_PERIOD: &str = "x-ms-lease-break-period";
const PROPOSED_ID: &str = "x-ms-proposed-lease-id";
const REMAINING: &str = "x-ms-lease-time";
const INFINITE: &str = "-1";

/// Returns the lease id in a header, in any of the forms of a GUID that the service accepts.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn lease_id(headers: &HeaderMap, name: &str) -> Result<Option<Uuid>, TableError> {
    let Some(text) = fields::text(headers, name)? else { return Ok(None) };
    let inner = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(text);
    Uuid::parse_str(inner).map(Some).map_err(|_| fields::invalid(name))
}

/// Writes the headers of an operation on a lease.
pub fn write_lease(action: &LeaseAction, headers: &mut HeaderMap) {
    let mut set = |name, value: &dyn std::fmt::Display| fields::set(headers, name, value);
    match action {
        LeaseAction::Acquire { id, duration } => {
            set(LEASE_ACTION, &"acquire");
            set(PROPOSED_ID, id);
            match duration {
                LeaseDuration::Infinite => set(LEASE_DURATION, &INFINITE),
                LeaseDuration::Seconds(count) => set(LEASE_DURATION, count),
            }
        }
        LeaseAction::Renew { id } => {
            set(LEASE_ACTION, &"renew");
            set(LEASE_ID, id);
        }
        LeaseAction::Change { id, to } => {
            set(LEASE_ACTION, &"change");
            set(LEASE_ID, id);
            set(PROPOSED_ID, to);
        }
        LeaseAction::Release { id } => {
            set(LEASE_ACTION, &"release");
            set(LEASE_ID, id);
        }
        LeaseAction::Break { seconds } => {
            set(LEASE_ACTION, &"break");
            if let Some(count) = seconds {
                set(BREAK_PERIOD, count);
            }
        }
    }
}

/// Reads the headers of an operation on a lease. `fresh` is the id of a new lease if the request proposes none.
///
/// # Errors
///
/// Returns `MissingRequiredHeader` or `InvalidHeaderValue`, with the name of the header.
pub fn read_lease(headers: &HeaderMap, fresh: Uuid) -> Result<LeaseAction, TableError> {
    let required = |name| lease_id(headers, name)?.ok_or_else(|| missing(name));
    let action = fields::text(headers, LEASE_ACTION)?.ok_or_else(|| missing(LEASE_ACTION))?;
    Ok(match action {
        "acquire" => {
            let id = lease_id(headers, PROPOSED_ID)?.unwrap_or(fresh);
            let duration = match fields::text(headers, LEASE_DURATION)? {
                Some(INFINITE) => LeaseDuration::Infinite,
                Some(count) => {
                    LeaseDuration::Seconds(count.parse().map_err(|_| fields::invalid(LEASE_DURATION))?)
                }
                None => return Err(missing(LEASE_DURATION)),
            };
            LeaseAction::Acquire { id, duration }
        }
        "renew" => LeaseAction::Renew { id: required(LEASE_ID)? },
        "change" => LeaseAction::Change { id: required(LEASE_ID)?, to: required(PROPOSED_ID)? },
        "release" => LeaseAction::Release { id: required(LEASE_ID)? },
        "break" => LeaseAction::Break { seconds: fields::parsed(headers, BREAK_PERIOD)? },
        _ => return Err(fields::invalid(LEASE_ACTION)),
    })
}

/// Writes the response headers of an operation on a lease.
pub fn write_leased(leased: &Leased, headers: &mut HeaderMap) {
    write_version(&leased.version, headers);
    if let Some(id) = leased.id {
        fields::set(headers, LEASE_ID, id);
    }
    if let Some(seconds) = leased.remaining {
        fields::set(headers, REMAINING, seconds);
    }
}

/// Reads the response headers of an operation on a lease.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_leased(headers: &HeaderMap) -> Result<Leased, TableError> {
    let remaining = fields::parsed(headers, REMAINING)?;
    Ok(Leased::new(read_version(headers)?, lease_id(headers, LEASE_ID)?, remaining))
}

fn missing(name: &str) -> TableError {
    let code = ErrorCode::MissingRequiredHeader;
    TableError::with_message(code, format!("{} `{name}`", code.message()))
}

#[cfg(test)]
mod tests {
    use table_model::{Timestamp, blob::BlobVersion};

    use super::*;

    const ID: Uuid = Uuid::from_u128(0x5974_b586_0df3_4e2d_ad0c_18e3_892b_fca2);

    #[test]
    fn what_is_written_reads_back() {
        let other = Uuid::from_u128(7);
        for action in [
            LeaseAction::Acquire { id: ID, duration: LeaseDuration::Infinite },
            LeaseAction::Acquire { id: ID, duration: LeaseDuration::Seconds(15) },
            LeaseAction::Renew { id: ID },
            LeaseAction::Change { id: ID, to: other },
            LeaseAction::Release { id: ID },
            LeaseAction::Break { seconds: None },
            LeaseAction::Break { seconds: Some(0) },
        ] {
            let mut headers = HeaderMap::new();
            write_lease(&action, &mut headers);
            assert_eq!(read_lease(&headers, other).unwrap(), action);
        }
        let version = BlobVersion::from(Timestamp::UNIX_EPOCH);
        for (id, remaining) in [(Some(ID), None), (None, Some(12)), (None, None)] {
            let leased = Leased::new(version.clone(), id, remaining);
            let mut headers = HeaderMap::new();
            write_leased(&leased, &mut headers);
            assert_eq!(read_leased(&headers).unwrap(), leased);
        }
    }

    #[test]
    fn every_form_of_an_id_is_read() {
        let text = "5974b586-0df3-4e2d-ad0c-18e3892bfca2";
        let simple = text.replace('-', "");
        let forms =
            [text.to_owned(), text.to_uppercase(), simple, format!("{{{text}}}"), format!("({text})")];
        for form in forms {
            let mut headers = HeaderMap::new();
            headers.insert(LEASE_ID, form.parse().unwrap());
            assert_eq!(lease_id(&headers, LEASE_ID).unwrap(), Some(ID), "{form}");
        }
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let id = ID.to_string();
        for (fields, code, name) in [
            (&[][..], ErrorCode::MissingRequiredHeader, LEASE_ACTION),
            (&[(LEASE_ACTION, "take")], ErrorCode::InvalidHeaderValue, LEASE_ACTION),
            (&[(LEASE_ACTION, "acquire")], ErrorCode::MissingRequiredHeader, LEASE_DURATION),
            (
                &[(LEASE_ACTION, "acquire"), (LEASE_DURATION, "256")],
                ErrorCode::InvalidHeaderValue,
                LEASE_DURATION,
            ),
            (
                &[(LEASE_ACTION, "acquire"), (LEASE_DURATION, "15"), (PROPOSED_ID, "x")],
                ErrorCode::InvalidHeaderValue,
                PROPOSED_ID,
            ),
            (&[(LEASE_ACTION, "renew")], ErrorCode::MissingRequiredHeader, LEASE_ID),
            (&[(LEASE_ACTION, "release")], ErrorCode::MissingRequiredHeader, LEASE_ID),
            (&[(LEASE_ACTION, "change"), (LEASE_ID, &id)], ErrorCode::MissingRequiredHeader, PROPOSED_ID),
            (&[(LEASE_ACTION, "break"), (BREAK_PERIOD, "-1")], ErrorCode::InvalidHeaderValue, BREAK_PERIOD),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in fields {
                headers.insert(*name, value.parse().unwrap());
            }
            let error = read_lease(&headers, Uuid::nil()).unwrap_err();
            assert_eq!(error.code(), code, "{fields:?}");
            assert!(error.message().contains(name), "{error}");
        }
    }
}

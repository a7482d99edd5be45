use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use table_model::{ErrorCode, TableError};

use super::{Call, Refusal};

/// Returns the names in the path after the account, each percent-decoded once. The last of at most `most` names
/// contains the rest of the path, with its `/`. A trailing `/` adds no name.
///
/// # Errors
///
/// Returns `InvalidUri` if a name is not valid UTF-8.
pub(super) fn names(path: &str, most: usize) -> Result<Vec<String>, TableError> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut names: Vec<&str> = path.splitn(most, '/').collect();
    if names.last().is_some_and(|name| name.is_empty()) {
        names.pop();
    }
    let decode = |name: &str| percent_decode_str(name).decode_utf8().map(Cow::into_owned);
    names.into_iter().map(decode).collect::<Result<_, _>>().map_err(|_| ErrorCode::InvalidUri.into())
}

/// Returns the error for an invalid parameter value.
pub(super) fn wrong_parameter(call: &Call, name: &'static str) -> Refusal {
    let value = call.query.get(name).unwrap_or_default();
    Refusal::from(ErrorCode::InvalidQueryParameterValue)
        .with("QueryParameterName", name)
        .with("QueryParameterValue", value)
}

/// Returns the error for a missing parameter.
pub(super) fn missing_parameter(name: &'static str) -> Refusal {
    Refusal::from(ErrorCode::MissingRequiredQueryParameter).with("QueryParameterName", name)
}

/// Returns the error for a missing header.
pub(super) fn missing_header(name: &'static str) -> Refusal {
    Refusal::from(ErrorCode::MissingRequiredHeader).with("HeaderName", name)
}

/// Converts an error and adds the parameter that is outside of its bounds, if any.
pub(super) fn explain(call: &Call, error: TableError, bounds: &[(&'static str, u64, u64)]) -> Refusal {
    let refusal = Refusal::from(error);
    if refusal.error.code() != ErrorCode::OutOfRangeQueryParameterValue {
        return refusal;
    }
    let outside = bounds.iter().find_map(|&(name, least, most)| {
        let value = call.query.said(name)?;
        let within = value.parse().is_ok_and(|number: u64| (least..=most).contains(&number));
        (!within).then_some((name, value, least, most))
    });
    let Some((name, value, least, most)) = outside else { return refusal };
    refusal
        .with("QueryParameterName", name)
        .with("QueryParameterValue", value)
        .with("MinimumAllowed", least.to_string())
        .with("MaximumAllowed", most.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded_once_and_the_last_keeps_its_slashes() {
        let names = |path, most| names(path, most).unwrap();
        assert_eq!(names("/", 3), [""; 0]);
        assert_eq!(names("/q", 3), ["q"]);
        assert_eq!(names("/q/", 3), ["q"]);
        assert_eq!(names("/q/messages/1", 3), ["q", "messages", "1"]);
        assert_eq!(names("/c/a/b%2Fc%252F//", 2), ["c", "a/b/c%2F//"]);
        assert_eq!(names("/c/..%2f..", 2), ["c", "../.."]);
        assert_eq!(names("/c//a+b%20c", 2), ["c", "/a+b c"]);
        assert!(super::names("/c/%ff", 2).is_err());
    }
}

use std::time::Duration;

use table_model::{
    ErrorCode, TableError,
    queue::{GetMessages, PopReceipt, PutMessage, TimeToLive, UpdateMessage, check_count},
};

use super::Parameters;
use crate::wire::query_string::QueryString;

const VISIBILITY: &str = "visibilitytimeout";
const LIFE: &str = "messagettl";
const COUNT: &str = "numofmessages";
const RECEIPT: &str = "popreceipt";

/// Returns the parameters of a put.
#[must_use]
pub fn put_parameters(put: &PutMessage) -> Parameters {
    let mut parameters = Vec::new();
    if put.visibility != Duration::ZERO {
        parameters.push((VISIBILITY, put.visibility.as_secs().to_string()));
    }
    match put.time_to_live {
        TimeToLive::Default => {}
        TimeToLive::Of(life) => parameters.push((LIFE, life.as_secs().to_string())),
        TimeToLive::Forever => parameters.push((LIFE, "-1".to_owned())),
    }
    parameters
}

/// Reads the parameters of a put of a message with content `text`.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue` or `OutOfRangeQueryParameterValue`; see also [`PutMessage::check`].
pub fn read_put_parameters(query: &QueryString, text: String) -> Result<PutMessage, TableError> {
    let mut put = PutMessage::new(text);
    if let Some(visibility) = seconds(query, VISIBILITY)? {
        put = put.visibility(visibility);
    }
    put.time_to_live = match query.said(LIFE) {
        None => TimeToLive::Default,
        Some("-1") => TimeToLive::Forever,
        Some(_) => TimeToLive::Of(seconds(query, LIFE)?.unwrap_or_default()),
    };
    put.check()?;
    Ok(put)
}

/// Returns the parameters of a get.
#[must_use]
pub fn get_parameters(get: &GetMessages) -> Parameters {
    vec![(COUNT, get.count.to_string()), (VISIBILITY, get.visibility.as_secs().to_string())]
}

/// Reads the parameters of a get.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue` or `OutOfRangeQueryParameterValue`.
pub fn read_get_parameters(query: &QueryString) -> Result<GetMessages, TableError> {
    let mut get = GetMessages::new().count(count(query)?);
    if let Some(visibility) = seconds(query, VISIBILITY)? {
        get = get.visibility(visibility);
    }
    get.check()?;
    Ok(get)
}

/// Returns the parameters of a peek.
#[must_use]
pub fn peek_parameters(count: u32) -> Parameters {
    vec![("peekonly", "true".to_owned()), (COUNT, count.to_string())]
}

/// Reads the parameters of a peek. Returns the maximum number of messages, or `None` if the request is not a peek.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue` or `OutOfRangeQueryParameterValue`.
pub fn read_peek_parameters(query: &QueryString) -> Result<Option<u32>, TableError> {
    match query.said("peekonly") {
        Some(peek) if peek.eq_ignore_ascii_case("true") => {
            let count = count(query)?;
            check_count(count)?;
            Ok(Some(count))
        }
        Some(peek) if !peek.eq_ignore_ascii_case("false") => {
            Err(ErrorCode::InvalidQueryParameterValue.into())
        }
        _ => Ok(None),
    }
}

/// Returns the parameters of a delete.
#[must_use]
pub fn receipt_parameters(receipt: &PopReceipt) -> Parameters {
    vec![(RECEIPT, receipt.as_str().to_owned())]
}

/// Reads the pop receipt of an update or a delete.
///
/// # Errors
///
/// Returns `MissingRequiredQueryParameter`.
pub fn read_receipt_parameters(query: &QueryString) -> Result<PopReceipt, TableError> {
    let receipt = query.said(RECEIPT).ok_or(ErrorCode::MissingRequiredQueryParameter)?;
    Ok(PopReceipt::new(receipt))
}

/// Returns the parameters of an update.
#[must_use]
pub fn update_parameters(receipt: &PopReceipt, update: &UpdateMessage) -> Parameters {
    let mut parameters = receipt_parameters(receipt);
    parameters.push((VISIBILITY, update.visibility.as_secs().to_string()));
    parameters
}

/// Reads the parameters of an update; `text` is the new content, or `None` to keep the content.
///
/// # Errors
///
/// Returns `MissingRequiredQueryParameter`, `InvalidQueryParameterValue` or `OutOfRangeQueryParameterValue`; see also
/// [`UpdateMessage::check`].
pub fn read_update_parameters(
    query: &QueryString,
    text: Option<String>,
) -> Result<UpdateMessage, TableError> {
    let visibility = seconds(query, VISIBILITY)?.ok_or(ErrorCode::MissingRequiredQueryParameter)?;
    let mut update = UpdateMessage::new(visibility);
    update.text = text;
    update.check()?;
    Ok(update)
}

fn count(query: &QueryString) -> Result<u32, TableError> {
    let Some(text) = query.said(COUNT) else { return Ok(1) };
    let number: i64 = text.parse().map_err(|_| ErrorCode::InvalidQueryParameterValue)?;
    u32::try_from(number).map_err(|_| ErrorCode::OutOfRangeQueryParameterValue.into())
}

fn seconds(query: &QueryString, name: &str) -> Result<Option<Duration>, TableError> {
    let Some(text) = query.said(name) else { return Ok(None) };
    let number: i64 = text.parse().map_err(|_| ErrorCode::InvalidQueryParameterValue)?;
    let seconds = u64::try_from(number).map_err(|_| ErrorCode::OutOfRangeQueryParameterValue)?;
    Ok(Some(Duration::from_secs(seconds)))
}

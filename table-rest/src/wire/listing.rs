//! Shared parts of queue, container and blob listings: `EnumerationResults`.

use table_model::{ErrorCode, TableError};

use super::{
    query_string::QueryString,
    xml::{Element, Limits, Writer, parse},
};

/// The parameters of a listing, which the response repeats.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked<'a> {
    pub(super) prefix: &'a str,
    pub(super) marker: Option<&'a str>,
    pub(super) max_results: Option<u32>,
    pub(super) delimiter: Option<&'a str>,
}

/// Writes a response; `items` writes the content of the element `list`.
pub(super) fn write(
    attributes: &[(&str, &str)],
    asked: Asked<'_>,
    list: &str,
    next_marker: Option<&str>,
    items: impl FnOnce(&mut Writer),
) -> bytes::Bytes {
    let mut xml = Writer::new();
    xml.element_with("EnumerationResults", attributes, |xml| {
        if !asked.prefix.is_empty() {
            xml.text("Prefix", asked.prefix);
        }
        if let Some(marker) = asked.marker {
            xml.text("Marker", marker);
        }
        if let Some(results) = asked.max_results {
            xml.value("MaxResults", results);
        }
        if let Some(delimiter) = asked.delimiter {
            xml.text("Delimiter", delimiter);
        }
        xml.element(list, items);
        xml.text("NextMarker", next_marker.unwrap_or_default());
    });
    xml.finish()
}

/// Reads a response: the content of the element `list`, and the next marker.
pub(super) fn read(body: &[u8], list: &str) -> Result<(Vec<Element>, Option<String>), TableError> {
    let mut results = parse(body, Limits::ANSWER)?.named("EnumerationResults")?;
    let next = results.text_of("NextMarker").filter(|marker| !marker.is_empty()).map(str::to_owned);
    let items = results.children.iter_mut().find(|child| *child.name == *list);
    let items = items.map(|list| std::mem::take(&mut list.children)).unwrap_or_default();
    Ok((items, next))
}

/// Reads `maxresults` of a request.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue` if it is not a number, `OutOfRangeQueryParameterValue` if it is negative or too
/// large.
pub(super) fn max_results(query: &QueryString) -> Result<Option<u32>, TableError> {
    let Some(text) = query.said("maxresults") else { return Ok(None) };
    let number: i64 = text.parse().map_err(|_| ErrorCode::InvalidQueryParameterValue)?;
    u32::try_from(number).map(Some).map_err(|_| ErrorCode::OutOfRangeQueryParameterValue.into())
}

/// Reads the values of `include`, which must all be supported. Returns `true` if `word` is present.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue`.
pub(super) fn include(query: &QueryString, known: &[&str], word: &str) -> Result<bool, TableError> {
    let said = query.said("include").unwrap_or_default();
    let mut words = said.split(',').map(str::trim).filter(|word| !word.is_empty());
    let mut found = false;
    words.try_for_each(|said| {
        found |= said.eq_ignore_ascii_case(word);
        let is_known = known.iter().any(|known| said.eq_ignore_ascii_case(known));
        if is_known { Ok(()) } else { Err(TableError::from(ErrorCode::InvalidQueryParameterValue)) }
    })?;
    Ok(found)
}

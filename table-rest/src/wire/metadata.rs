//! User metadata of a queue, a container or a blob: `x-ms-meta-NAME` headers, and elements of listings.

use std::borrow::Cow;

use http::{HeaderMap, HeaderName};
use table_model::{ErrorCode, Metadata, TableError};

use super::{
    fields,
    xml::{Element, Writer},
};

/// The prefix of the header names.
pub const PREFIX: &str = "x-ms-meta-";

/// Reads the headers. HTTP header names are case-insensitive, so the names are lowercase. Repeated headers are joined
/// into one value with commas.
///
/// # Errors
///
/// Returns `EmptyMetadataKey`, `InvalidMetadata`, `MetadataTooLarge` or `InvalidHeaderValue`.
pub fn read(headers: &HeaderMap) -> Result<Metadata, TableError> {
    let mut metadata = Metadata::new();
    for name in headers.keys() {
        let Some(short) = name.as_str().strip_prefix(PREFIX) else { continue };
        let mut value = Cow::Borrowed("");
        for (index, part) in headers.get_all(name).iter().enumerate() {
            let part = part.to_str().map_err(|_| fields::invalid(name.as_str()))?;
            value = if index == 0 { part.into() } else { format!("{value},{part}").into() };
        }
        metadata.set(short, value)?;
    }
    Ok(metadata)
}

/// Checks that no name is repeated, in any case: "If two or more metadata headers with the same name are submitted for a
/// resource, the Blob service returns status code 400" (REST reference, "Setting and retrieving properties and metadata for
/// Blob service resources").
///
/// # Errors
///
/// Returns `InvalidMetadata` with the name.
pub fn check_unique(headers: &HeaderMap) -> Result<(), TableError> {
    let is_repeated = |name: &&HeaderName| {
        name.as_str().starts_with(PREFIX) && headers.get_all(*name).iter().nth(1).is_some()
    };
    match headers.keys().find(is_repeated) {
        None => Ok(()),
        Some(name) => Err(TableError::with_message(
            ErrorCode::InvalidMetadata,
            format!(
                "The specified metadata is invalid: `{name}` is repeated. Names are compared without case."
            ),
        )),
    }
}

/// Writes the headers. A name that is not a valid header name is omitted: the store accepts more names than HTTP.
pub fn write(metadata: &Metadata, headers: &mut HeaderMap) {
    for (name, value) in metadata.iter() {
        if let Ok(name) = HeaderName::try_from(format!("{PREFIX}{name}")) {
            fields::set(headers, name, value);
        }
    }
}

/// Writes an element for each pair. A name that is not a valid header name is omitted here, too.
pub(super) fn write_xml(metadata: &Metadata, xml: &mut Writer) {
    xml.element("Metadata", |xml| {
        for (name, value) in metadata.iter().filter(|(name, _)| name.is_ascii()) {
            xml.text(name, value);
        }
    });
}

/// Reads the elements in `Metadata`.
pub(super) fn read_xml(element: &Element) -> Result<Metadata, TableError> {
    let mut metadata = Metadata::new();
    for pair in &element.children {
        metadata.set(&*pair.name, pair.text.as_str())?;
    }
    Ok(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_go_through_headers_and_elements() {
        let metadata = Metadata::new().with("owner", "Jo & co").unwrap().with("_n", "").unwrap();
        let mut headers = HeaderMap::new();
        write(&metadata, &mut headers);
        assert_eq!(read(&headers).unwrap(), metadata);

        let mut xml = Writer::new();
        write_xml(&metadata, &mut xml);
        let element = super::super::xml::parse(&xml.finish(), super::super::xml::Limits::REQUEST).unwrap();
        assert_eq!(read_xml(&element).unwrap(), metadata);
    }

    #[test]
    fn what_metadata_cannot_be_is_refused() {
        let code = |name: &str, value: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(HeaderName::try_from(name).unwrap(), value.try_into().unwrap());
            read(&headers).unwrap_err().code()
        };
        assert_eq!(code("x-ms-meta-", b"v"), ErrorCode::EmptyMetadataKey);
        assert_eq!(code("x-ms-meta-1a", b"v"), ErrorCode::InvalidMetadata);
        assert_eq!(code("x-ms-meta-a-b", b"v"), ErrorCode::InvalidMetadata);
        assert_eq!(code("x-ms-meta-a", b"\xe9"), ErrorCode::InvalidHeaderValue);
        assert_eq!(code("x-ms-meta-a", &[b'v'; 8 * 1024]), ErrorCode::MetadataTooLarge);
    }

    #[test]
    fn a_name_that_is_repeated_is_one_value() {
        let mut headers = HeaderMap::new();
        headers.append("x-ms-meta-a", "1".try_into().unwrap());
        headers.append("x-ms-meta-a", "2".try_into().unwrap());
        assert_eq!(read(&headers).unwrap().get("a"), Some("1,2"));
        // A server refuses such a request.
        let refused = check_unique(&headers).unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidMetadata);
        assert!(refused.message().contains("`x-ms-meta-a`"), "{refused}");
        headers.insert("x-ms-meta-a", "1".try_into().unwrap());
        headers.append("accept", "a".try_into().unwrap());
        headers.append("accept", "b".try_into().unwrap());
        assert!(check_unique(&headers).is_ok());
    }
}

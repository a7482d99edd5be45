use bytes::Bytes;
use http::HeaderMap;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use table_model::{
    ErrorCode, TableError,
    blob::{BlobTags, limits},
};

use crate::wire::{
    fields,
    query_string::QueryString,
    xml::{Element, Limits, Writer, parse},
};

/// The tags of a written blob: keys and values as in a query.
pub const TAGS: &str = "x-ms-tags";

/// Maximum size of tags in a request: the maximum number of tags of the maximum size, each character as a reference, and
/// white space.
pub const TAGS_BODY_BYTES: usize =
    4096 + limits::TAGS * (8 * (limits::TAG_KEY_CHARACTERS + limits::TAG_VALUE_CHARACTERS) + 1024);

/// Writes the header with the tags of a written blob.
pub fn write_tags_header(tags: &BlobTags, headers: &mut HeaderMap) {
    if tags.is_empty() {
        return;
    }
    let encode = |text| utf8_percent_encode(text, NON_ALPHANUMERIC);
    let pairs: Vec<_> =
        tags.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
    fields::set(headers, TAGS, pairs.join("&"));
}

/// Reads the header with the tags of a written blob. `+` is a space.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`, or the error for invalid tags.
pub fn read_tags_header(headers: &HeaderMap) -> Result<BlobTags, TableError> {
    let mut tags = BlobTags::new();
    if let Some(text) = fields::text(headers, TAGS)? {
        let pairs = QueryString::parse(text).map_err(|_| fields::invalid(TAGS))?;
        pairs.iter().try_for_each(|(key, value)| tags.add(key, value))?;
    }
    Ok(tags)
}

/// Writes the tags of a blob as a document.
#[must_use]
pub fn write_tags(mut xml: Writer, tags: &BlobTags) -> Bytes {
    write_set(&mut xml, tags);
    xml.finish()
}

/// Reads the tags of a blob from a document.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode` or `UnsupportedXmlNode`, or the error for invalid tags.
pub fn read_tags(body: &[u8]) -> Result<BlobTags, TableError> {
    read_set(&parse(body, Limits { bytes: TAGS_BODY_BYTES, elements: 64 })?.named("Tags")?)
}

/// Writes the element `Tags`.
pub(super) fn write_set(xml: &mut Writer, tags: &BlobTags) {
    xml.element("Tags", |xml| {
        xml.element("TagSet", |xml| {
            for (key, value) in tags.iter() {
                xml.element("Tag", |xml| {
                    xml.text("Key", key);
                    xml.text("Value", value);
                });
            }
        });
    });
}

/// Reads the element `Tags`.
pub(super) fn read_set(element: &Element) -> Result<BlobTags, TableError> {
    let set = element.child("TagSet").ok_or(ErrorCode::MissingRequiredXmlNode)?;
    let mut tags = BlobTags::new();
    for tag in &set.children {
        if *tag.name != *"Tag" {
            return Err(ErrorCode::UnsupportedXmlNode.into());
        }
        tags.add(tag.required("Key")?, tag.required("Value")?)?;
    }
    Ok(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags() -> BlobTags {
        BlobTags::new().with("a b", "x=y+z").unwrap().with("k:/", "").unwrap()
    }

    #[test]
    fn tags_are_read_as_they_were_written() {
        for tags in [tags(), BlobTags::new()] {
            let mut headers = HeaderMap::new();
            write_tags_header(&tags, &mut headers);
            assert_eq!(read_tags_header(&headers).unwrap(), tags);
            for xml in [Writer::new(), Writer::unmarked()] {
                assert_eq!(read_tags(&write_tags(xml, &tags)).unwrap(), tags);
            }
        }
        let body = write_tags(Writer::new(), &BlobTags::new().with("k", "v").unwrap());
        let text = std::str::from_utf8(&body).unwrap();
        assert!(
            text.ends_with("<Tags><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tags>"),
            "{text}"
        );
        let encoded = "<Tags><TagSet><Tag><Key>&#x6b;</Key><Value> &#65;</Value></Tag></TagSet></Tags>";
        assert_eq!(read_tags(encoded.as_bytes()).unwrap().get("k"), Some(" A"));
    }

    #[test]
    fn a_header_is_read_as_a_query() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(TAGS, text.parse().unwrap());
            read_tags_header(&headers)
        };
        let tags = read("a%20b=x%3Dy%2Bz&k:/=").unwrap();
        assert_eq!(tags, self::tags());
        assert_eq!(read("a+b=x=y%2Bz&k:/").unwrap(), tags);
        for (text, code) in [
            ("a=1&a=2", ErrorCode::DuplicateTagNames),
            ("=1", ErrorCode::EmptyTagName),
            ("a=%26", ErrorCode::InvalidTag),
            ("a=%ff", ErrorCode::InvalidHeaderValue),
        ] {
            assert_eq!(read(text).unwrap_err().code(), code, "{text}");
        }
    }

    #[test]
    fn a_document_that_is_no_set_of_tags_is_refused() {
        let code = |body: &str| read_tags(body.as_bytes()).unwrap_err().code();
        assert_eq!(code("<TagSet/>"), ErrorCode::InvalidXmlDocument);
        assert_eq!(code("<Tags/>"), ErrorCode::MissingRequiredXmlNode);
        assert_eq!(code("<Tags><TagSet><Label/></TagSet></Tags>"), ErrorCode::UnsupportedXmlNode);
        assert_eq!(
            code("<Tags><TagSet><Tag><Key>a</Key></Tag></TagSet></Tags>"),
            ErrorCode::MissingRequiredXmlNode
        );
        let of = |tag: &str, count| format!("<Tags><TagSet>{}</TagSet></Tags>", tag.repeat(count));
        let tag = "<Tag><Key>a</Key><Value>1</Value></Tag>";
        assert_eq!(code(&of(tag, 2)), ErrorCode::DuplicateTagNames);
        assert_eq!(code(&of(tag, 1_000)), ErrorCode::InvalidXmlDocument);
    }
}

use bytes::Bytes;
use table_model::{
    ErrorCode, TableError,
    blob::{BlobAddress, FindBlobs, FoundBlob, FoundBlobsSegment, TagFilter},
};

use super::{
    Parameters,
    listing::{read_name, write_name},
    marker,
    tags::{read_set, write_set},
};
use crate::wire::{
    listing,
    query_string::QueryString,
    xml::{Element, Writer},
};

/// Returns the parameters of a search, except the container.
#[must_use]
pub fn find_parameters(find: &FindBlobs) -> Parameters {
    let mut parameters = vec![("comp", "blobs".to_owned()), ("where", find.filter.to_string())];
    parameters.extend(find.marker.clone().map(|marker| ("marker", marker)));
    parameters.extend(find.max_results.map(|count| ("maxresults", count.to_string())));
    parameters
}

/// Reads the parameters of a search for `filter`, the value of `where`.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue`, `OutOfRangeQueryParameterValue` or `InvalidMarker`.
pub fn read_find(filter: TagFilter, query: &QueryString) -> Result<FindBlobs, TableError> {
    let mut find = FindBlobs::new(filter);
    find.marker = marker::read(query)?;
    find.max_results = listing::max_results(query)?;
    find.results()?;
    Ok(find)
}

/// Writes the response to a search; `endpoint` ends in `/`.
#[must_use]
pub fn write_found(endpoint: &str, filter: &TagFilter, segment: &FoundBlobsSegment) -> Bytes {
    let mut xml = Writer::new();
    xml.element_with("EnumerationResults", &[("ServiceEndpoint", endpoint)], |xml| {
        xml.value("Where", filter);
        xml.element("Blobs", |xml| {
            for found in &segment.blobs {
                xml.element("Blob", |xml| {
                    write_name(xml, found.blob.name.as_str());
                    xml.text("ContainerName", found.blob.container.as_str());
                    write_set(xml, &found.tags);
                });
            }
        });
        xml.text("NextMarker", &marker::encode(segment.next_marker.as_deref().unwrap_or_default()));
    });
    xml.finish()
}

/// Reads the response to a search.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode` or `InvalidXmlNodeValue`, or the error for an invalid name or
/// invalid tags.
pub fn read_found(body: &[u8]) -> Result<FoundBlobsSegment, TableError> {
    let (items, next_marker) = listing::read(body, "Blobs")?;
    let found = |element: &Element| {
        let name = read_name(element.child("Name").ok_or(ErrorCode::MissingRequiredXmlNode)?)?;
        let container = element.required("ContainerName")?.parse()?;
        let tags = element.child("Tags").map(read_set).transpose()?.unwrap_or_default();
        Ok(FoundBlob::new(BlobAddress::from((container, name.parse()?)), tags))
    };
    let blobs = items.iter().map(found).collect::<Result<_, TableError>>()?;
    Ok(FoundBlobsSegment::new(blobs, next_marker))
}

#[cfg(test)]
mod tests {
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
    use table_model::blob::BlobTags;

    use super::*;

    fn query(parameters: &Parameters) -> QueryString {
        let encode = |value: &str| utf8_percent_encode(value, NON_ALPHANUMERIC).to_string();
        let pairs: Vec<_> =
            parameters.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
        QueryString::parse(&pairs.join("&")).unwrap()
    }

    #[test]
    fn results_are_written_as_the_service_does_and_read_back() {
        let filter: TagFilter = "\"k\" > '' AND \"k\" < 'w'".parse().unwrap();
        let blob = |name: &str| BlobAddress::new("photos", name).unwrap();
        let found = |name| FoundBlob::new(blob(name), BlobTags::new().with("k", "v").unwrap());
        let segment = FoundBlobsSegment::new(vec![found("a/x")], None);
        let body = write_found("http://a/", &filter, &segment);
        let text = std::str::from_utf8(&body).unwrap();
        let expected = "<EnumerationResults ServiceEndpoint=\"http://a/\"><Where>\"k\" &gt; '' AND \"k\" &lt; 'w'\
             </Where><Blobs><Blob><Name>a/x</Name><ContainerName>photos</ContainerName><Tags><TagSet><Tag><Key>k</Key>\
             <Value>v</Value></Tag></TagSet></Tags></Blob></Blobs><NextMarker /></EnumerationResults>";
        assert!(text.ends_with(expected), "{text}");
        assert_eq!(read_found(&body).unwrap(), segment);
        let odd = FoundBlobsSegment::new(vec![found("a\u{1}b")], None);
        assert_eq!(read_found(&write_found("http://a/", &filter, &odd)).unwrap(), odd);
    }

    #[test]
    fn a_marker_survives_with_any_name() {
        let filter: TagFilter = "k = 'v'".parse().unwrap();
        for marker in ["photos", "photos/a b/%41+é", "photos/a\u{1}\u{fffe}b"] {
            let body =
                write_found("http://a/", &filter, &FoundBlobsSegment::new(vec![], Some(marker.to_owned())));
            let next = read_found(&body).unwrap().next_marker.unwrap();
            let find = FindBlobs::new(filter.clone()).marker(next).max_results(7);
            let read = read_find(filter.clone(), &query(&find_parameters(&find))).unwrap();
            assert_eq!((read.marker.as_deref(), read.max_results), (Some(marker), Some(7)));
        }
        let code =
            |text: &str| read_find(filter.clone(), &QueryString::parse(text).unwrap()).unwrap_err().code();
        assert_eq!(code("marker=%25ff"), ErrorCode::InvalidMarker);
        assert_eq!(code("maxresults=0"), ErrorCode::OutOfRangeQueryParameterValue);
    }
}

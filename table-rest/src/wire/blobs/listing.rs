use std::borrow::Cow;

use bytes::Bytes;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use table_model::{
    ErrorCode, TableError, Timestamp,
    blob::{
        BlobCopy, BlobETag, BlobHeaders, BlobItem, BlobProperties, BlobType, BlobVersion, BlobsSegment,
        ContainerProperties, ContainersSegment, LeaseState, ListBlobs, ListContainers,
    },
};

use super::{
    Parameters,
    content::{read_stored_md5, stored_md5},
    copy::{SUCCESS, progress},
    marker,
    properties::blob_type,
    tags::{read_set, write_set},
};
use crate::wire::{
    http_date::HttpDate,
    listing, metadata,
    query_string::QueryString,
    xml::{Element, Writer, is_legal},
};

/// Supported values of `include` in a listing of blobs. `deleted` adds nothing, since deleted blobs are not kept.
const INCLUDE_BLOBS: [&str; 6] = ["copy", "deleted", "metadata", "snapshots", "tags", "uncommittedblobs"];

/// Supported values of `include` in a listing of containers. Deleted and system containers do not exist.
const INCLUDE_CONTAINERS: [&str; 3] = ["deleted", "metadata", "system"];

/// Name from which a listing of blobs starts.
const START_FROM: &str = "startFrom";

/// Returns the parameters of a listing of containers with metadata.
#[must_use]
pub fn containers_parameters(list: &ListContainers) -> Parameters {
    let asked = (list.prefix.as_str(), list.marker.as_deref(), list.max_results);
    parameters(asked, "metadata")
}

/// Reads the parameters of a listing of containers. Also returns whether metadata is included.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue` or `OutOfRangeQueryParameterValue`.
pub fn read_containers_parameters(query: &QueryString) -> Result<(ListContainers, bool), TableError> {
    let mut list = ListContainers::new().prefix(query.get("prefix").unwrap_or_default());
    list.marker = query.said("marker").map(str::to_owned);
    list.max_results = listing::max_results(query)?;
    list.results()?;
    Ok((list, listing::include(query, &INCLUDE_CONTAINERS, "metadata")?))
}

/// Parts of a blob that its listing includes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Included {
    /// The metadata.
    pub metadata: bool,
    /// The copy that wrote the blob.
    pub copy: bool,
}

impl Included {
    /// All parts.
    pub const ALL: Self = Self { metadata: true, copy: true };
}

/// Returns the parameters of a listing of blobs with metadata and copies.
#[must_use]
pub fn blobs_parameters(list: &ListBlobs) -> Parameters {
    let asked = (list.prefix.as_str(), list.marker.as_deref(), list.max_results);
    let mut include = "copy,metadata".to_owned();
    let words =
        [(list.snapshots, ",snapshots"), (list.tags, ",tags"), (list.uncommitted, ",uncommittedblobs")];
    for (is_included, word) in words {
        include.push_str(if is_included { word } else { "" });
    }
    let mut parameters = parameters(asked, &include);
    parameters.insert(0, ("restype", "container".to_owned()));
    parameters.extend(list.start_from.clone().map(|name| (START_FROM, name)));
    parameters.extend(list.delimiter.clone().map(|delimiter| ("delimiter", delimiter)));
    parameters
}

/// Reads the parameters of a listing of blobs. Also returns which parts of a blob are included.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue`, `OutOfRangeQueryParameterValue` or `InvalidMarker`.
pub fn read_blobs_parameters(query: &QueryString) -> Result<(ListBlobs, Included), TableError> {
    let included = |word| listing::include(query, &INCLUDE_BLOBS, word);
    let mut list = ListBlobs::new().prefix(query.get("prefix").unwrap_or_default());
    list.marker = marker::read(query)?;
    list.delimiter = query.said("delimiter").map(str::to_owned);
    list.start_from = query.said(START_FROM).map(str::to_owned);
    list.max_results = listing::max_results(query)?;
    list.uncommitted = included("uncommittedblobs")?;
    list.snapshots = included("snapshots")?;
    list.tags = included("tags")?;
    list.results()?;
    Ok((list, Included { metadata: included("metadata")?, copy: included("copy")? }))
}

fn parameters((prefix, marker, results): (&str, Option<&str>, Option<u32>), include: &str) -> Parameters {
    let mut parameters = vec![("comp", "list".to_owned()), ("include", include.to_owned())];
    if !prefix.is_empty() {
        parameters.push(("prefix", prefix.to_owned()));
    }
    parameters.extend(marker.map(|marker| ("marker", marker.to_owned())));
    parameters.extend(results.map(|count| ("maxresults", count.to_string())));
    parameters
}

/// Writes the response to a listing of containers; `endpoint` ends in `/`.
#[must_use]
pub fn write_containers(
    endpoint: &str,
    list: &ListContainers,
    metadata: bool,
    segment: &ContainersSegment,
) -> Bytes {
    let asked = listing::Asked {
        prefix: &list.prefix,
        marker: list.marker.as_deref(),
        max_results: list.max_results,
        delimiter: None,
    };
    let endpoint = [("ServiceEndpoint", endpoint)];
    listing::write(&endpoint, asked, "Containers", segment.next_marker.as_deref(), |xml| {
        for container in &segment.containers {
            xml.element("Container", |xml| {
                xml.text("Name", container.name.as_str());
                xml.element("Properties", |xml| {
                    xml.value("Last-Modified", HttpDate(container.last_modified));
                    xml.value("Etag", &container.etag);
                    write_lease_state(xml, container.lease);
                    xml.text("HasImmutabilityPolicy", "false");
                    xml.text("HasLegalHold", "false");
                });
                if metadata {
                    metadata::write_xml(&container.metadata, xml);
                }
            });
        }
    })
}

/// Reads the response to a listing of containers.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode` or `InvalidXmlNodeValue`, or the error for an invalid name or
/// invalid metadata.
pub fn read_containers(body: &[u8]) -> Result<ContainersSegment, TableError> {
    let (items, next_marker) = listing::read(body, "Containers")?;
    let container = |element: &Element| {
        let name = element.required("Name")?.parse()?;
        let properties = element.child("Properties").ok_or(ErrorCode::MissingRequiredXmlNode)?;
        let metadata = element.child("Metadata").map(metadata::read_xml).transpose()?;
        let mut container =
            ContainerProperties::new(name, version(properties)?, metadata.unwrap_or_default());
        container.lease = lease_state(properties)?;
        Ok(container)
    };
    let containers = items.iter().map(container).collect::<Result<_, TableError>>()?;
    Ok(ContainersSegment::new(containers, next_marker))
}

/// Writes the response to a listing of blobs; `endpoint` ends in `/`.
#[must_use]
pub fn write_blobs(
    endpoint: &str,
    container: &str,
    list: &ListBlobs,
    included: Included,
    segment: &BlobsSegment,
) -> Bytes {
    let asked = listing::Asked {
        prefix: &list.prefix,
        marker: list.marker.as_deref(),
        max_results: list.max_results,
        delimiter: list.delimiter.as_deref(),
    };
    let place = [("ServiceEndpoint", endpoint), ("ContainerName", container)];
    let next_marker = segment.next_marker.as_deref().map(marker::encode);
    listing::write(&place, asked, "Blobs", next_marker.as_deref(), |xml| {
        for item in &segment.items {
            match item {
                BlobItem::Blob { name, properties } => xml.element("Blob", |xml| {
                    write_name(xml, name.as_str());
                    if let Some(snapshot) = properties.snapshot {
                        xml.value("Snapshot", snapshot);
                    }
                    write_properties(xml, properties, included);
                    if included.metadata {
                        metadata::write_xml(&properties.metadata, xml);
                    }
                    if let Some(tags) = properties.tags.as_ref().filter(|tags| !tags.is_empty()) {
                        write_set(xml, tags);
                    }
                }),
                BlobItem::Prefix(prefix) => xml.element("BlobPrefix", |xml| write_name(xml, prefix)),
                _ => {}
            }
        }
    })
}

/// Reads the response to a listing of blobs.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode` or `InvalidXmlNodeValue`, the error for an invalid name or
/// invalid metadata, or `NotImplemented` for an unsupported blob type.
pub fn read_blobs(body: &[u8]) -> Result<BlobsSegment, TableError> {
    let (items, next_marker) = listing::read(body, "Blobs")?;
    let item = |element: &Element| {
        let name = read_name(element.child("Name").ok_or(ErrorCode::MissingRequiredXmlNode)?)?;
        if *element.name == *"BlobPrefix" {
            return Ok(BlobItem::Prefix(name.into_owned()));
        }
        let mut properties = read_properties(element.child("Properties"))?;
        let snapshot = element.text_of("Snapshot").filter(|text| !text.is_empty());
        properties.snapshot =
            snapshot.map(|text| text.parse().map_err(|_| ErrorCode::InvalidXmlNodeValue)).transpose()?;
        if properties.snapshot.is_some() {
            properties.lease = LeaseState::Available;
        }
        if let Some(metadata) = element.child("Metadata") {
            properties.metadata = metadata::read_xml(metadata)?;
        }
        properties.tags = element.child("Tags").map(read_set).transpose()?;
        Ok(BlobItem::blob(name.parse()?, properties))
    };
    let items = items.iter().map(item).collect::<Result<_, TableError>>()?;
    Ok(BlobsSegment::new(items, next_marker))
}

/// A name with characters that are illegal in XML is percent-encoded and marked as encoded.
pub(super) fn write_name(xml: &mut Writer, name: &str) {
    if name.chars().all(is_legal) {
        return xml.text("Name", name);
    }
    let encoded = utf8_percent_encode(name, NON_ALPHANUMERIC);
    xml.element_with("Name", &[("Encoded", "true")], |xml| xml.characters(&encoded.to_string()));
}

pub(super) fn read_name(name: &Element) -> Result<Cow<'_, str>, TableError> {
    match name.attribute("Encoded") {
        Some("true") => {
            percent_decode_str(&name.text).decode_utf8().map_err(|_| ErrorCode::InvalidXmlNodeValue.into())
        }
        _ => Ok(name.text.as_str().into()),
    }
}

fn write_properties(xml: &mut Writer, properties: &BlobProperties, included: Included) {
    let BlobHeaders { content_encoding, content_language, content_disposition, cache_control, .. } =
        &properties.headers;
    let text =
        |xml: &mut Writer, name, text: &Option<String>| xml.text(name, text.as_deref().unwrap_or_default());
    xml.element("Properties", |xml| {
        if !properties.uncommitted {
            xml.value("Creation-Time", HttpDate(properties.created));
            xml.value("Last-Modified", HttpDate(properties.last_modified));
            xml.text("Etag", properties.etag.unquoted());
        }
        xml.value("Content-Length", properties.length);
        xml.text("Content-Type", properties.headers.content_type());
        text(xml, "Content-Encoding", content_encoding);
        text(xml, "Content-Language", content_language);
        xml.text("Content-MD5", &stored_md5(&properties.headers).unwrap_or_default());
        text(xml, "Cache-Control", cache_control);
        text(xml, "Content-Disposition", content_disposition);
        xml.text("BlobType", properties.blob_type.as_str());
        if properties.blob_type == BlobType::Block {
            xml.text("AccessTier", "Hot");
            xml.text("AccessTierInferred", "true");
        }
        if properties.snapshot.is_none() {
            write_lease_state(xml, properties.lease);
        }
        if let Some(BlobCopy { id, source, completed }) = properties.copy.as_ref().filter(|_| included.copy) {
            xml.value("CopyId", id);
            xml.text("CopySource", source);
            xml.text("CopyStatus", SUCCESS);
            xml.text("CopyProgress", &progress(properties.length));
            xml.value("CopyCompletionTime", HttpDate(*completed));
        }
        xml.text("ServerEncrypted", "true");
        if properties.tag_count > 0 {
            xml.value("TagCount", properties.tag_count);
        }
    });
}

fn read_properties(element: Option<&Element>) -> Result<BlobProperties, TableError> {
    let element = element.ok_or(ErrorCode::MissingRequiredXmlNode)?;
    let wrong = || TableError::from(ErrorCode::InvalidXmlNodeValue);
    let said = |name| element.text_of(name).filter(|text| !text.is_empty());
    let owned = |name| said(name).map(str::to_owned);
    // A blob with only uncommitted blocks has no version.
    let (version, uncommitted) = match said("Etag") {
        Some(_) => (version(element)?, false),
        None => (BlobVersion::from(Timestamp::MIN), true),
    };
    let mut properties = BlobProperties::new(blob_type(element.required("BlobType")?)?, version);
    properties.uncommitted = uncommitted;
    properties.lease = lease_state(element)?;
    properties.copy = read_copy(element)?;
    properties.length = said("Content-Length").unwrap_or("0").parse().map_err(|_| wrong())?;
    properties.tag_count = said("TagCount").unwrap_or("0").parse().map_err(|_| wrong())?;
    if said("Creation-Time").is_some() {
        properties.created = time(element, "Creation-Time")?;
    }
    // Listings do not contain the number of append operations.
    properties.committed_blocks = None;
    let headers = &mut properties.headers;
    headers.content_type = owned("Content-Type").filter(|text| text != BlobHeaders::DEFAULT_TYPE);
    headers.content_encoding = owned("Content-Encoding");
    headers.content_language = owned("Content-Language");
    headers.content_disposition = owned("Content-Disposition");
    headers.cache_control = owned("Cache-Control");
    read_stored_md5(said("Content-MD5"), headers).map_err(|_| wrong())?;
    Ok(properties)
}

/// Reads the copy that wrote a blob. A copy that is not complete is not reported.
fn read_copy(properties: &Element) -> Result<Option<BlobCopy>, TableError> {
    let id = properties.text_of("CopyId").filter(|text| !text.is_empty());
    let (Some(id), Some(SUCCESS)) = (id, properties.text_of("CopyStatus")) else { return Ok(None) };
    Ok(Some(BlobCopy {
        id: id.parse().map_err(|_| ErrorCode::InvalidXmlNodeValue)?,
        source: properties.text_of("CopySource").unwrap_or_default().to_owned(),
        completed: time(properties, "CopyCompletionTime")?,
    }))
}

fn write_lease_state(xml: &mut Writer, state: LeaseState) {
    xml.text("LeaseStatus", state.status());
    xml.text("LeaseState", state.as_str());
    if let LeaseState::Leased(kind) = state {
        xml.text("LeaseDuration", kind.as_str());
    }
}

fn lease_state(properties: &Element) -> Result<LeaseState, TableError> {
    let Some(state) = properties.text_of("LeaseState") else { return Ok(LeaseState::Available) };
    LeaseState::parse(state, properties.text_of("LeaseDuration"))
        .ok_or_else(|| ErrorCode::InvalidXmlNodeValue.into())
}

fn version(properties: &Element) -> Result<BlobVersion, TableError> {
    let etag: BlobETag = properties.required("Etag")?.parse().map_err(|_| ErrorCode::InvalidXmlNodeValue)?;
    Ok(BlobVersion { etag, last_modified: time(properties, "Last-Modified")? })
}

fn time(element: &Element, name: &str) -> Result<Timestamp, TableError> {
    let date = element.required(name)?.parse::<HttpDate>();
    date.map(|date| date.0).map_err(|_| ErrorCode::InvalidXmlNodeValue.into())
}

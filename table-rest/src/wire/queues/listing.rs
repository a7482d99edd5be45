use bytes::Bytes;
use table_model::{
    TableError,
    queue::{ListQueues, QueueItem, QueuesSegment},
};

use super::Parameters;
use crate::wire::{listing, metadata, query_string::QueryString};

/// Returns the parameters of a listing.
#[must_use]
pub fn list_parameters(list: &ListQueues) -> Parameters {
    let mut parameters = vec![("comp", "list".to_owned())];
    if !list.prefix.is_empty() {
        parameters.push(("prefix", list.prefix.clone()));
    }
    parameters.extend(list.marker.clone().map(|marker| ("marker", marker)));
    parameters.extend(list.max_results.map(|count| ("maxresults", count.to_string())));
    if list.metadata {
        parameters.push(("include", "metadata".to_owned()));
    }
    parameters
}

/// Reads the parameters of a listing.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue` or `OutOfRangeQueryParameterValue`.
pub fn read_list_parameters(query: &QueryString) -> Result<ListQueues, TableError> {
    let mut list = ListQueues::new().prefix(query.get("prefix").unwrap_or_default());
    list.marker = query.said("marker").map(str::to_owned);
    list.max_results = listing::max_results(query)?;
    list.metadata = listing::include(query, &["metadata"], "metadata")?;
    list.results()?;
    Ok(list)
}

/// Writes the response to a listing; `endpoint` ends in `/`.
#[must_use]
pub fn write_queues(endpoint: &str, list: &ListQueues, segment: &QueuesSegment) -> Bytes {
    let asked = listing::Asked {
        prefix: &list.prefix,
        marker: list.marker.as_deref(),
        max_results: list.max_results,
        delimiter: None,
    };
    let endpoint = [("ServiceEndpoint", endpoint)];
    listing::write(&endpoint, asked, "Queues", segment.next_marker.as_deref(), |xml| {
        for queue in &segment.queues {
            xml.element("Queue", |xml| {
                xml.text("Name", queue.name.as_str());
                if let Some(metadata) = &queue.metadata {
                    metadata::write_xml(metadata, xml);
                }
            });
        }
    })
}

/// Reads the response to a listing.
///
/// # Errors
///
/// Returns `InvalidXmlDocument` or `MissingRequiredXmlNode`, or the error for an invalid name or invalid metadata.
pub fn read_queues(body: &[u8]) -> Result<QueuesSegment, TableError> {
    let (items, next_marker) = listing::read(body, "Queues")?;
    let queue = |element: &crate::wire::xml::Element| {
        let name = element.required("Name")?.parse()?;
        let metadata = element.child("Metadata").map(metadata::read_xml).transpose()?;
        Ok(QueueItem { name, metadata })
    };
    let queues = items.iter().map(queue).collect::<Result<_, TableError>>()?;
    Ok(QueuesSegment { queues, next_marker })
}

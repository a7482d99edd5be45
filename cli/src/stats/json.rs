use serde_json::{Map, Value, json};
use table_store::TableName;

use super::{
    account::{Blobs, Counted, Inventory},
    kept_log,
    scan::Property,
};

/// Returns all of it as JSON, without values that were not counted.
pub(super) fn object(inventory: &Inventory) -> Value {
    let queues = inventory
        .queues
        .iter()
        .map(|(name, messages)| json!({ "name": name.as_str(), "messages": messages }));
    let containers = inventory.containers.iter().map(|(name, blobs)| match blobs {
        Some(Blobs { count, bytes }) => json!({ "name": name.as_str(), "blobs": count, "bytes": bytes }),
        None => json!({ "name": name.as_str() }),
    });
    let mut object = json!({
        "place": inventory.place,
        "tables": inventory.tables.iter().map(table).collect::<Vec<_>>(),
        "queues": queues.collect::<Vec<_>>(),
        "containers": containers.collect::<Vec<_>>(),
    });
    if let Some(members) = object.as_object_mut() {
        if let Some(bytes) = inventory.file_bytes {
            members.insert("file_bytes".to_owned(), bytes.into());
        }
        if let Some(segments) = &inventory.kept_log {
            members.insert("kept_log".to_owned(), kept_log::json(segments));
            members.insert("missing_commits".to_owned(), kept_log::json_gaps(segments));
        }
        if let Some(pages) = inventory.damage.pages {
            members.insert("damaged_pages".to_owned(), pages.into());
            members.insert("damage".to_owned(), inventory.damage.unread.as_slice().into());
        }
    }
    object
}

pub(super) fn table((name, counted): &(TableName, Option<Counted>)) -> Value {
    let scan = match counted {
        None => return json!({ "name": name.as_str() }),
        Some(Counted::AtLeast(count)) => return json!({ "name": name.as_str(), "entities_at_least": count }),
        Some(Counted::All(scan)) => scan,
    };
    let largest = scan.largest.iter().map(|partition| {
        json!({ "partition_key": partition.key, "entities": partition.entities, "bytes": partition.bytes })
    });
    json!({
        "name": name.as_str(),
        "entities": scan.entities,
        "bytes": scan.bytes,
        "partitions": scan.partitions,
        "largest_partitions": largest.collect::<Vec<_>>(),
        "properties": scan.properties.iter().map(property).collect::<Vec<_>>(),
        "more_properties": scan.is_cut,
    })
}

fn property((name, property): (&String, &Property)) -> Value {
    let types =
        property.types.iter().map(|(edm_type, count)| (edm_type.as_str().to_owned(), (*count).into()));
    json!({ "name": name, "entities": property.entities, "types": types.collect::<Map<_, _>>() })
}

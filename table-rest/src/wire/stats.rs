//! Replication state of the secondary copy: the body of Get Service Stats.

use bytes::Bytes;
use table_model::{Result, Timestamp};

use super::{
    http_date::HttpDate,
    xml::{Limits, Writer, parse},
};

/// The state of the secondary copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replication {
    /// The copy is readable and contains all writes before this time.
    Live(Timestamp),
    /// The copy is being created.
    Bootstrap,
    /// The copy is not readable.
    Unavailable,
}

/// Writes the state.
#[must_use]
pub fn write(replication: Replication) -> Bytes {
    let (status, time) = match replication {
        Replication::Live(time) => ("live", HttpDate(time).to_string()),
        Replication::Bootstrap => ("bootstrap", String::new()),
        Replication::Unavailable => ("unavailable", String::new()),
    };
    let mut xml = Writer::new();
    xml.element("StorageServiceStats", |xml| {
        xml.element("GeoReplication", |xml| {
            xml.text("Status", status);
            xml.text("LastSyncTime", &time);
        });
    });
    xml.finish()
}

/// Reads the state. An unknown state is read as unavailable.
///
/// # Errors
///
/// Returns `InvalidXmlDocument` or `MissingRequiredXmlNode`.
pub fn read(body: &[u8]) -> Result<Replication> {
    let root = parse(body, Limits { bytes: 64 << 10, elements: 100 })?.named("StorageServiceStats")?;
    let missing = table_model::ErrorCode::MissingRequiredXmlNode;
    let replication = root.child("GeoReplication").ok_or(missing)?;
    let time = replication.text_of("LastSyncTime").and_then(|text| text.parse().ok());
    Ok(match (replication.required("Status")?, time) {
        ("live", Some(HttpDate(time))) => Replication::Live(time),
        ("bootstrap", _) => Replication::Bootstrap,
        _ => Replication::Unavailable,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_read_as_it_was_written() {
        let live = Replication::Live("2017-01-23T22:50:31Z".parse().unwrap());
        for state in [live, Replication::Bootstrap, Replication::Unavailable] {
            assert_eq!(read(&write(state)).unwrap(), state);
        }
        let expected = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?><StorageServiceStats><GeoReplication>\
             <Status>live</Status><LastSyncTime>Mon, 23 Jan 2017 22:50:31 GMT</LastSyncTime></GeoReplication>\
             </StorageServiceStats>";
        assert_eq!(write(live), expected.as_bytes());
    }
}

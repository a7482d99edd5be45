use http::HeaderMap;
use table_model::{
    TableError,
    blob::{BlobSnapshot, DeleteSnapshots, SnapshotBlob, Snapshotted},
};

use super::{read_conditions, read_version, write_conditions, write_version};
use crate::wire::{fields, metadata, query_string::QueryString};

/// The parameter that addresses a snapshot instead of the blob.
pub const SNAPSHOT_PARAMETER: &str = "snapshot";

/// The new snapshot, in a response.
const SNAPSHOT: &str = "x-ms-snapshot";
/// Which snapshots a deletion concerns.
const DELETE_SNAPSHOTS: &str = "x-ms-delete-snapshots";

/// Returns the snapshot that a query addresses.
///
/// # Errors
///
/// Returns `InvalidQueryParameterValue`.
pub fn read_snapshot(query: &QueryString) -> Result<Option<BlobSnapshot>, TableError> {
    query.said(SNAPSHOT_PARAMETER).map(str::parse).transpose()
}

/// Writes the headers of a request for a snapshot.
pub fn write_snapshot_request(request: &SnapshotBlob, headers: &mut HeaderMap) {
    metadata::write(&request.metadata, headers);
    write_conditions(&request.conditions, headers);
}

/// Reads the headers of a request for a snapshot.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`, or the error for invalid metadata.
pub fn read_snapshot_request(headers: &HeaderMap) -> Result<SnapshotBlob, TableError> {
    Ok(SnapshotBlob::new().metadata(metadata::read(headers)?).conditions(read_conditions(headers)?))
}

/// Writes the response headers of a request for a snapshot.
pub fn write_snapshotted(snapshotted: &Snapshotted, headers: &mut HeaderMap) {
    write_version(&snapshotted.version, headers);
    fields::set(headers, SNAPSHOT, snapshotted.snapshot);
}

/// Reads the response headers of a request for a snapshot.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_snapshotted(headers: &HeaderMap) -> Result<Snapshotted, TableError> {
    let snapshot = fields::required(fields::parsed(headers, SNAPSHOT)?, SNAPSHOT)?;
    Ok(Snapshotted::new(snapshot, read_version(headers)?))
}

/// Writes the choice of a deletion.
pub fn write_delete_snapshots(choice: Option<DeleteSnapshots>, headers: &mut HeaderMap) {
    if let Some(choice) = choice {
        fields::set(headers, DELETE_SNAPSHOTS, choice.as_str());
    }
}

/// Reads the choice of a deletion.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_delete_snapshots(headers: &HeaderMap) -> Result<Option<DeleteSnapshots>, TableError> {
    fields::parsed(headers, DELETE_SNAPSHOTS)
}

#[cfg(test)]
mod tests {
    use table_model::{
        ErrorCode, Metadata, Timestamp,
        blob::{BlobConditions, BlobVersion},
    };

    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let time: Timestamp = "2024-03-01T12:00:00Z".parse().unwrap();
        let snapshotted = Snapshotted::new(time.into(), BlobVersion::from(time));
        let mut headers = HeaderMap::new();
        write_snapshotted(&snapshotted, &mut headers);
        assert_eq!(headers[SNAPSHOT], "2024-03-01T12:00:00.0000000Z");
        assert_eq!(read_snapshotted(&headers).unwrap(), snapshotted);

        let metadata = Metadata::new().with("k", "v").unwrap();
        let request = SnapshotBlob::new().metadata(metadata).conditions(BlobConditions::exists());
        let mut headers = HeaderMap::new();
        write_snapshot_request(&request, &mut headers);
        assert_eq!(read_snapshot_request(&headers).unwrap(), request);

        for choice in [None, Some(DeleteSnapshots::Include), Some(DeleteSnapshots::Only)] {
            let mut headers = HeaderMap::new();
            write_delete_snapshots(choice, &mut headers);
            assert_eq!(read_delete_snapshots(&headers).unwrap(), choice);
        }
    }

    #[test]
    fn invalid_values_are_refused() {
        let mut headers = HeaderMap::new();
        fields::set(&mut headers, DELETE_SNAPSHOTS, "all");
        assert_eq!(read_delete_snapshots(&headers).unwrap_err().code(), ErrorCode::InvalidHeaderValue);
        let query = |text| QueryString::parse(text).unwrap();
        assert_eq!(read_snapshot(&query("snapshot=")).unwrap(), None);
        let error = read_snapshot(&query("snapshot=yesterday")).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidQueryParameterValue);
    }
}

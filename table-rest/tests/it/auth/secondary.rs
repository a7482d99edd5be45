//! The secondary endpoint: existing data can be read but not changed.

use crate::auth::{operations::operations, site::Site};

/// Read operations.
const READS: [&str; 23] = [
    "QueryTables",
    "QueryTable",
    "QueryEntities",
    "QueryEntity",
    "GetTableAcl",
    "ListQueues",
    "GetQueueMetadata",
    "PeekMessages",
    "GetQueueAcl",
    "ListContainers",
    "GetContainerProperties",
    "ListBlobs",
    "ListBlobsWithTags",
    "FindBlobs",
    "FindBlobsInContainer",
    "GetContainerAcl",
    "GetBlob",
    "GetBlobProperties",
    "GetBlobMetadata",
    "GetBlockList",
    "GetBlobTags",
    "GetServiceProperties",
    "GetServiceStats",
];

#[test]
fn reads_are_answered_and_writes_refused() {
    let site = Site::new();
    for operation in operations() {
        let answer = site.send(&operation.request.clone().secondary());
        if READS.contains(&operation.name) {
            assert_eq!(answer.status, 200, "{}: {answer:?}", operation.name);
        } else {
            assert_eq!(answer.code(), "InsufficientAccountPermissions", "{}: {answer:?}", operation.name);
        }
    }
}

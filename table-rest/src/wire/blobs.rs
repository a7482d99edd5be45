//! Wire format of containers and blobs: bodies, headers and parameters, with reader and writer.

mod block_list;
mod conditions;
mod content;
mod copy;
mod find;
mod lease;
mod listing;
mod marker;
mod properties;
mod range;
mod requests;
mod snapshot;
mod tags;

pub use block_list::{
    BLOCK_LIST_BODY_BYTES, BlockListType, read_block_list, read_blocks, write_block_list, write_blocks,
};
pub use conditions::{
    IF_TAGS, LEASE_ID, read_conditions, read_conditions_of_tags, read_source_conditions, write_conditions,
};
pub use content::{CONTENT_MD5, content_md5, read_content, read_md5, write_content};
pub use copy::{COPY_SOURCE, SOURCE_TAGS, copies_tags, read_copied, read_copy, write_copied, write_copy};
pub use find::{find_parameters, read_find, read_found, write_found};
pub use lease::{LEASE_ACTION, lease_id, read_lease, read_leased, write_lease, write_leased};
pub use listing::{
    Included, blobs_parameters, containers_parameters, read_blobs, read_blobs_parameters, read_containers,
    read_containers_parameters, write_blobs, write_containers,
};
pub use properties::{
    read_appended, read_container, read_properties, read_version, read_written, write_appended,
    write_container, write_properties, write_version, write_written,
};
pub use range::{RANGE, X_RANGE, content_range, read_range, read_source_range, write_range};
pub use requests::{BLOB_TYPE, read_append, read_put, write_append, write_block, write_put};
pub use snapshot::{
    SNAPSHOT_PARAMETER, read_delete_snapshots, read_snapshot, read_snapshot_request, read_snapshotted,
    write_delete_snapshots, write_snapshot_request, write_snapshotted,
};
pub use tags::{TAGS, TAGS_BODY_BYTES, read_tags, read_tags_header, write_tags, write_tags_header};

/// Names and values of a query, not yet encoded.
pub type Parameters = Vec<(&'static str, String)>;

#[cfg(test)]
mod tests;

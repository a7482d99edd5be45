//! Stored form of the state of a blob or a container: a version, the fields, and a CRC32C of the key and the content.

use table_model::{
    Metadata, StorageFault, Uuid,
    blob::{
        BlobCopy, BlobState, BlobTags, ContainerState,
        codec::{
            LEASED, TAGGED, push_headers, push_lease, push_tags, read_headers, read_lease, read_tags,
            type_code, type_of,
        },
    },
    fields::{Fields, push_metadata, push_text},
};

/// Format written by this version.
const VERSION: u8 = 1;

const COPY: u8 = 1;
const OTHER_MD5: u8 = 2;

/// Encodes the state of a blob with this name and content.
pub(super) fn encode_blob((name, content): (&str, Option<i64>), blob: &BlobState) -> Vec<u8> {
    let mut body = vec![VERSION, type_code(blob.blob_type)];
    for time in [blob.modified, blob.created] {
        body.extend_from_slice(&time.ticks().to_le_bytes());
    }
    body.extend_from_slice(&blob.length.to_le_bytes());
    body.extend_from_slice(&blob.blocks.to_le_bytes());
    body.push(blob.block_id_bytes);
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    let fields = bit(blob.lease.is_some(), LEASED) | bit(!blob.tags.is_empty(), TAGGED);
    push_headers(&mut body, &blob.headers, fields);
    push_metadata(&mut body, &blob.metadata);
    if let Some(lease) = &blob.lease {
        push_lease(&mut body, lease);
    }
    if !blob.tags.is_empty() {
        push_tags(&mut body, &blob.tags);
    }
    body.push(bit(blob.copy.is_some(), COPY) | bit(blob.headers.other_md5.is_some(), OTHER_MD5));
    if let Some(BlobCopy { id, source, completed }) = &blob.copy {
        body.extend_from_slice(id.as_bytes());
        body.extend_from_slice(&completed.ticks().to_le_bytes());
        push_text(&mut body, source);
    }
    if let Some(text) = &blob.headers.other_md5 {
        push_text(&mut body, text);
    }
    sealed(name, content, body)
}

/// Decodes the state of a blob. Any bytes are allowed: an unsound record is a fault.
pub(super) fn decode_blob(
    (name, content): (&str, Option<i64>),
    record: &[u8],
) -> Result<BlobState, StorageFault> {
    opened(name, content, record).and_then(blob).ok_or_else(|| damaged(name))
}

fn blob(body: &[u8]) -> Option<BlobState> {
    let mut fields = Fields::new(body);
    if fields.byte()? != VERSION {
        return None;
    }
    let blob_type = type_of(fields.byte()?)?;
    let (modified, created, length) = (fields.time()?, fields.time()?, fields.long()?);
    let (blocks, block_id_bytes) = (fields.word()?, fields.byte()?);
    let (mut headers, bits) = read_headers(&mut fields)?;
    let metadata = fields.metadata()?;
    let lease = if bits & LEASED == 0 { None } else { Some(read_lease(&mut fields)?) };
    let tags = if bits & TAGGED == 0 { BlobTags::new() } else { read_tags(&mut fields)? };
    let more = fields.byte()?;
    let copy = if more & COPY == 0 {
        None
    } else {
        let (id, completed) = (Uuid::from_bytes(fields.sixteen()?), fields.time()?);
        Some(BlobCopy { id, completed, source: fields.text()?.to_owned() })
    };
    if more & OTHER_MD5 != 0 {
        headers.other_md5 = Some(fields.text()?.to_owned());
    }
    fields.end()?;
    Some(BlobState {
        blob_type,
        modified,
        created,
        length,
        blocks,
        block_id_bytes,
        headers,
        metadata,
        lease,
        tags,
        copy,
    })
}

/// Encodes the state of a container with this name.
pub(super) fn encode_container(name: &str, container: &ContainerState) -> Vec<u8> {
    let mut body = vec![VERSION];
    body.extend_from_slice(&container.modified.ticks().to_le_bytes());
    push_metadata(&mut body, &container.metadata);
    if let Some(lease) = &container.lease {
        push_lease(&mut body, lease);
    }
    sealed(name, None, body)
}

/// Decodes the state of a container.
pub(super) fn decode_container(name: &str, record: &[u8]) -> Result<ContainerState, StorageFault> {
    opened(name, None, record).and_then(container).ok_or_else(|| damaged(name))
}

fn container(body: &[u8]) -> Option<ContainerState> {
    let mut fields = Fields::new(body);
    if fields.byte()? != VERSION {
        return None;
    }
    let (modified, metadata): (_, Metadata) = (fields.time()?, fields.metadata()?);
    let lease = if fields.rest().is_empty() { None } else { Some(read_lease(&mut fields)?) };
    fields.end()?;
    Some(ContainerState { modified, metadata, lease })
}

fn sealed(name: &str, content: Option<i64>, mut body: Vec<u8>) -> Vec<u8> {
    let sum = sum(name, content, &body);
    body.extend_from_slice(&sum.to_le_bytes());
    body
}

fn opened<'r>(name: &str, content: Option<i64>, record: &'r [u8]) -> Option<&'r [u8]> {
    let (body, stored) = record.split_last_chunk()?;
    (u32::from_le_bytes(*stored) == sum(name, content, body)).then_some(body)
}

/// The name and the id of the content are included, so that a record under another name or with other content is detected.
fn sum(name: &str, content: Option<i64>, body: &[u8]) -> u32 {
    let key = crc32c::crc32c_append(crc32c::crc32c(name.as_bytes()), &content.unwrap_or(0).to_le_bytes());
    crc32c::crc32c_append(key, body)
}

/// Creates the fault of a damaged record.
pub(super) fn damaged(name: &str) -> StorageFault {
    StorageFault::Corrupt { what: format!("the record of `{name}` does not match its checksum or layout") }
}

#[cfg(test)]
mod tests {
    use table_model::{
        Timestamp,
        blob::{BlobType, Lease, LeaseTerm},
    };

    use super::*;

    #[test]
    fn a_changed_bit_or_another_name_is_found() {
        let time = Timestamp::UNIX_EPOCH;
        let lease = Some(Lease { id: Uuid::from_u128(7), term: LeaseTerm::Infinite });
        let mut blob = BlobState::new(Some(BlobType::Append), time);
        blob.lease.clone_from(&lease);
        blob.tags = BlobTags::new().with("k", "v").unwrap();
        blob.headers.other_md5 = Some("MDAw".to_owned());
        blob.copy = Some(BlobCopy { id: Uuid::from_u128(8), source: "photos/a".to_owned(), completed: time });
        let plain = BlobState::new(None, time);
        for blob in [blob, plain] {
            let key = ("a", Some(7));
            let record = encode_blob(key, &blob);
            assert_eq!(decode_blob(key, &record).unwrap(), blob);
            for other in [("b", Some(7)), ("a", Some(8)), ("a", None)] {
                assert!(decode_blob(other, &record).is_err(), "{other:?}");
            }
            for bit in 0..record.len() * 8 {
                let mut changed = record.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert!(decode_blob(key, &changed).is_err(), "bit {bit}");
            }
        }
        let container = ContainerState { lease, ..ContainerState::new(time, Metadata::new()) };
        assert_eq!(decode_container("a", &encode_container("a", &container)).unwrap(), container);
        assert!(decode_container("a", &[]).is_err());
    }
}

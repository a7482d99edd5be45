use table_model::{
    ErrorCode, Metadata, Result, StorageFault,
    fields::{Fields, push_metadata},
    queue::QueueName,
};

use super::Space;
use crate::{
    engine::Read,
    keys::TableId,
    write_batch::{self, Edits},
};

/// Record of a queue name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueueRow {
    pub(crate) space: Space,
    pub(crate) state: QueueState,
    pub(super) metadata: Metadata,
}

/// State of a queue name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueState {
    /// The queue exists.
    Live,
    /// The queue is deleted and its messages are still being removed.
    Deleted,
}

pub(crate) fn key(name: &QueueName) -> Vec<u8> {
    TableId::QUEUES.key(name.as_str().as_bytes())
}

/// Reads the record of a name, if it exists.
pub(super) fn find(read: &dyn Read, name: &QueueName) -> Result<Option<QueueRow>, StorageFault> {
    write_batch::find(read, &key(name), decode)
}

/// Reads the record of an existing queue. Returns `QueueNotFound` if the queue does not exist.
pub(super) fn live(read: &dyn Read, name: &QueueName) -> Result<QueueRow> {
    let row = find(read, name)?.filter(|row| row.state == QueueState::Live);
    row.ok_or_else(|| ErrorCode::QueueNotFound.into())
}

/// Returns the space of an existing queue's messages. Returns `QueueNotFound` if the queue does not exist.
pub(crate) fn space(read: &dyn Read, name: &QueueName) -> Result<Space> {
    live(read, name).map(|row| row.space)
}

pub(super) fn put(edits: &mut Edits, name: &QueueName, row: &QueueRow) {
    edits.put(key(name), encode(row));
}

fn encode(row: &QueueRow) -> Vec<u8> {
    let state = match row.state {
        QueueState::Live => 1_u8,
        QueueState::Deleted => 2,
    };
    let mut content = vec![state];
    content.extend_from_slice(&row.space.0.to_le_bytes());
    push_metadata(&mut content, &row.metadata);
    content
}

pub(crate) fn decode(content: &[u8]) -> Option<QueueRow> {
    let mut fields = Fields::new(content);
    let state = match fields.byte()? {
        1 => QueueState::Live,
        2 => QueueState::Deleted,
        _ => return None,
    };
    let row = QueueRow { space: Space(fields.long()?), state, metadata: fields.metadata()? };
    fields.end()?;
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_no_other_bytes_are_one() {
        let metadata = Metadata::new().with("Owner", "Jo").unwrap().with("x", "").unwrap();
        for state in [QueueState::Live, QueueState::Deleted] {
            let row = QueueRow { space: Space(7), state, metadata: metadata.clone() };
            let content = encode(&row);
            assert_eq!(decode(&content), Some(row));
            for end in 0..content.len() {
                assert_eq!(decode(&content[..end]), None, "{end}");
            }
        }
        assert_eq!(decode(&[3; 9]), None);
    }
}

//! Checks of queue records.

use std::ops::ControlFlow;

use table_model::{StorageFault, queue::QueueName};

use super::Seen;
use crate::{
    checksum,
    engine::Read,
    keys::TableId,
    leftovers::Leftover,
    queues::{Body, Part, Placed, QueueRow, QueueState, Space, Tally, decode_row},
    scrub::{Damage, DamagePlace},
    write_batch,
};

impl Seen {
    /// Reads all queues. The iteration reports damaged records when it reaches them.
    pub(super) fn read_queues(&mut self, read: &dyn Read) {
        let mut unread = false;
        let scanned = read.scan(&TableId::QUEUES.prefix(), &TableId::QUEUES.end(), &mut |key, record| {
            match row(key, record) {
                Ok((name, row)) => drop(self.queues.insert(row.space, (name, row))),
                Err(_) => unread = true,
            }
            ControlFlow::Continue(())
        });
        self.all_queues = scanned.is_ok() && !unread;
    }

    /// Returns the damage of a queue's record; counts the queue if it is sound.
    pub(super) fn check_queue(&mut self, read: &dyn Read, key: &[u8], record: &[u8]) -> Option<Damage> {
        let what = match row(key, record) {
            Err(what) => what,
            Ok((name, row)) if self.queues.get(&row.space).is_some_and(|(other, _)| *other != name) => {
                "another queue has the same messages"
            }
            Ok((_, row)) if row.state == QueueState::Deleted => {
                if is_left(read, row.space) {
                    return None;
                }
                "it is deleted, but not scheduled for removal"
            }
            Ok((_, row)) => match read.get(&row.space.tally_key(), &mut |_| ()) {
                // The check of the record reports damage.
                Ok(true) | Err(_) => {
                    self.report.queues += 1;
                    return None;
                }
                Ok(false) => "its messages are missing",
            },
        };
        let name = String::from_utf8_lossy(key.get(4..).unwrap_or_default()).into_owned();
        Some(Damage::new(DamagePlace::Queue { name }, what))
    }

    /// Returns the damage of a record of a queue's messages; counts the message if the record is its place.
    pub(super) fn check_message(&mut self, read: &dyn Read, key: &[u8], record: &[u8]) -> Option<Damage> {
        let split = Space::split(key);
        let queue = split.and_then(|(space, _)| self.queues.get(&space));
        let live = queue.filter(|(_, row)| row.state == QueueState::Live);
        let sound = checksum::open(key, record).and_then(|content| check_part(read, key, content));
        let what = match (split, sound) {
            (_, Err(what)) => what,
            (Some((space, part)), Ok(())) => {
                let is_message = matches!(part, Part::Place(_));
                if live.is_some() {
                    self.report.messages += u64::from(is_message);
                    return None;
                }
                if is_left(read, space) {
                    self.report.deleted += u64::from(is_message);
                    return None;
                }
                // It may belong to the queue whose record is damaged, which is already reported.
                if !self.all_queues {
                    return None;
                }
                "it belongs to no queue, and is not scheduled for removal"
            }
            (None, Ok(())) => "its key is not a valid message key",
        };
        let queue = live.map(|(name, _)| name.clone());
        let id = match split {
            Some((_, Part::Body(id))) => Some(id),
            Some((_, Part::Place(position))) => {
                let content = checksum::open(key, record).ok();
                content.and_then(|content| Placed::decode(position, content)).map(|placed| placed.id)
            }
            _ => None,
        };
        Some(Damage::new(DamagePlace::Message { queue, id }, what))
    }
}

/// Decodes name and content of a queue's record, or returns its damage.
fn row(key: &[u8], record: &[u8]) -> Result<(QueueName, QueueRow), &'static str> {
    let row = decode_row(checksum::open(key, record)?);
    let name = key.get(4..).and_then(|name| std::str::from_utf8(name).ok());
    let name = name.and_then(|name| QueueName::new(name).ok());
    name.zip(row).ok_or("its layout is invalid")
}

/// Returns whether the sweep will remove all records of a space.
fn is_left(read: &dyn Read, space: Space) -> bool {
    let wanted = space.leftover(None);
    let key = wanted.key();
    let found: Result<Option<Leftover>, StorageFault> =
        write_batch::find(read, &key, |content| Leftover::decode(&key, content));
    found.is_ok_and(|found| found.is_some_and(|found| found.to == wanted.to))
}

/// Checks that the record can be decoded, and that a place has its message body.
fn check_part(read: &dyn Read, key: &[u8], content: &[u8]) -> Result<(), &'static str> {
    let layout = "its layout is invalid";
    let (space, part) = Space::split(key).ok_or("its key is not a valid message key")?;
    match part {
        Part::Tally => Tally::decode(content).map(drop).ok_or(layout),
        Part::Body(_) => Body::decode(content).map(drop).ok_or(layout),
        Part::Place(position) => {
            let placed = Placed::decode(position, content).ok_or(layout)?;
            match write_batch::find(read, &space.body_key(placed.id), Body::decode) {
                Ok(Some(body)) if body.expiry == placed.expiry => Ok(()),
                Ok(Some(_)) => Err("it and its text have different expiration times"),
                Ok(None) => Err("its text is missing"),
                // The check of the body record reports it.
                Err(_) => Ok(()),
            }
        }
    }
}
